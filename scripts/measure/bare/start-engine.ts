/** Starts the engine on a stored index, and answers one search. Compiled and run by `scripts/bench boot`. */
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import { queryShapes } from "../query-shapes.ts";
import { createSyntheticPool, places, vocabulary } from "../synthetic-people.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const search = createMemoryIndex({
  pool: createSyntheticPool(0),
  ...{ places, vocabulary, poolFile: ":memory:", indexFile: process.env["INDEX"] ?? "" },
  ...{ edition: "bench", log },
});
const started = search.start();
const ask = queryShapes["country, 2 skills, any"];
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  fetch: async () => {
    await started;
    const found = ask ? (await search.find(ask(0))).total : 0;
    return new Response(String(found), { status: found > 0 ? 200 : 500 });
  },
});
