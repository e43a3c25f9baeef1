import pino from "pino";
import { createAssessor } from "../../src/analysis/analysis.ts";
import { createJudge, ingestGit, openLedger } from "../../src/ingest/ingest.ts";
import { openPlaces } from "../../src/places/places.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { createMemoryIndex } from "../../src/search/memory/memory-index.ts";
import type { SearchIndex } from "../../src/search/search-index.ts";
import { createVocabulary, type Vocabulary } from "../../src/vocabulary/vocabulary.ts";
import { UnusableInput } from "./measurement.ts";

/** A pool and an index over it, both in memory. */
export interface IngestedSearch {
  readonly pool: Pool;
  readonly search: SearchIndex;
  close(): Promise<void>;
}

/** Reads and publishes repositories as of today, and builds the index. */
export async function openIngestedSearch(paths: readonly string[]): Promise<IngestedSearch> {
  const vocabulary = createVocabulary();
  const pool = await ingestPool(paths, vocabulary, new Date().toISOString().slice(0, 10));
  const search = createMemoryIndex({
    ...{ pool, vocabulary, places: openPlaces(), poolFile: ":memory:", edition: "truth" },
    log: pino({ level: "silent" }),
  });
  const close = async () => {
    await search.close();
    await pool.close();
  };
  await search.refresh();
  return { pool, search, close };
}

/** Reads and publishes repositories as `ingest git` does. @returns a pool in memory, judged as of a day. */
export async function ingestPool(
  paths: readonly string[],
  vocabulary: Vocabulary,
  asOf: string,
): Promise<Pool> {
  const now = () => new Date(`${asOf}T00:00:00Z`);
  const pool = openSqlitePool(":memory:", { now });
  const ledger = openLedger(":memory:", { version: "truth", now });
  const judge = createJudge({ assess: createAssessor(vocabulary), places: openPlaces(), asOf });
  const rules = { judge, modelVersion: "truth", vocabulary, asOf };
  const { refused } = await ingestGit({ paths, pool, ledger, ...rules });
  ledger.close();
  const [first] = refused;
  if (first) throw new UnusableInput(`${first.path}: ${first.reason}`);
  return pool;
}
