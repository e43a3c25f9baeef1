import { SQL } from "bun";
import { createDatabaseIndex } from "../../../src/search/database/database-index.ts";
import { createSyntheticPool, places, vocabulary } from "../synthetic-people.ts";
import { type EngineKind, silentLog } from "./engine.ts";
import { startKeptPostgres } from "./kept-postgres.ts";

/** Bit-blocks in a database: a node that holds no index. */
export const blocks: EngineKind = {
  async build({ developers, folder }) {
    await using server = await startKeptPostgres(folder);
    const search = openIndex(server.url, developers);
    await search.start();
    await search.close();
    await using sql = new SQL(server.url, { max: 1 });
    const [row] = await sql`SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'search'::regnamespace`;
    return Number(row.size);
  },
  async open({ developers, folder }) {
    const server = await startKeptPostgres(folder);
    const search = openIndex(server.url, developers);
    await search.start();
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

function openIndex(url: string, developers: number) {
  return createDatabaseIndex({
    pool: createSyntheticPool(developers),
    ...{ places, vocabulary, poolFile: ":memory:", edition: "bench", log: silentLog },
    database: { url, connectionsMax: 4 },
  });
}
