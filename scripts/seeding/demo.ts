/**
 * Makes seed/demo.jsonl.zst: the people that a first start shows. The same seed gives the same bytes.
 *
 *   scripts/seed demo [OUTPUT]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { checkNames } from "./demo/check-names.ts";
import { readArchetypes } from "./demo/lists.ts";
import { makeDemo } from "./demo/people.ts";

export const demoSeed = "roster demo 1";
export const demoCount = 5000;

if (import.meta.main) {
  const unknown = checkNames(readArchetypes(), createVocabulary());
  if (unknown.length > 0) {
    console.error(`The vocabulary gives no meaning to:\n  ${unknown.join("\n  ")}`);
  }
  const lines = makeDemo(demoSeed, demoCount).map(({ facts }) => `${JSON.stringify(facts)}\n`);
  const text = lines.join("");
  const [path = join(import.meta.dir, "../../seed/demo.jsonl.zst")] = process.argv.slice(2);
  const bytes = Bun.zstdCompressSync(text, { level: 19 });
  writeFileSync(path, bytes);
  console.log(
    `${lines.length} people, ${text.length} characters, ${bytes.length} bytes compressed`,
  );
}
