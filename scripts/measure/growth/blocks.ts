import { SQL } from "bun";
import { openPostgres } from "../../../src/postgres/database.ts";
import { migrateSchema } from "../../../src/postgres/migrate.ts";
import { createIndexOn, searchSchemaKind } from "../../../src/search/database/database-index.ts";
import { createSyntheticPool, places, vocabulary } from "../synthetic-people.ts";
import { type EngineKind, silentLog } from "./engine.ts";
import { type KeptPostgres, startKeptPostgres } from "./kept-postgres.ts";

/** Bit-blocks in a database: a node that holds no index. */
export const blocks: EngineKind = onServers((folder) => startKeptPostgres(folder));

/**
 * @param start of the database's server, and of whatever servers it needs beside.
 * @param sizeOf what a table takes, by its `oid`.
 */
export function onServers(
  start: (folder: string) => Promise<KeptPostgres>,
  sizeOf = "pg_total_relation_size(oid)",
): EngineKind {
  return {
    async build({ developers, folder }) {
      await using server = await start(folder);
      const search = await openIndex(server.url, developers);
      await search.refresh();
      await search.close();
      await using sql = new SQL(server.url, { max: 1 });
      const [row] = await sql.unsafe(`SELECT sum(${sizeOf}) AS size FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'search'::regnamespace`);
      return Number(row.size);
    },
    async open({ developers, folder }) {
      const server = await start(folder);
      const search = await openIndex(server.url, developers);
      await search.refresh();
      return {
        async find(query) {
          const { total, hits } = await search.find(query);
          return { total, page: hits.map(({ rowId, score }) => [rowId, score]) };
        },
        async close() {
          await search.close();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  };
}

/** Built in this thread: the pool is in no database. */
async function openIndex(url: string, developers: number) {
  const database = await openPostgres({ url, connectionsMax: 4 });
  await migrateSchema(database, searchSchemaKind);
  return createIndexOn(
    { open: async () => database, close: () => database.close() },
    {
      pool: createSyntheticPool(developers),
      ...{ places, vocabulary, poolFile: ":memory:", edition: "bench", log: silentLog },
    },
  );
}
