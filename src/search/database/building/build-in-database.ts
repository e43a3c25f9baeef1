/**
 * Builds a generation in the database, and holds only one block at a time in memory. The builder writes on the connection that
 * holds the lock, so it cannot write after losing the lock.
 */
import { eq, sql } from "drizzle-orm";
import { FeatureReader, type FeatureRow, readFeatureHead, readRows } from "../../../pool/pool.ts";
import { copyRows } from "../../../postgres/copy-rows.ts";
import type { PostgresSession } from "../../../postgres/database.ts";
import { baseMax, computeBase } from "../../weighing.ts";
import { arrivals, generations, rankings, sparseLists } from "../tables.ts";
import { gatherLists } from "./gather-lists.ts";
import { type BuildSource, writeBlock } from "./write-block.ts";

/**
 * Builds the generation of the newest revision and puts it into use.
 * @returns the generation's number. Undefined means that the build was stopped, or that developers changed meanwhile.
 */
export async function buildInDatabase(
  session: PostgresSession,
  source: BuildSource,
): Promise<number | undefined> {
  const startedMs = performance.now();
  const { orm } = session;
  const { shape, isStopped } = source;
  await orm.execute(sql`SET work_mem = '64MB'`);
  try {
    const begun = await stageEverybody(session, source);
    if (!begun) return undefined;
    const { id, developers } = begun;
    for (let first = 0; first < developers; first += shape.blockSize) {
      if (isStopped() || !(await writeBlock(session, source, id, first))) return undefined;
    }
    await gatherLists(orm, id, shape);
    await orm.execute(sql`ANALYZE search.term, search.block_list, search.block`);
    const buildMs = Math.round(performance.now() - startedMs);
    await orm.update(generations).set({ isReady: true, buildMs }).where(eq(generations.id, id));
    await clearStaging(session);
    return id;
  } finally {
    await orm.execute(sql`RESET work_mem`).catch(() => {});
  }
}

/** Stores the base score and login of each developer in a table, so that the database can sort them. */
async function stageEverybody(
  session: PostgresSession,
  { pool, edition, shape, isStopped }: BuildSource,
): Promise<{ readonly id: number; readonly developers: number } | undefined> {
  while (!isStopped()) {
    await clearStaging(session);
    const revision = await pool.revision();
    const baseCounts = new Uint32Array(baseMax + 1);
    let developers = 0;
    await copyRows(session.sql, arrivalCopy, async (rows) => {
      const cursor = new FeatureReader();
      const readHead = ({ rowId, standing }: FeatureRow) => {
        cursor.open(standing);
        return { rowId, ...readFeatureHead(cursor) };
      };
      for await (const batch of readRows(pool.rankingFeatures(), readHead)) {
        for (const { rowId, profile, activity, login } of batch) {
          const base = computeBase(profile, activity);
          baseCounts[base] = (baseCounts[base] as number) + 1;
          developers++;
          await rows.begin(3);
          rows.integer(rowId);
          rows.integer(base);
          rows.text(login.toLowerCase());
        }
      }
    });
    // The pool may change between two batches. Start again if it has.
    if ((await pool.revision()) !== revision) continue;
    const bases = Buffer.from(baseCounts.buffer);
    const { blockSize } = shape;
    const [made] = await session.orm
      .insert(generations)
      .values({ revision, edition, developers, blockSize, bases })
      .returning({ id: generations.id });
    if (!made) throw new Error("The row of a generation was not stored.");
    await rankEverybody(session);
    return { id: made.id, developers };
  }
  return undefined;
}

const arrivalCopy = "COPY search.arrival (row_id, base, login) FROM STDIN (FORMAT binary)";

/** Assigns ordinals by base score, then by login. */
async function rankEverybody({ orm }: PostgresSession): Promise<void> {
  await orm.execute(sql`ANALYZE ${arrivals}`);
  const { rowId, base, login } = arrivals;
  await orm.execute(sql`
    INSERT INTO ${rankings} (ordinal, row_id, login_rank)
    SELECT row_number() OVER (ORDER BY base DESC, login_rank) - 1, row_id, login_rank
    FROM (
      SELECT ${rowId} AS row_id, ${base} AS base, row_number() OVER (ORDER BY ${login}) - 1 AS login_rank
      FROM ${arrivals}
    ) AS ranked
    ORDER BY 1`);
  await orm.execute(sql`ANALYZE ${rankings}`);
}

/** Empties the tables that only a build uses. */
async function clearStaging({ orm }: PostgresSession): Promise<void> {
  await orm.execute(sql`TRUNCATE ${arrivals}, ${rankings}, ${sparseLists}`);
}
