/**
 * Writes docs/facts.schema.json, the form of a line of `import` and `export`, from the same object that checks them.
 *
 *   scripts/seed facts-schema [OUTPUT]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFactsJsonSchema } from "../../src/ingest/jsonl/export-file.ts";

const root = join(import.meta.dir, "../..");
const published = join(root, "docs/facts.schema.json");
const [output = published] = process.argv.slice(2);
// Formatted as the check wants it.
const { stdout, success } = Bun.spawnSync(
  [join(root, "node_modules/.bin/biome"), "format", `--stdin-file-path=${published}`],
  {
    cwd: root,
    stdin: Buffer.from(JSON.stringify(createFactsJsonSchema(), null, 2)),
    stderr: "inherit",
  },
);
if (!success) throw new Error("Biome could not format the schema");
writeFileSync(output, stdout);
