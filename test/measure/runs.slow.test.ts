/** `scripts/bench runs`, with small histories: every run happens, what was changed is read, and what was given stays. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../../scripts/measure/rows.ts";

const measure = join(import.meta.dir, "../../scripts/measure/measure.ts");
const folder = mkdtempSync(join(tmpdir(), "roster-runs-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...options: string[]) {
  const command = [process.execPath, measure, "bench", "runs", "--rounds", "1", ...options];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command, "--json"]);
  const complaint = stderr.toString();
  // 1: a bar is not met, as on a slow machine.
  if (exitCode !== 0 && exitCode !== 1) return { exitCode, complaint, rows: new Map() };
  const rows = JSON.parse(stdout.toString()) as Row[];
  expect(exitCode).toBe(rows.some(({ met }) => met === false) ? 1 : 0);
  return { exitCode, complaint, rows: new Map(rows.map((row) => [row.name, row])) };
}

/** Each person must have a commit at both sizes, and some of those of a tenth must be left to forget and merge. */
const size = ["--commits", "600", "--repositories", "3", "--people", "150"];
const kinds = ["first", "asking", "idle", "new", "forget", "merge", "day"];

test("measures each kind of run at both sizes, and how it grows", () => {
  const { rows } = run(...size, "--folder", folder);
  for (const kind of kinds) {
    for (const commits of ["0.06k", "0.6k"]) {
      expect(rows.get(`runs-${commits}.${kind}`)?.value).toBeGreaterThanOrEqual(0);
      expect(rows.get(`runs-${commits}.${kind}-peak`)?.value).toBeGreaterThan(20);
    }
    expect(rows.get(`runs-growth.${kind}`)?.against?.what).toBe("a tenth");
  }
  const barred = [...rows.values()].filter(({ bar }) => bar !== undefined);
  expect(barred).toHaveLength(2 * 6);
  // Git's part is there where repositories are read, and not in the program's.
  expect(rows.get("runs-0.6k.first-git")?.value).toBeGreaterThan(0);
  const all = rows.get("runs-0.6k.new-all")?.value;
  expect(all).toBeGreaterThanOrEqual(rows.get("runs-0.6k.new")?.value);
  expect(all).toBeGreaterThan(rows.get("runs-0.6k.new-git")?.value);
});
