/** The committed files that `scripts/seed` makes are what it makes now. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./temporary-folder.ts";

const root = join(import.meta.dir, "..");
const folder = makeFolder("seeding");

/** Those that need no other package, no network and few seconds; test/ingest/demo.slow.test.ts has a sample of the demo people. */
const made = {
  examples: "seed/examples.json",
  "facts-schema": "docs/facts.schema.json",
  licences: "seed/licences.txt",
};

for (const [name, file] of Object.entries(made)) {
  test(`scripts/seed ${name} makes ${file}`, () => {
    const output = join(folder, name);
    const script = join(root, `scripts/seeding/${name}.ts`);
    const { success, stderr } = Bun.spawnSync([process.execPath, script, output], { cwd: root });
    expect({ success, stderr: stderr.toString() }).toMatchObject({ success: true });
    expect(readFileSync(output).equals(readFileSync(join(root, file)))).toBe(true);
  }, 300_000);
}
