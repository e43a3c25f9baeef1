/** The history of runs on the command line: who started them, how they ended, and what they changed. */
import { afterAll, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { StoredRun } from "../../../../src/control/source-records.ts";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { endedRun } from "../../../control/sources-contract.ts";
import { ada, ben, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const shelf = join(line.folder, "..", "shelf");
inventRepository(join(shelf, "sound"), [{ author: ada }]);
inventRepository(join(shelf, "broken"), [{ author: ben }]);
afterAll(() => line.close());

const list = async (...given: string[]) =>
  (await line.json("runs", ...given, ...data)) as readonly StoredRun[];

/** Stores runs as a server, another machine and a killed process do. */
async function store(...runs: readonly StoredRun[]): Promise<void> {
  const control = openSqliteControlStore(join(line.folder, "control.db"));
  for (const run of runs) await control.runs.add(run);
  await control.close();
}

test("a run of a command is listed with what it changed, and what it left out and why", async () => {
  expect(
    (await line.run("account", "create", "boss@corp.example", "--plan", "pro", ...data)).code,
  ).toBe(0);
  expect(await line.run("runs", ...data)).toEqual({
    code: 0,
    out: "",
    err: "there is no run yet\n",
  });
  expect((await line.run("ingest", "git", shelf, ...data)).code).toBe(0);
  renameSync(join(shelf, "broken", "HEAD"), join(shelf, "broken", "HEAD-"));
  writeFileSync(join(shelf, "broken", "HEAD"), "nonsense\n");
  expect((await line.run("ingest", "git", shelf, ...data)).code).toBe(3);
  // A mistake in a command is not a run.
  expect((await line.run("ingest", "git", shelf, "--jobs", "none", ...data)).code).toBe(2);
  const [latest, first, ...others] = await list();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    ...{ kind: "ingest", by: "command", machine: hostname(), state: "done" },
    outcome: "2 repositories read, 0 unchanged; 2 people added, 0 replaced, 0 removed.",
  });
  expect(latest?.outcome).toContain(`1 left out: ${join(shelf, "broken")}: `);
  const { out } = await line.run("runs", ...data);
  expect(out).toMatch(/^id +started \(UTC\) +took +state +run +by +machine +outcome/);
  expect(out).toContain(`2026-11-21 12:00  0 s   done   Read git histories in ${shelf}  a command`);
});

test("runs of a page name the account, and one that did not end says so", async () => {
  const [{ id: boss = "" } = {}] = (await line.json("account", "list", ...data)) as [
    { id: string },
  ];
  const day = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  const times = { startedAt: day(1), endedAt: day(2) };
  const begun = { startedAt: day(3), endedAt: day(3), state: "running", outcome: "" } as const;
  await store(
    endedRun("run_page", { ...times, by: boss, state: "failed", outcome: "The forge is away." }),
    endedRun("run_elsewhere", { ...begun, machine: "node-b", pid: process.pid }),
    endedRun("run_killed", { ...begun, machine: hostname(), pid: 2 ** 22 + 1 }),
  );
  const all = Object.fromEntries((await list()).map((run) => [run.id, run]));
  expect(all["run_page"]).toMatchObject({ by: "boss@corp.example", source: "corp" });
  expect(all["run_elsewhere"]).toMatchObject({ state: "running", endedAt: null });
  expect(all["run_killed"]).toMatchObject({ state: "failed" });
  const { out } = await line.run("runs", ...data);
  expect(out).toMatch(/run_page +2026-11-20 01:00 +1 h +failed +\S.* boss@corp\.example +node-a/);
  expect(out).toMatch(/run_elsewhere +2026-11-20 03:00 +not ended +\S.* the schedule +node-b/);
  expect(out).toMatch(/run_killed +2026-11-20 03:00 +failed +\S.* It ended without a word: /);
});

test("only failed runs, only some, and one whole", async () => {
  expect((await list("--failed")).map(({ id }) => id)).toEqual(["run_killed", "run_page"]);
  expect((await list("--failed", "--limit", "1")).map(({ id }) => id)).toEqual(["run_killed"]);
  expect(await list("run_page")).toMatchObject({ id: "run_page", outcome: "The forge is away." });
  const { out } = await line.run("runs", "run_page", ...data);
  expect(out).toMatch(/^id +run_page\n(.+\n)*outcome +The forge is away\.\nkind +refresh\n$/);
  expect(await line.run("runs", "run_none", ...data)).toMatchObject({
    ...{ code: 4, err: "roster: There is no run run_none; `roster runs` lists them.\n" },
  });
  expect((await line.run("runs", "--limit", "0", ...data)).code).toBe(2);
});
