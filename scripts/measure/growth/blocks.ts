import { SQL } from "bun";
import { createDatabaseIndex } from "../../../src/search/database/database-index.ts";
import { createSyntheticPool, places, vocabulary } from "../synthetic-people.ts";
import { type EngineKind, type EnginePlace, silentLog } from "./engine.ts";

/** Bit-blocks in a database: a node that holds no index. */
export const blocks: EngineKind = {
  async build(place) {
    const search = openIndex(place);
    await search.start();
    await search.close();
  },
  async measureDisk({ url }) {
    await using sql = new SQL(url, { max: 1 });
    const [row] = await sql`SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'search'::regnamespace`;
    return Number(row.size);
  },
  async open(place) {
    const search = openIndex(place);
    await search.start();
    return {
      async find(query) {
        const { total, hits } = await search.find(query);
        return { total, page: hits.map(({ rowId, score }) => [rowId, score]) };
      },
      close: () => search.close(),
    };
  },
};

function openIndex({ developers, url }: EnginePlace) {
  return createDatabaseIndex({
    pool: createSyntheticPool(developers),
    ...{ places, vocabulary, poolFile: ":memory:", edition: "bench", log: silentLog },
    database: { url, connectionsMax: 4 },
  });
}
