/**
 * Loads the demo developers, so that a first start has search results before there is any data. They are
 * fictitious, made by scripts/seeding/demo.ts, and removed by the first real import.
 */
import { readFileSync } from "node:fs";
import demoPath from "../../seed/demo.jsonl.zst" with { type: "file" };
import type { AsOf } from "../analysis/analysis.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Pool } from "../pool/pool.ts";
import { inventAuthorship } from "./git/authorship/invent-authorship.ts";
import type { Judge } from "./judge.ts";
import { splitBatches } from "./split-batches.ts";

/**
 * The day that the demo developers are judged as of, whenever they are loaded. Their commits end here: as of
 * a later day they would all look inactive, and the examples in the documentation would no longer match.
 */
export const demoAsOf: AsOf = "2026-11-01";

const developersPerBatch = 100;

/** Loads all demo developers into the pool in one import. @param judge judges as of `demoAsOf`. */
export async function loadDemo({ pool, judge }: Readonly<{ pool: Pool; judge: Judge }>) {
  const load = await pool.beginImport("demo");
  try {
    const people = readDemo();
    for (const batch of splitBatches(people, developersPerBatch)) {
      await load.put(batch.map(judge), judge.basis);
      // A server that is starting answers meanwhile.
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
 * Reads the demo developers as a pool that was filled when the executable was built (scripts/seeding/demo-pool.ts), since
 * judging them takes ten times as long as the rest of a first start. They were judged by the shipped model, without publishing
 * addresses of commits.
 *
 * @returns what `placeReadyPool` takes; undefined when Roster runs from source.
 */
export async function readDemoPool(): Promise<Uint8Array | undefined> {
  // The bundler puts a hash into the name.
  const files = Bun.embeddedFiles as readonly (Blob & { readonly name?: string })[];
  const file = files.find(({ name = "" }) => /^demo-pool\b.*\.zst$/.test(name));
  return file && Bun.zstdDecompress(await file.arrayBuffer());
}

/** Does not validate the lines; a test checks them against the schema. */
function readDemo(): readonly Facts[] {
  const text = Bun.zstdDecompressSync(readFileSync(demoPath)).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
