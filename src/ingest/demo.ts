/**
 * The demo people: what a first start shows, so that there is somebody to find before there is any data.
 * They are fictitious, made by scripts/seeding/demo.ts, and leave with the first real import.
 */
import { readFileSync } from "node:fs";
import demoPath from "../../seed/demo.jsonl.zst" with { type: "file" };
import type { AsOf } from "../analysis/analysis.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";

/**
 * The day that the demo people are judged as of, whenever they are loaded: their commits end there, so
 * by any later day all of them would slowly fall silent, and no printed example would stay true.
 */
export const demoAsOf: AsOf = "2026-11-01";

const developersPerBatch = 100;

/**
 * Loads the demo people into the pool, all at one moment.
 *
 * @param judge as of `demoAsOf`.
 * @returns how many the pool now has of them, bots and assistants included.
 */
export async function loadDemo({
  pool,
  judge,
  onProgress,
}: {
  readonly pool: Pool;
  readonly judge: Judge;
  readonly onProgress?: (progress: { readonly done: number }) => void;
}): Promise<number> {
  const load = await pool.beginImport("demo");
  let done = 0;
  try {
    let batch: Facts[] = [];
    const flush = async () => {
      const leftOut = await load.put(batch.map(judge));
      done += batch.length - leftOut.length;
      batch = [];
      onProgress?.({ done });
    };
    for (const facts of readDemo()) {
      batch.push(facts);
      if (batch.length >= developersPerBatch) await flush();
    }
    await flush();
    await load.commit();
    return done;
  } finally {
    await load.abort();
  }
}

/** The lines were checked when they were made: a test holds them to the schema. */
function* readDemo(): Generator<Facts> {
  const text = Bun.zstdDecompressSync(readFileSync(demoPath)).toString("utf8");
  let from = 0;
  for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
    yield JSON.parse(text.slice(from, to)) as Facts;
    from = to + 1;
  }
}
