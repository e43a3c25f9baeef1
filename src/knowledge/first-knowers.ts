/** Finds the people who know each of several paths best. */
import type { Model } from "../analysis/analysis.ts";
import type { AuthorshipStore, KnownRepository } from "../pool/pool.ts";
import { createAnswerCache } from "./answer-cache.ts";
import type { HeadCache } from "./head-cache.ts";
import { measureKnowledge, type PersonKnowledge } from "./measure-knowledge.ts";
import { keepBlocks, selectPaths } from "./select-files.ts";

export type FirstKnower = Pick<PersonKnowledge, "login" | "share" | "hasLeft">;

interface FolderQuestion {
  /** The repository that contains the paths. */
  readonly repository: Pick<KnownRepository, "id">;
  readonly untilDay: number;
  /** Lower-cased logins of people to treat as having left. */
  readonly without: readonly string[];
  readonly paths: readonly string[];
}

export interface MeasureModules {
  readonly authorship: AuthorshipStore;
  readonly heads: HeadCache;
  readonly model: () => Model;
}

const knowersMax = 3;

/** Finds at most three people for each path, best first. */
export function createFirstKnowers({ authorship, heads, model }: MeasureModules) {
  const remember = createAnswerCache<readonly FirstKnower[]>(({ length }) => length);
  return async ({ repository: { id }, untilDay, without, paths }: FolderQuestion) => {
    const edition = await authorship.edition();
    const opened = await heads.open(id, edition);
    if (!opened) return paths.map((): readonly FirstKnower[] => []);
    const stored = keepBlocks(opened);
    const { modelVersion, knowledge: constants } = model();
    const basis = `${edition} ${modelVersion}`;
    const found: (readonly FirstKnower[])[] = [];
    for (const path of paths) {
      const key = JSON.stringify([id, untilDay, without, path]);
      const first = await remember(basis, key, async () => {
        // Lets other requests run, because a folder may contain many files.
        await Bun.sleep(0);
        const { files } = await selectPaths(stored, [path]);
        const selection = { repository: id, head: stored.head, files };
        const { people } = measureKnowledge([selection], { asOfDay: untilDay, constants });
        return people
          .filter(({ login }) => !without.includes(login))
          .slice(0, knowersMax)
          .map(({ login, share, hasLeft }) => ({ login, share, hasLeft }));
      });
      found.push(first);
    }
    return found;
  };
}
