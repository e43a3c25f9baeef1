import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildGeneration } from "../../../src/search/generation/build.ts";
import { readGeneration, writeGeneration } from "../../../src/search/generation/file.ts";
import type { Generation } from "../../../src/search/generation/generation.ts";
import { mergeGenerations } from "../../../src/search/generation/merge-generations.ts";
import { createMemoryIndex } from "../../../src/search/memory/memory-index.ts";
import { createSyntheticPool, places, vocabulary } from "../synthetic-people.ts";
import { type EngineKind, type EnginePlace, silentLog } from "./engine.ts";

const peoplePerPart = 2 ** 17;
const made = { revision: 1, edition: "bench" };
const indexOf = ({ folder }: EnginePlace) => join(folder, "search.index");

/** The engine of a data folder: the whole index in memory, mapped from its file. */
export const memory: EngineKind = {
  build,
  async open(place) {
    const search = createMemoryIndex({
      pool: createSyntheticPool(place.developers),
      ...{ places, vocabulary, poolFile: ":memory:", indexFile: indexOf(place) },
      ...{ edition: made.edition, log: silentLog },
    });
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

/**
 * Builds the index in parts that are kept in files, since ten million people at once would not fit into memory beside a
 * server.
 */
async function build(place: EnginePlace): Promise<number> {
  const pool = createSyntheticPool(place.developers);
  const { rowIds } = await pool.searchableRows();
  const files: string[] = [];
  for (let from = 0; from < rowIds.length; from += peoplePerPart) {
    const file = `${indexOf(place)}-part-${files.length}`;
    const rankingFeatures = pool.rankingFeatures(rowIds.subarray(from, from + peoplePerPart));
    const ancestors = (placeId: string) => places.ancestors(placeId);
    writeGeneration(file, await buildGeneration({ rankingFeatures, ancestors, made }));
    files.push(file);
    Bun.gc(true);
  }
  const parts = files.map((file) => ({ generation: readPart(file) }));
  writeGeneration(indexOf(place), mergeGenerations(parts, made));
  for (const file of files) rmSync(file);
  return statSync(indexOf(place)).size;
}

function readPart(file: string): Generation {
  const found = readGeneration(file, made);
  if ("fault" in found) throw new Error(`${file} ${found.fault}`);
  return found;
}
