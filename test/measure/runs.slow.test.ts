/** `scripts/bench runs`, with small histories: every run happens, what was changed is read, and what was given stays. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measurement } from "../../scripts/measure/bench/runs.ts";
import { UnusableInput } from "../../scripts/measure/measurement.ts";
import type { Row } from "../../scripts/measure/rows.ts";
import { openHistories } from "../../scripts/measure/runs/histories.ts";
import { openTestAppliance } from "../appliance.ts";
import { findExecutable } from "../faults/server-process.ts";
import { git } from "../ingest/git/invented-repository.ts";
import { inventedPeople } from "../invented-people.ts";
import { isLong } from "../long.ts";

const measure = join(import.meta.dir, "../../scripts/measure/measure.ts");
const folder = mkdtempSync(join(tmpdir(), "roster-runs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pools = join(folder, "pools");

function run(...options: string[]) {
  const command = [process.execPath, measure, "bench", "runs", "--rounds", "1", ...options];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command, "--json"], {
    // Where there are such pools, `--push` copies them.
    env: { ...process.env, BENCH_POOLS: isLong ? "" : pools },
  });
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

/** A pool of the few people of tests, in the place of the thousand that a measurement would make. */
async function keepPool(): Promise<void> {
  mkdirSync(pools);
  const kept = join(pools, "1000-people");
  await (await openTestAppliance({ folder: kept })).close();
  writeFileSync(`${kept}.json`, JSON.stringify(inventedPeople.map(({ login }) => login)));
}

test("measures the way from a push to a search", async () => {
  if (!isLong) await keepPool();
  const push = ["--push", "--pool", "1000", "--rate", "20", "--quiet", isLong ? "10" : "1"];
  const { rows } = run(...size, "--folder", folder, ...push);
  expect(rows.get("push.people")?.value).toBe(1000);
  expect(rows.get("push.to-search")).toMatchObject({ bar: 5, sense: "most" });
  expect(rows.get("push.answer-p99")).toMatchObject({ bar: 1.5, sense: "most" });
});

test("measures mirrors with one new commit each, compares programs, and leaves the mirrors alone", async () => {
  const { folder: mirrors, tips } = await openHistories(
    folder,
    { commits: 60, repositories: 2, people: 15 },
    1,
  );
  const list = () =>
    Object.keys(tips).map((name) => git(join(mirrors, name), "count-objects", "-v").toString());
  const before = list();
  const program = findExecutable();
  const both = program === undefined ? [] : ["--binary", `${program},${program}`];
  const { rows } = run("--mirrors", mirrors, ...both);
  expect(rows.get("mirrors.repositories")?.value).toBe(2);
  expect(rows.get("mirrors.commits")?.value).toBe(60);
  for (const kind of ["first", "idle", "second"]) {
    expect(rows.get(`mirrors.${kind}`)?.value).toBeGreaterThan(0);
    const compared = rows.get(`mirrors.${kind}-all-to-2`);
    expect(compared?.ratio === undefined).toBe(program === undefined);
  }
  expect(list()).toEqual(before);
  for (const [name, tip] of Object.entries(tips)) {
    expect(git(join(mirrors, name), "rev-parse", "HEAD").toString().trim()).toBe(tip);
  }
});

test("refuses what it cannot measure, and says why", async () => {
  const missing = folder.replace(/[^/]*$/, "no-such-folder");
  const wrong = [
    [{ commits: 5 }, "--commits must be at least one for each of --repositories."],
    [{ push: true, pool: 5 }, "--pool must be at least 1000."],
    [{ binary: ["/nowhere"] }, "/nowhere is missing"],
    [{ mirrors: missing }, "holds no repository"],
    [{ commits: 20, repositories: 2, people: 3 }, "are too few for 1 rounds."],
  ] as const;
  for (const [at, [options, message]] of wrong.entries()) {
    const given = { ...measurement.options, rounds: 1, ...options };
    const found = measurement.run({ ...given, paths: [], work: join(folder, `refused-${at}`) });
    const error = await found.then(String, (thrown) => thrown);
    expect(error).toBeInstanceOf(UnusableInput);
    expect(error.message).toContain(message);
  }
  const { exitCode, complaint } = run("--rounds", "6");
  expect({ exitCode, complaint }).toMatchObject({ exitCode: 2 });
  expect(complaint).toContain("--rounds must be 1 to 5.");
});
