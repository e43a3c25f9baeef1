/** The list of runs: of commands, pages, schedules and pushes, whoever started them. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { endedRun } from "../../../control/sources-contract.ts";
import { program } from "../../../faults/server-process.ts";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";
import { invited, readable } from "../person.ts";

const newFolder = temporaryFolders();
const roster = await openTestAppliance({ folder: true, self: program, people: [] });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

const read = async (path: string) => readable((await boss.open(path)).text);

test("runs of commands appear beside those of pages, schedules and pushes", async () => {
  expect(await read("/admin/runs")).toContain("No run has finished yet.");
  const mirrors = newFolder();
  inventRepository(join(mirrors, "app.git"), [{ author: "Vera Holm <vera@example.org>" }]);
  const given = ["ingest", "git", mirrors, "--data", roster.config.data];
  const command = Bun.spawn([...program, ...given], { stdout: "ignore", stderr: "ignore" });
  expect(await command.exited).toBe(0);
  const page = await read("/admin/runs");
  expect(page).toContain(`Read git histories in ${mirrors} done started by a command, ended`);
  expect(page).toMatch(/, took \d+ s 1 repository read/);
  expect(page).toContain("1 repository read, 0 unchanged");
  expect(page).not.toContain("Runs of commands are not");
  // The overview has the same list.
  expect(await read("/admin")).toContain(`The last run: Read git histories in ${mirrors}`);
  await boss.send("/admin/runs", "recount");
  while (!(await read("/admin/runs")).includes("started by boss@corp.example, ended")) {
    await Bun.sleep(50);
  }
});

test("the latest are shown first, and all of them on request", async () => {
  const control = openSqliteControlStore(join(roster.config.data, "control.db"));
  for (let n = 1; n <= 30; n++) {
    const endedAt = new Date(Date.UTC(2027, 0, n));
    const by = n === 30 ? "hook" : "schedule";
    const machine = n === 30 ? "node-b" : "node-a";
    // The process of run 29 was killed.
    const pid = n === 29 ? 4711 : null;
    await control.runs.add(endedRun(`run_${n}`, { title: `Run ${n}.`, endedAt, by, machine, pid }));
  }
  await control.close();
  const page = await read("/admin/runs");
  expect(page).toContain("Show all 32");
  expect(page).toContain("started by a push on node-b");
  expect(page).toContain("started by the schedule on node-a, noticed ");
  expect(page.match(/Run \d+\./g)?.slice(0, 2)).toEqual(["Run 30.", "Run 29."]);
  expect(page).not.toContain("Run 10.");
  const all = await read("/admin/runs?all");
  expect(all).toContain("Run 1.");
  expect(all).not.toContain("Show all");
});
