import { sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import {
  countBits,
  isDense,
  listOrdinals,
  type SparsePostings,
} from "../../generation/postings.ts";
import { RecentlyUsed } from "../../recently-used.ts";
import type { SortFigure } from "../../sorting.ts";
import { blocks } from "../tables.ts";

/**
 * The part of a long list that is in one block. Ordinals count from the start of the block. Strengths stay packed if
 * the part is large.
 */
export type ListPart = (SparsePostings | PackedPart) & {
  /** The highest score, in tenths of a point, that a developer of the block reaches in a search for this list only. */
  readonly ceiling: number;
};

export interface PackedPart {
  readonly count: number;
  readonly ordinals?: undefined;
  readonly bits: Uint32Array;
  /** Strengths of the developers whose bit is set, in order of ordinal. */
  readonly packed: Uint8Array | undefined;
}

/** The rows that were read for one block. The key of `lists` is the number of a list. */
export interface BlockParts {
  readonly block: number;
  readonly lists: Map<string, ListPart>;
  techStack: Uint8Array;
}

export interface BlockQuery {
  readonly terms: ReadonlySet<string>;
  /** The lists whose strengths are needed. */
  readonly scoring: ReadonlySet<string>;
  readonly isTechStackNeeded: boolean;
}

/** Recently read rows of a generation. */
export interface CachedParts {
  /** The cached lists. The key is the number of a list. */
  readonly lists: RecentlyUsed<CachedList>;
  /** The tech stacks of blocks. The key is the number of a block. */
  readonly techStacks: RecentlyUsed<Uint8Array>;
}

interface CachedList {
  /** The parts of the list. The key is the number of a block. "empty" means that no developer of the block is in the list. */
  readonly parts: Map<number, ListPart | "empty">;
  bytes: number;
}

const cachedBytesMax = { lists: 44 * 2 ** 20, techStacks: 2 * 2 ** 20 };
/** Only parts of the first blocks are cached, because most pages are found there. */
export const cachedBlocks = 32;

export function createPartCache(): CachedParts {
  return {
    lists: new RecentlyUsed(cachedBytesMax.lists),
    techStacks: new RecentlyUsed(cachedBytesMax.techStacks),
  };
}

/** The generation to read from, with its cached rows. */
export interface ReadGeneration {
  readonly id: number;
  readonly cached: CachedParts;
}

/** @returns one value for each wanted block, in the same order. */
export async function readBlocks(
  statements: Statements,
  generation: ReadGeneration,
  wanted: readonly number[],
  query: BlockQuery,
): Promise<readonly BlockParts[]> {
  if (wanted.length === 0) return [];
  const parts = wanted.map((block) => ({ block, lists: new Map(), techStack: noBytes }));
  await Promise.all([
    fillLists(statements, generation, parts, query),
    query.isTechStackNeeded && fillTechStacks(statements, generation, parts),
  ]);
  return parts;
}

/** @returns the blocks for which all these lists are cached. */
export function listCachedBlocks(
  { lists: cached }: CachedParts,
  terms: ReadonlySet<string>,
): readonly BlockParts[] {
  const all = [...terms].map((term) => ({ term, parts: cached.get(term)?.parts }));
  const blocks = [...(all[0]?.parts?.keys() ?? [])];
  return blocks
    .filter((block) => all.every(({ parts }) => parts?.has(block)))
    .map((block) => {
      const lists = new Map<string, ListPart>();
      for (const { term, parts } of all) {
        const part = parts?.get(block);
        if (part && part !== "empty") lists.set(term, part);
      }
      return { block, lists, techStack: noBytes };
    });
}

const noBytes = new Uint8Array(0);

async function fillLists(
  statements: Statements,
  { id, cached: { lists: cached } }: ReadGeneration,
  parts: readonly BlockParts[],
  { terms, scoring }: BlockQuery,
): Promise<void> {
  const missing = { terms: new Set<string>(), blocks: new Set<number>() };
  for (const term of terms) {
    const known = cached.get(term)?.parts;
    for (const { block, lists } of parts) {
      const part = known?.get(block);
      if (part === undefined) {
        missing.terms.add(term);
        missing.blocks.add(block);
      } else if (part !== "empty") lists.set(term, part);
    }
  }
  if (missing.terms.size === 0) return;
  const rows = (await statements.execute(sql`
    SELECT term::text AS term, block, varbit_send(coalesce(bits, packed_bits)) AS bits, ceiling,
      CASE WHEN block < ${cachedBlocks} OR term = ANY (${toArray(scoring, "BIGINT")}) THEN strengths END AS strengths
    FROM search.block_list
    WHERE generation = ${id} AND term = ANY (${toArray(missing.terms, "BIGINT")})
      AND block = ANY (${toArray(missing.blocks)})`)) as unknown as ListRow[];
  const rowsOf = Map.groupBy(rows, ({ term }) => term);
  for (const term of missing.terms) {
    const list = cached.get(term) ?? { parts: new Map(), bytes: 0 };
    const read = new Map<number, ListPart>();
    for (const row of rowsOf.get(term) ?? []) {
      const part = toPart(row);
      read.set(row.block, row.block < cachedBlocks ? toCached(part) : part);
    }
    for (const block of missing.blocks) {
      if (block < cachedBlocks) cachePart(list, block, read.get(block) ?? "empty");
    }
    cached.set(term, list, list.bytes);
    for (const { block, lists } of parts) {
      const part = read.get(block) ?? list.parts.get(block);
      if (part && part !== "empty") lists.set(term, part);
    }
  }
}

/** Approximate memory of a part without its ordinals and strengths. */
const partBytes = 300;

function cachePart(list: CachedList, block: number, part: ListPart | "empty"): void {
  list.bytes += countBytes(part) - countBytes(list.parts.get(block));
  list.parts.set(block, part);
}

function countBytes(part: ListPart | "empty" | undefined): number {
  if (part === undefined) return 0;
  if (part === "empty") return partBytes / 4;
  if (part.ordinals) return partBytes + 5 * part.count;
  return partBytes + part.bits.byteLength + (part.packed?.byteLength ?? 0);
}

function toPart({ bits, strengths, ceiling }: ListRow): PackedPart & ListPart {
  const words = toWords(bits);
  const packed = strengths ?? undefined;
  return { count: countBits(words), bits: words, packed, ceiling };
}

/** Converts a part with few people to ordinals, because few ordinals take less memory than bits. */
function toCached(part: PackedPart & ListPart): ListPart {
  const { count, bits, packed: strengths, ceiling } = part;
  if (isDense(count, 32 * bits.length)) return part;
  const ordinals = listOrdinals({ count, bits, strengths: undefined });
  return { count, ordinals, strengths, ceiling };
}

interface ListRow {
  readonly term: string;
  readonly block: number;
  readonly bits: Buffer;
  readonly strengths: Buffer | null;
  readonly ceiling: number;
}

async function fillTechStacks(
  statements: Statements,
  { id, cached: { techStacks: cached } }: ReadGeneration,
  parts: readonly BlockParts[],
): Promise<void> {
  const missing = new Map<number, BlockParts>();
  for (const part of parts) {
    const known = cached.get(String(part.block));
    if (known) part.techStack = known;
    else missing.set(part.block, part);
  }
  if (missing.size === 0) return;
  const read = await readColumn(statements, id, [...missing.keys()], "techStack");
  for (const [block, techStack] of read) {
    cached.set(String(block), techStack, techStack.byteLength);
    const part = missing.get(block);
    if (part) part.techStack = techStack;
  }
}

/** Reads one column of some blocks. @returns its bytes; the key is the number of a block. */
async function readColumn(
  statements: Statements,
  generation: number,
  wanted: readonly number[],
  column: SortFigure | "techStack",
): Promise<ReadonlyMap<number, Uint8Array<ArrayBuffer>>> {
  const rows = await statements
    .select({ block: blocks.block, bytes: blocks[column] })
    .from(blocks)
    .where(
      sql`${blocks.generation} = ${generation} AND ${blocks.block} = ANY (${toArray(wanted)})`,
    );
  return new Map(rows.map(({ block, bytes }) => [block, new Uint8Array(bytes)]));
}

const figureTypes = { activity: Uint8Array, experience: Uint16Array, followers: Uint32Array };

/** @returns the figures of everybody in these blocks, by ordinal. The key is the number of a block. */
export async function readFigures(
  statements: Statements,
  generation: number,
  wanted: readonly number[],
  figure: SortFigure,
): Promise<ReadonlyMap<number, ArrayLike<number>>> {
  const read = await readColumn(statements, generation, wanted, figure);
  const Type = figureTypes[figure];
  return new Map(Array.from(read, ([block, { buffer }]) => [block, new Type(buffer)]));
}

/** Reads bits in the form that the server sends: the number of bits in 4 bytes, then the bytes. */
export function toWords(sent: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = sent;
  const start = byteOffset + 4;
  const isAligned = start % 4 === 0;
  const bytes = isAligned ? buffer : buffer.slice(start, byteOffset + length);
  return new Uint32Array(bytes, isAligned ? start : 0, (length - 4) / 4);
}
