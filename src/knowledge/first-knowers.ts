/** Who knows each of some folders and files best, in the figures that a question about that one alone would have. */
import type { Model } from "../analysis/analysis.ts";
import type { AuthorshipStore, KnownRepository } from "../pool/pool.ts";
import { createAnswerCache } from "./answer-cache.ts";
import type { HeadCache } from "./head-cache.ts";
import { isAway, measureKnowledge } from "./measure-knowledge.ts";
import { keepBlocks, selectPaths } from "./select-files.ts";

export interface FirstKnower {
  /** Lower-cased. */
  readonly login: string;
  /** Of all that is known of it, 0 to 1. */
  readonly share: number;
  readonly hasLeft: boolean;
}

interface FolderQuestion {
  /** Of the answer whose folders they are. */
  readonly repository: Pick<KnownRepository, "id">;
  readonly untilDay: number;
  /** Lower-cased logins of people as if they had left. */
  readonly without: readonly string[];
  readonly paths: readonly string[];
}

export interface MeasureModules {
  readonly authorship: AuthorshipStore;
  readonly heads: HeadCache;
  readonly model: () => Model;
}

const knowersMax = 3;

/** Finds for each path at most three people, best first. */
export function createFirstKnowers({ authorship, heads, model }: MeasureModules) {
  const cached = createAnswerCache<readonly FirstKnower[]>(({ length }) => length);
  return async ({ repository: { id }, untilDay, without, paths }: FolderQuestion) => {
    const edition = await authorship.edition();
    const head = await heads.read(id, edition);
    if (!head) return paths.map((): readonly FirstKnower[] => []);
    const { modelVersion, knowledge: constants } = model();
    const basis = `${edition} ${modelVersion}`;
    const read = keepBlocks((from, to) => authorship.blocks(id, from, to));
    const found: (readonly FirstKnower[])[] = [];
    for (const path of paths) {
      const key = JSON.stringify([id, untilDay, without, path]);
      const before = cached.find(basis, key);
      if (before) {
        found.push(before);
        continue;
      }
      const { files } = await selectPaths(head, [path], read);
      const measuring = { asOfDay: untilDay, constants };
      const { people } = measureKnowledge([{ repository: id, head, files }], measuring);
      const first = people
        .filter(({ login }) => !without.includes(login))
        .slice(0, knowersMax)
        .map((person) => ({
          ...{ login: person.login, share: person.share },
          hasLeft: isAway(person, untilDay, constants),
        }));
      cached.keep(basis, key, first);
      found.push(first);
      // Others are answered meanwhile: a folder may have much below it.
      await Bun.sleep(0);
    }
    return found;
  };
}
