/**
 * Loads the demo developers, so that search has results before there is any real data. They are fictitious, come from
 * scripts/seeding/demo.ts, and are removed by the first real import.
 */
import { readFileSync } from "node:fs";
import demoPath from "../../seed/demo.jsonl.zst" with { type: "file" };
import type { AsOf } from "../analysis/analysis.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Pool } from "../pool/pool.ts";
import { inventAuthorship } from "./git/authorship/invent-authorship.ts";
import type { Judge } from "./judge.ts";
import { splitBatches } from "./split-batches.ts";

/** The as-of day of the demo developers. Their commits end on this day, so as of a later day all of them would look inactive. */
export const demoAsOf: AsOf = "2026-11-01";

const developersPerBatch = 100;

/** Loads all demo developers into the pool in one import. @param judge a judge as of `demoAsOf`. */
export async function loadDemo({ pool, judge }: Readonly<{ pool: Pool; judge: Judge }>) {
  const load = await pool.beginImport("demo");
  try {
    const people = readDemo();
    for (const batch of splitBatches(people, developersPerBatch)) {
      await load.put(batch.map(judge), judge.basis);
      // Yields, so that a server that is loading the demo can answer requests.
      await Bun.sleep(0);
    }
    await load.commit();
    for (const { repository, logins } of inventAuthorship(people)) {
      await pool.authorship.replace(repository);
      await pool.authorship.nameAuthors(repository.key, logins);
    }
  } finally {
    await load.abort();
  }
}

/**
 * Reads the demo pool that was filled when the executable was built (scripts/seeding/demo-pool.ts), since judging the developers
 * takes ten times as long as the rest of a first start. The built-in model judged them, with commit addresses unpublished.
 *
 * @returns the content for `placeReadyPool`; undefined when Roster runs from source.
 */
export async function readDemoPool(): Promise<Uint8Array | undefined> {
  // The bundler adds a hash to the file's name.
  const files = Bun.embeddedFiles as readonly (Blob & { readonly name?: string })[];
  const file = files.find(({ name = "" }) => /^demo-pool\b.*\.zst$/.test(name));
  return file && Bun.zstdDecompress(await file.arrayBuffer());
}

/** Reads the demo developers without validating them. A test checks them against the schema. */
function readDemo(): readonly Facts[] {
  const text = Bun.zstdDecompressSync(readFileSync(demoPath)).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
