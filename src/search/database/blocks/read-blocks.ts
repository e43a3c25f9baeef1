import { sql } from "drizzle-orm";
import { RecentlyUsed } from "../../../contract/recently-used.ts";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import {
  countBits,
  isDense,
  listOrdinals,
  type SparsePostings,
} from "../../generation/postings.ts";
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
}

export interface BlockQuery {
  readonly terms: ReadonlySet<string>;
  /** The lists whose strengths are needed. */
  readonly scoring: ReadonlySet<string>;
}

/** Recently read lists. The key is the number of a list. */
export type CachedLists = RecentlyUsed<CachedList>;

interface CachedList {
  /** The parts of the list. The key is the number of a block. "empty" means that no developer of the block is in the list. */
  readonly parts: Map<number, ListPart | "empty">;
  bytes: number;
}

const cachedBytesMax = 44 * 2 ** 20;
/** Only parts of the first blocks are cached, because most pages are found there. */
export const cachedBlocks = 32;

export function createListCache(): CachedLists {
  return new RecentlyUsed(cachedBytesMax);
}

/** The generation to read from, with its cached rows. */
export interface ReadGeneration {
  readonly id: number;
  readonly cached: CachedLists;
}

/** @returns the blocks for which all these lists are cached. */
export function listCachedBlocks(
  cached: CachedLists,
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
      return { block, lists };
    });
}

/** @returns one value for each wanted block, in the same order. */
export async function readBlocks(
  statements: Statements,
  { id, cached }: ReadGeneration,
  wanted: readonly number[],
  { terms, scoring }: BlockQuery,
): Promise<readonly BlockParts[]> {
  const parts: BlockParts[] = wanted.map((block) => ({ block, lists: new Map() }));
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
  if (missing.terms.size === 0) return parts;
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
  return parts;
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

/** The columns of figures that blocks have. */
const figureTypes = {
  techStack: Uint8Array,
  activity: Uint8Array,
  experience: Uint16Array,
  followers: Uint32Array,
};

type FigureColumn = keyof typeof figureTypes;

/** Figures of the people of a block, by ordinal. Columns that were not asked are absent. */
export type BlockFigures = Readonly<Partial<Record<FigureColumn, ArrayLike<number>>>>;

/** @returns the figures of each block; the key is the number of the block. */
export async function readBlockFigures(
  statements: Statements,
  generation: number,
  wanted: readonly number[],
  columns: readonly FigureColumn[],
): Promise<ReadonlyMap<number, BlockFigures>> {
  if (columns.length === 0) return new Map();
  const asked = Object.fromEntries(columns.map((column) => [column, blocks[column]]));
  const rows = await statements
    .select({ ...asked, block: blocks.block })
    .from(blocks)
    .where(
      sql`${blocks.generation} = ${generation} AND ${blocks.block} = ANY (${toArray(wanted)})`,
    );
  return new Map(
    rows.map((row: Partial<Record<FigureColumn, Buffer>> & { readonly block: number }) => {
      const figures = columns.map((column) => {
        const bytes = new Uint8Array(row[column] ?? []);
        return [column, new figureTypes[column](bytes.buffer)];
      });
      return [row.block, Object.fromEntries(figures)];
    }),
  );
}

/** Reads bits in the form that the server sends: the number of bits in 4 bytes, then the bytes. */
export function toWords(sent: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = sent;
  const start = byteOffset + 4;
  const isAligned = start % 4 === 0;
  const bytes = isAligned ? buffer : buffer.slice(start, byteOffset + length);
  return new Uint32Array(bytes, isAligned ? start : 0, (length - 4) / 4);
}
