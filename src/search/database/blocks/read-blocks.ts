import { and, eq, sql } from "drizzle-orm";
import { toArray } from "../../../postgres/column-types.ts";
import type { Statements } from "../../../postgres/database.ts";
import { blockLists, blocks } from "../tables.ts";

/** The part of a list of many that is in one block. */
export interface ListPart {
  readonly bits: Uint32Array;
  /** Of those whose bit is set, in order. */
  readonly strengths: Uint8Array | undefined;
}

/** What was read of one block: lists by number, and everybody's tech stack, if it was asked for. */
export interface BlockParts {
  readonly block: number;
  readonly lists: Map<bigint, ListPart>;
  techStack: Uint8Array;
}

export interface BlockQuery {
  readonly terms: ReadonlySet<bigint>;
  /** Those of them whose strengths are needed. */
  readonly scoring: ReadonlySet<bigint>;
  readonly isTechStackNeeded: boolean;
}

/** @returns one for each block, in order, also for those that have none of the lists. */
export async function readBlocks(
  statements: Statements,
  generation: number,
  wanted: readonly number[],
  { terms, scoring, isTechStackNeeded }: BlockQuery,
): Promise<readonly BlockParts[]> {
  const nothing = new Uint8Array(0);
  const parts = new Map<number, BlockParts>(
    wanted.map((block) => [block, { block, lists: new Map(), techStack: nothing }]),
  );
  const numbers = (of: ReadonlySet<bigint>) => toArray([...of].map(String), "BIGINT");
  const readLists = async () => {
    if (terms.size === 0) return;
    const { term, block, bits, strengths } = blockLists;
    const rows = await statements
      .select({
        term: sql<string>`${term}::text`,
        block,
        bits: sql<Buffer>`varbit_send(${bits})`,
        strengths: sql<Buffer | null>`CASE WHEN ${term} = ANY (${numbers(scoring)}) THEN ${strengths} END`,
      })
      .from(blockLists)
      .where(
        and(
          eq(blockLists.generation, generation),
          sql`${term} = ANY (${numbers(terms)}) AND ${block} = ANY (${toArray(wanted)})`,
        ),
      );
    for (const row of rows) {
      const part = { bits: toWords(row.bits), strengths: row.strengths ?? undefined };
      parts.get(row.block)?.lists.set(BigInt(row.term), part);
    }
  };
  const readTechStacks = async () => {
    if (!isTechStackNeeded) return;
    const { block, techStack } = blocks;
    const rows = await statements
      .select({ block, techStack })
      .from(blocks)
      .where(and(eq(blocks.generation, generation), sql`${block} = ANY (${toArray(wanted)})`));
    for (const row of rows) {
      const part = parts.get(row.block);
      if (part) part.techStack = row.techStack;
    }
  };
  await Promise.all([readLists(), readTechStacks()]);
  return [...parts.values()];
}

/** As the server sends bits: their number, then bytes, which are those of our words. */
export function toWords(sent: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = sent;
  const start = byteOffset + 4;
  const isAligned = start % 4 === 0;
  const bytes = isAligned ? buffer : buffer.slice(start, byteOffset + length);
  return new Uint32Array(bytes, isAligned ? start : 0, (length - 4) / 4);
}
