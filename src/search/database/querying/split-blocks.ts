/** Finds the people with the largest figures, for a search that is sorted by a figure. */
import { and, eq, sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import { isDense, type Postings, walkOrdinals } from "../../generation/postings.ts";
import {
  LargestFigures,
  type SortFigure,
  type SortFigures,
  splitByFigure,
  toPostings,
} from "../../sorting.ts";
import { listManyTerms } from "../blocks/block-list.ts";
import { createBlockEvaluator, selectInBlock } from "../blocks/evaluate-block.ts";
import { readBlocks } from "../blocks/read-blocks.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import { blocks } from "../tables.ts";
import { type CountedBlock, listCountedBlocks } from "./counted-blocks.ts";
import type { RankedClauses } from "./database-plan.ts";
import { blocksAtOnce } from "./walk-blocks.ts";

/** @package The people whom a query finds, split by the n-th largest figure. */
export interface SplitPeople {
  readonly total: number;
  /** The n-th largest figure. */
  readonly least: number;
  /** Blocks with the people who have a larger figure. They are fewer than n. */
  readonly above: readonly CountedBlock[];
  /** Blocks with the people who have this figure. */
  readonly equal: readonly CountedBlock[];
  /** Returns the figure of a person in `above`. */
  getFigure(person: { readonly block: number; readonly ordinal: number }): number;
}

/** The people of one block, split by the n-th largest figure of this block and those before it. */
interface SplitBlock {
  readonly counted: CountedBlock;
  readonly least: number;
  /** Figures by ordinal. */
  readonly above: ReadonlyMap<number, number>;
  readonly equal: Postings;
}

/** @package @param n the number of people who are wanted. */
export async function splitBlocks(
  statements: Statements,
  generation: GenerationInUse,
  plan: RankedClauses,
  figure: SortFigure,
  n: number,
): Promise<SplitPeople> {
  const counted = await listCountedBlocks(statements, generation, plan);
  const filled = counted.filter(({ people }) => people !== 0);
  const largest = new LargestFigures(n);
  const parts: SplitBlock[] = [];
  let total = 0;
  for (let next = 0; next < filled.length; next += blocksAtOnce) {
    const some = filled.slice(next, next + blocksAtOnce);
    const selections = await selectAll(statements, generation, plan, some);
    const columns = await readFigures(statements, generation, some, figure);
    for (const [at, one] of some.entries()) {
      const [selected, figures] = [selections[at] as Postings, columns.get(one.block) ?? noFigures];
      total += selected.count;
      walkOrdinals(selected, (ordinal) => largest.add(figures[ordinal] as number));
      largest.settle();
      const { least } = largest;
      const { above, equal } = splitByFigure(selected, figures, least);
      const known = Array.from(above.ordinals, (at) => [at, figures[at] as number] as const);
      const packed = packPostings(equal, generation.blockSize);
      parts.push({ counted: one, least, above: new Map(known), equal: packed });
    }
  }
  const byBlock = new Map(parts.map(({ counted, above }) => [counted.block, above]));
  return {
    ...{ total, least: largest.least },
    ...joinParts(parts, largest.least),
    getFigure: ({ block, ordinal }) => byBlock.get(block)?.get(ordinal) ?? 0,
  };
}

/** Splits the people by the n-th largest figure of all blocks, which is no smaller than that of some blocks. */
function joinParts(parts: readonly SplitBlock[], least: number) {
  const above: CountedBlock[] = [];
  const equal: CountedBlock[] = [];
  for (const { counted, ...part } of parts) {
    const select = (isWanted: (figure: number) => boolean) => {
      const found = [...part.above].filter(([, figure]) => isWanted(figure));
      return toPostings(Uint32Array.from(found, ([ordinal]) => ordinal));
    };
    const larger = select((figure) => figure > least);
    const same = part.least === least ? part.equal : select((figure) => figure === least);
    const unread = { parts: undefined, ceiling: Number.POSITIVE_INFINITY };
    above.push({ ...counted, ...unread, people: larger.count, selected: larger });
    equal.push({ ...counted, people: same.count, selected: same });
  }
  return { above, equal };
}

async function selectAll(
  statements: Statements,
  generation: GenerationInUse,
  { clauses }: RankedClauses,
  some: readonly CountedBlock[],
): Promise<readonly Postings[]> {
  const unread = some.filter(({ selected }) => !selected).map(({ block }) => block);
  const terms = listManyTerms(clauses.flat());
  const query = { terms, scoring: new Set<string>(), isTechStackNeeded: false };
  const read = await readBlocks(statements, generation, unread, query);
  const { blockSize } = generation;
  const selections = new Map(
    read.map((parts) => {
      const evaluate = createBlockEvaluator(parts, blockSize);
      return [parts.block, selectInBlock(clauses, evaluate, blockSize)];
    }),
  );
  return some.map(({ block, selected }) => selected ?? (selections.get(block) as Postings));
}

/** The type of each column of figures. */
const columnTypes = { activity: Uint8Array, experience: Uint16Array, followers: Uint32Array };
const noFigures = new Uint8Array(0);

async function readFigures(
  statements: Statements,
  { id }: GenerationInUse,
  some: readonly CountedBlock[],
  figure: SortFigure,
): Promise<ReadonlyMap<number, SortFigures>> {
  const wanted = toArray(some.map(({ block }) => block));
  const rows = await statements
    .select({ block: blocks.block, figures: blocks[figure] })
    .from(blocks)
    .where(and(eq(blocks.generation, id), sql`${blocks.block} = ANY (${wanted})`));
  const Type = columnTypes[figure];
  return new Map(
    rows.map(({ block, figures }) => [block, new Type(new Uint8Array(figures).buffer)]),
  );
}

/** Stores many people as bits, because all people of a large pool may have the same figure. */
function packPostings(list: Postings, blockSize: number): Postings {
  if (!isDense(list.count, blockSize)) return list;
  const bits = new Uint32Array(blockSize / 32);
  walkOrdinals(list, (at) => {
    bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31));
  });
  return { count: list.count, bits, strengths: undefined };
}
