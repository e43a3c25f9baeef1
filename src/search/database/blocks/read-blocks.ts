import { sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import { RecentlyUsed } from "./recently-used.ts";

/** The part of a list of many that is in one block. */
export interface ListPart {
  readonly bits: Uint32Array;
  /** Of those whose bit is set, in order. */
  readonly strengths: Uint8Array | undefined;
}

/** What was read of one block: lists by number, and everybody's tech stack, if it was asked for. */
export interface BlockParts {
  readonly block: number;
  readonly lists: Map<string, ListPart>;
  techStack: Uint8Array;
}

export interface BlockQuery {
  readonly terms: ReadonlySet<string>;
  readonly isTechStackNeeded: boolean;
}

/**
 * What a node has read of a generation lately: most questions name the same lists, and most pages are found in the first
 * blocks.
 */
export interface KeptParts {
  /** By number of list and block; "nobody" where the block has none of a list. */
  readonly lists: RecentlyUsed<ListPart | "nobody">;
  /** By block. */
  readonly techStacks: RecentlyUsed<Uint8Array>;
}

/** Some 5,000 parts of lists, and 250 blocks. */
const keptBytesMax = { lists: 24 * 2 ** 20, techStacks: 8 * 2 ** 20 };
/** Of a part beside its bytes, roughly. */
const partBytes = 400;

export function createKeptParts(): KeptParts {
  return {
    lists: new RecentlyUsed(keptBytesMax.lists, (part) =>
      part === "nobody"
        ? partBytes
        : partBytes + part.bits.byteLength + (part.strengths?.byteLength ?? 0),
    ),
    techStacks: new RecentlyUsed(keptBytesMax.techStacks, (all) => partBytes + all.byteLength),
  };
}

/** The generation that is read, and what is kept of it. */
export interface ReadGeneration {
  readonly id: number;
  readonly kept: KeptParts;
}

/** @returns one for each block, in order, also for those that have none of the lists. */
export async function readBlocks(
  statements: Statements,
  generation: ReadGeneration,
  wanted: readonly number[],
  { terms, isTechStackNeeded }: BlockQuery,
): Promise<readonly BlockParts[]> {
  const parts = wanted.map((block) => ({ block, lists: new Map(), techStack: noBytes }));
  await Promise.all([
    fillLists(statements, generation, parts, terms),
    isTechStackNeeded && fillTechStacks(statements, generation, parts),
  ]);
  return parts;
}

const noBytes = new Uint8Array(0);

async function fillLists(
  statements: Statements,
  { id, kept: { lists: kept } }: ReadGeneration,
  parts: readonly BlockParts[],
  terms: ReadonlySet<string>,
): Promise<void> {
  const missing = { terms: new Set<string>(), blocks: new Set<number>() };
  for (const { block, lists } of parts) {
    for (const term of terms) {
      const part = kept.get(namePart(term, block));
      if (part === undefined) {
        missing.terms.add(term);
        missing.blocks.add(block);
      } else if (part !== "nobody") lists.set(term, part);
    }
  }
  if (missing.terms.size === 0) return;
  const rows = (await statements.execute(sql`
    SELECT term::text AS term, block, varbit_send(bits) AS bits, strengths
    FROM search.block_list
    WHERE generation = ${id} AND term = ANY (${toArray(missing.terms, "BIGINT")})
      AND block = ANY (${toArray(missing.blocks)})`)) as unknown as ListRow[];
  const read = new Map<string, ListPart>();
  for (const { term, block, bits, strengths } of rows) {
    read.set(namePart(term, block), { bits: toWords(bits), strengths: strengths ?? undefined });
  }
  for (const { block, lists } of parts) {
    if (!missing.blocks.has(block)) continue;
    for (const term of missing.terms) {
      const name = namePart(term, block);
      const part = read.get(name);
      kept.set(name, part ?? "nobody");
      if (part) lists.set(term, part);
    }
  }
}

interface ListRow {
  readonly term: string;
  readonly block: number;
  readonly bits: Buffer;
  readonly strengths: Buffer | null;
}

function namePart(term: string, block: number): string {
  return `${term} ${block}`;
}

async function fillTechStacks(
  statements: Statements,
  { id, kept: { techStacks: kept } }: ReadGeneration,
  parts: readonly BlockParts[],
): Promise<void> {
  const missing = new Map<number, BlockParts>();
  for (const part of parts) {
    const known = kept.get(String(part.block));
    if (known) part.techStack = known;
    else missing.set(part.block, part);
  }
  if (missing.size === 0) return;
  const rows = (await statements.execute(sql`
    SELECT block, tech_stack FROM search.block
    WHERE generation = ${id} AND block = ANY (${toArray(missing.keys())})`)) as unknown as {
    block: number;
    tech_stack: Buffer;
  }[];
  for (const { block, tech_stack: techStack } of rows) {
    kept.set(String(block), techStack);
    const part = missing.get(block);
    if (part) part.techStack = techStack;
  }
}

/** As the server sends bits: their number, then bytes, which are those of our words. */
export function toWords(sent: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = sent;
  const start = byteOffset + 4;
  const isAligned = start % 4 === 0;
  const bytes = isAligned ? buffer : buffer.slice(start, byteOffset + length);
  return new Uint32Array(bytes, isAligned ? start : 0, (length - 4) / 4);
}
