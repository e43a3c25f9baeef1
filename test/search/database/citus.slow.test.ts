/**
 * The index in the database where its blocks lie on the servers of Citus: equal to memory, also when one of them dies. Only in the
 * long form.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPostgres, type PostgresDatabase } from "../../../src/postgres/database.ts";
import { migrateSchema } from "../../../src/postgres/migrate.ts";
import { createIndexOn, searchSchemaKind } from "../../../src/search/database/database-index.ts";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import type { SearchIndex, SearchQuery } from "../../../src/search/search-index.ts";
import { isLong } from "../../long.ts";
import { type CitusCluster, hasCitus, startCitus } from "../../postgres/citus.ts";
import { queryShapes, variants } from "../query-shapes.ts";
import { partsOf, poolOf, type Row } from "../small-world.ts";
import * as synthetic from "../synthetic-people.ts";

/** Each shape of a query, with each of its values, on several pages: 1,100. */
const queries = Object.values(queryShapes).flatMap((shape) =>
  Array.from({ length: variants }, (_, variant) => shape(variant)).flatMap((query) =>
    [0, 7, 25, 100, 400].map((further) => ({ ...query, offset: query.offset + further })),
  ),
);
/** So small that some thousand people are in more blocks than a node keeps. */
const shape = { blockSize: 64, listMax: 20, sparseMax: 4, plainMin: 8 };

if (!isLong) process.stderr.write("Skips the index on Citus: it is part of scripts/explore\n");

describe.skipIf(!hasCitus || !isLong)("the index on Citus", () => {
  let cluster: CitusCluster;
  let database: PostgresDatabase;
  let index: SearchIndex;
  let memory: SearchIndex;
  const shown: { rows: readonly Row[]; revision: number } = { rows: [], revision: 0 };

  const refreshBoth = async (rows: readonly Row[]) => {
    Object.assign(shown, { rows, revision: shown.revision + 1 });
    await memory.refresh();
    await index.refresh();
  };
  const expectEqual = async (asked: readonly SearchQuery[]) => {
    for (const query of asked) {
      const expected = await memory.find(query);
      expect(await index.find(query)).toEqual(expected as never);
    }
  };
  /** One of each shape. */
  const someQueries = queries.filter((_, at) => at % (queries.length / 11) === 0);
  const getAway = () => index.find(someQueries[0] as SearchQuery).catch((error) => error);

  beforeAll(async () => {
    cluster = await startCitus();
    database = await openPostgres({ url: await cluster.newDatabase(), connectionsMax: 4 });
    await migrateSchema(database, searchSchemaKind);
    const parts = partsOf(
      poolOf(() => shown),
      synthetic,
    );
    memory = createMemoryIndex(parts);
    const opened = { open: async () => database, close: () => database.close() };
    index = createIndexOn(opened, parts, shape);
    await refreshBoth([...synthetic.people(6000)]);
  }, 300_000);
  afterAll(async () => {
    await index?.close();
    await memory?.close();
    await cluster?.stop();
  });

  test("has each part on both workers, and all that belongs to a block together", async () => {
    const parts = await database.sql`
      SELECT table_name::text AS "table", count(DISTINCT shardid)::int AS parts, count(*)::int AS copies
      FROM citus_shards GROUP BY 1 ORDER BY 1`;
    expect([...parts]).toEqual([
      { table: "search.block", parts: 2, copies: 4 },
      { table: "search.block_list", parts: 2, copies: 4 },
    ]);
    const [{ groups }] = await database.sql`
      SELECT count(DISTINCT colocationid)::int AS groups FROM pg_dist_partition`;
    expect(groups).toBe(1);
  });

  test("finds what memory finds", () => expectEqual(queries), 300_000);

  test("finds it without a worker that was killed, and with it when it is back", async () => {
    for (const worker of cluster.workers) {
      await worker.kill();
      await expectEqual(someQueries);
      await worker.start();
      await expectEqual(someQueries);
    }
  }, 300_000);

  test("says that it is away without any worker, and is back with the first one", async () => {
    for (const worker of cluster.workers) await worker.kill();
    expect(await getAway()).toMatchObject({ code: "database_away" });
    await cluster.workers[0].start();
    await expectEqual(someQueries);
    await cluster.workers[1].start();
  }, 300_000);

  test("keeps its people while a worker is missing, and takes the next ones when it is back", async () => {
    const [worker] = cluster.workers;
    await worker.kill();
    const before = await index.find(someQueries[0] as SearchQuery);
    const rows = shown.rows.slice(0, 5000);
    expect(await refreshBoth(rows).catch((error) => error)).toBeInstanceOf(Error);
    expect(await index.find(someQueries[0] as SearchQuery)).toEqual(before);
    await worker.start();
    await index.refresh();
    await expectEqual(someQueries);
  }, 300_000);
});
