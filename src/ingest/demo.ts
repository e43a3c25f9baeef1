/** Loads the fictitious developers of the demo (scripts/seeding/demo.ts). The first real import removes them. */
import { readFileSync } from "node:fs";
import demoPath from "../../seed/demo.jsonl.zst" with { type: "file" };
import type { AsOf } from "../analysis/analysis.ts";
import type { Facts } from "../contract/people/facts.ts";
import { splitBatches } from "../contract/split-batches.ts";
import type { Pool } from "../pool/pool.ts";
import { inventAuthorship } from "./git/authorship/invent-authorship.ts";
import type { Judge } from "./judge.ts";

/** The day as of which the demo developers are judged. Their commits end on this day. */
export const demoAsOf: AsOf = "2026-11-01";

const developersPerBatch = 100;

/** Loads all demo developers into the pool in one import. @param judge judges people as of `demoAsOf`. */
export async function loadDemo({ pool, judge }: Readonly<{ pool: Pool; judge: Judge }>) {
  const load = await pool.beginImport("demo");
  try {
    const people = readDemo();
    for (const batch of splitBatches(people, developersPerBatch)) {
      await load.put(batch.map(judge), judge.basis);
      // The pause lets the server answer requests.
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
 * Reads the demo pool that was filled when the executable was built (scripts/seeding/demo-pool.ts). It makes a first start ten
 * times as fast.
 * @returns the content for `placeReadyPool`. Undefined means that Roster runs from source.
 */
export async function readDemoPool(): Promise<Uint8Array | undefined> {
  // The bundler adds a hash to the file's name.
  const files = Bun.embeddedFiles as readonly (Blob & { readonly name?: string })[];
  const file = files.find(({ name = "" }) => /^demo-pool\b.*\.zst$/.test(name));
  return file && Bun.zstdDecompress(await file.arrayBuffer());
}

/** Reads the demo developers. A test checks them against the schema. */
function readDemo(): readonly Facts[] {
  const text = Bun.zstdDecompressSync(readFileSync(demoPath)).toString("utf8");
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}
