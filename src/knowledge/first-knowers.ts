/** Who knows each of some folders and files best, in the figures that a question about that one alone would have. */
import type { Model } from "../analysis/analysis.ts";
import type { AuthorshipStore, KnownRepository } from "../pool/pool.ts";
import { createAnswerCache } from "./answer-cache.ts";
import type { HeadCache } from "./head-cache.ts";
import { isAway, measureKnowledge } from "./measure-knowledge.ts";
import { type ReadBlocks, selectPaths } from "./select-files.ts";

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

/** @returns for each path at most three, best first. */
export type FindFirstKnowers = (
  question: FolderQuestion,
) => Promise<readonly (readonly FirstKnower[])[]>;

/** @package */
export interface MeasureModules {
  readonly authorship: AuthorshipStore;
  readonly heads: HeadCache;
  readonly model: () => Model;
}

const knowersMax = 3;

/** @package */
export function createFirstKnowers({ authorship, heads, model }: MeasureModules): FindFirstKnowers {
  const kept = createAnswerCache<readonly FirstKnower[]>(({ length }) => length);
  return async ({ repository: { id }, untilDay, without, paths }) => {
    const edition = await authorship.edition();
    const head = await heads.read(id, edition);
    if (!head) return paths.map(() => []);
    const { modelVersion, knowledge: constants } = model();
    const basis = `${edition} ${modelVersion}`;
    const read = keepLastBlock((from, to) => authorship.blocks(id, from, to));
    const found: (readonly FirstKnower[])[] = [];
    for (const path of paths) {
      const key = JSON.stringify([id, untilDay, without, path]);
      const before = kept.find(basis, key);
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
      kept.keep(basis, key, first);
      found.push(first);
      // Others are answered meanwhile: a folder may have much below it.
      await Bun.sleep(0);
    }
    return found;
  };
}

/** Files beside each other are in one block. */
function keepLastBlock(read: ReadBlocks): ReadBlocks {
  let last: { readonly number: number; readonly blocks: Awaited<ReturnType<ReadBlocks>> };
  return async (from, to) => {
    if (from !== to) return read(from, to);
    if (last?.number !== from) last = { number: from, blocks: await read(from, to) };
    return last.blocks;
  };
}
