import { createAssessor } from "../../src/analysis/analysis.ts";
import { createJudge, ingestGit, openLedger } from "../../src/ingest/ingest.ts";
import { openPlaces } from "../../src/places/places.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import type { Vocabulary } from "../../src/vocabulary/vocabulary.ts";
import { UnusableInput } from "./measurement.ts";

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
