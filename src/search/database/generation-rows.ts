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
  /** How many developers have each base. */
  readonly baseCounts: Uint32Array;
  readonly buildMs: number | undefined;
}

/** How lists are cut, for a generation that is built. */
export interface IndexShape {
  /** Developers of a block; divisible by 32. */
  readonly blockSize: number;
  /** A list of at most so many people is kept as a list. */
  readonly listMax: number;
  /** In a block, lists of at most so many people are sent as ordinals, which the database turns into bits. */
  readonly sparseMax: number;
  /** In a block, bits of at least so many people are stored uncompressed, since they hardly get smaller. */
  readonly plainMin: number;
}

/** @package A block of twice as many people needs more memory where it is built. */
export const usualShape: IndexShape = {
  blockSize: 32_768,
  listMax: 1024,
  sparseMax: 20,
  plainMin: 1024,
};

/**
 * The number of a list of many, of 64 bits, as the database writes it. Another generation has other numbers, should two keys
 * ever share one.
 *
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

/** @package Whether the generation is still in use. If so, everything that was read of it before was complete. */
export async function isInUse(orm: Statements, id: number): Promise<boolean> {
  const rows = await orm
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.id, id), eq(generations.isReady, true)));
  return rows.length > 0;
}

/** No version of the program: nodes continue with such an index, and no node loads it any more. */
const retiredEdition = "";

/** @package Makes the next node that starts build the index again. */
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
 * Removes all generations but the newest of each version of the program that is not behind, and what dead builders have left.
 * While nodes are upgraded one by one, both versions run on one database; one that no longer runs falls behind the next time
 * that people change.
 *
 * @package
 * @param revisionMin removes indexes of older revisions of the pool.
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

/** Marks them as out of use first, so that a node that searches one notices. */
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
