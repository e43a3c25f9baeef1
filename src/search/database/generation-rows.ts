/** Finds the generation to use among those in the database, and removes outdated ones. */
import { and, desc, eq, gte, notInArray, type SQL, sql } from "drizzle-orm";
import { toArray } from "../../postgres/column-types.ts";
import type { Statements } from "../../postgres/database.ts";
import { blockLists, blocks, generations, terms } from "./tables.ts";

/** @package A generation that may be searched. */
export interface StoredGeneration {
  readonly id: number;
  readonly revision: number;
  readonly developers: number;
  readonly blockSize: number;
  /** The number of developers with each base score. */
  readonly baseCounts: Uint32Array;
  readonly buildMs: number | undefined;
}

/** The sizes that decide how a new generation splits its lists. */
export interface IndexShape {
  /** Developers per block; divisible by 32. */
  readonly blockSize: number;
  /** A list with at most this many developers is stored whole. A longer list is split into blocks. */
  readonly listMax: number;
  /** Within a block, lists with at most this many developers are sent as ordinals. Longer lists are sent as bits. */
  readonly sparseMax: number;
  /**
   * Within a block, a list of at least this many developers is stored uncompressed, because compression hardly shrinks its bits.
   */
  readonly plainMin: number;
}

/** @package The usual sizes. Larger blocks need more memory in the process that builds them. */
export const usualShape: IndexShape = {
  blockSize: 32_768,
  listMax: 1024,
  sparseMax: 20,
  plainMin: 1024,
};

/**
 * Hashes a key to the 64-bit number of its list, as text. Each generation hashes differently. If two keys have the same hash, a
 * rebuild separates them.
 * @package
 */
export function hashKey(key: string, generation: number): string {
  return String(BigInt.asIntN(64, Bun.hash.xxHash64(key, BigInt(generation))));
}

/** @package */
export async function findNewest(
  orm: Statements,
  edition: string,
): Promise<StoredGeneration | undefined> {
  const [row] = await orm
    .select()
    .from(generations)
    .where(and(eq(generations.edition, edition), eq(generations.isReady, true)))
    .orderBy(desc(generations.id))
    .limit(1);
  if (!row) return undefined;
  const { id, revision, developers, blockSize, bases, buildMs } = row;
  return {
    ...{ id, revision, developers, blockSize },
    baseCounts: new Uint32Array(new Uint8Array(bases).buffer),
    buildMs: buildMs ?? undefined,
  };
}

/** @package Whether the generation is still in use. If it is, everything read from it before was complete. */
export async function isInUse(orm: Statements, id: number): Promise<boolean> {
  const rows = await orm
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.id, id), eq(generations.isReady, true)));
  return rows.length > 0;
}

/** The edition of a retired index. No version of the program has this edition, so no node loads the index again. */
const retiredEdition = "";

/** @package Retires the indexes of this edition, so that the next node that starts builds a new one. */
export async function markRetired(orm: Statements, edition: string): Promise<void> {
  await orm
    .update(generations)
    .set({ edition: retiredEdition })
    .where(eq(generations.edition, edition));
}

/** @package */
export async function removeRetired(orm: Statements): Promise<void> {
  await removeWhere(orm, eq(generations.edition, retiredEdition));
}

/**
 * Keeps the newest complete generation of each program version, if its pool revision is at least `revisionMin`. Removes all other
 * generations. During a rolling upgrade, two versions use one database.
 * @package
 */
export async function removeOutdated(orm: Statements, revisionMin: number): Promise<void> {
  const remaining = await orm
    .selectDistinctOn([generations.edition], { id: generations.id })
    .from(generations)
    .where(and(eq(generations.isReady, true), gte(generations.revision, revisionMin)))
    .orderBy(generations.edition, desc(generations.id));
  const ids = remaining.map(({ id }) => id);
  await removeWhere(orm, ids.length > 0 ? notInArray(generations.id, ids) : undefined);
}

/** Removes generations. Marks them as not ready first, so that a node that is searching one of them notices. */
async function removeWhere(orm: Statements, condition: SQL | undefined): Promise<void> {
  const gone = await orm
    .update(generations)
    .set({ isReady: false })
    .where(condition)
    .returning({ id: generations.id });
  if (gone.length === 0) return;
  const ids = toArray(gone.map(({ id }) => id));
  for (const { generation } of [terms, blockLists, blocks]) {
    await orm.delete(generation.table).where(sql`${generation} = ANY (${ids})`);
  }
  await orm.delete(generations).where(sql`${generations.id} = ANY (${ids})`);
}
