/**
 * Writes docs/facts.schema.json, the form of a line of `import` and `export`: the same object that checks them.
 *
 *   bun scripts/seeding/facts-schema.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFactsJsonSchema } from "../../src/ingest/export-file.ts";

const path = join(import.meta.dir, "../../docs/facts.schema.json");
writeFileSync(path, `${JSON.stringify(createFactsJsonSchema(), null, 2)}\n`);
// In the house's own layout, or the check would complain of it.
Bun.spawnSync(["node_modules/.bin/biome", "format", "--write", path], {
  cwd: join(import.meta.dir, "../.."),
  stderr: "inherit",
});
