/**
 * Makes dist/demo-pool.zst: the demo people, judged, as the pool that the executable puts into an empty folder. The same
 * sources give the same bytes. `scripts/build` calls it.
 *
 *   bun scripts/seeding/demo-pool.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAssessor, readShippedModel } from "../../src/analysis/analysis.ts";
import { createJudge, demoAsOf, loadDemo } from "../../src/ingest/ingest.ts";
import { openPlaces } from "../../src/places/places.ts";
import { openSqlitePool, writeReadyPool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

/** This level saves half of what compression can save; the last tenth would take twenty times as long. */
const level = 6;

async function makeDemoPool(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "roster-demo-"));
  try {
    const [path, copy] = [join(folder, "pool.db"), join(folder, "ready.db")];
    const pool = openSqlitePool(path, { now: () => new Date(demoAsOf) });
    const assess = createAssessor(createVocabulary());
    const model = readShippedModel();
    const judge = createJudge({ assess, places: openPlaces(), asOf: demoAsOf, model });
    await loadDemo({ pool, judge });
    await pool.close();
    writeReadyPool(path, copy);
    return Bun.zstdCompressSync(readFileSync(copy), { level });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

writeFileSync(join(import.meta.dir, "../../dist/demo-pool.zst"), await makeDemoPool());
