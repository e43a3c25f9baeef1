/** Lists and saved searches: private, bounded, exact between two processes, and gone with the person. */
import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlStore } from "../../../../src/control/control-store.ts";
import { savedLimits } from "../../../../src/control/saved-records.ts";
import { mergeControlFile } from "../../../../src/control/sqlite/merge-control-files.ts";
import {
  controlFile,
  openSqliteControlStore,
} from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { openDatabase } from "../../../../src/sqlite/database.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";
import { add, addKeepers, describeSaved, found } from "../../saved-contract.ts";
import { endedRun } from "../../sources-contract.ts";

const newFolder = temporaryFolders();
const opened: ControlStore[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const at = new Date("2026-11-14T09:00:00Z");
const later = new Date("2026-11-21T09:00:00Z");
const by = { at, actor: "ada", action: "list.added", subject: "lst_1", detail: {} } as const;

async function openStore(path = join(newFolder(), "control.db")): Promise<ControlStore> {
  const control = openSqliteControlStore(path);
  opened.push(control);
  return control;
}

/** With the accounts that keep something. */
async function openKept(path?: string): Promise<ControlStore> {
  const control = await openStore(path);
  if ((await control.listAccounts()).length === 0) await addKeepers(control);
  return control;
}

describeSaved(() => openStore());

test("two processes share one list: nothing is lost and the bound holds", async () => {
  const path = join(newFolder(), "control.db");
  const control = await openKept(path);
  await control.saved.addList("ada", { id: "lst_1", name: "Shared" }, by);
  const script = join(import.meta.dir, "add-entries.ts");
  const sides = ["left", "right"].map((side) =>
    Bun.spawn([process.execPath, script, path, side], { stdout: "pipe", stderr: "inherit" }),
  );
  const added = await Promise.all(sides.map((side) => new Response(side.stdout).text()));
  const kept = await control.saved.findList("ada", "lst_1");
  expect(kept?.people).toBe(savedLimits.entriesMax);
  expect(added.reduce((sum, text) => sum + Number(text), 0)).toBe(savedLimits.entriesMax);
}, 300_000);

test("whoever is erased is gone from the bytes of the files", async () => {
  const folder = newFolder();
  const control = await openKept(join(folder, "control.db"));
  const { saved } = control;
  await saved.addList("ada", { id: "lst_1", name: "Ours" }, by);
  await add(control, "Quill-Forgetful", "note on the forgetful one");
  const search = { id: "sea_1", name: "s", query: "{}" };
  await saved.addSearch("ada", search, found({ "quill-forgetful": 9, other: 8 }), by);
  expect(await saved.erase(["quill-FORGETFUL"])).toBe(2);
  for (const name of readdirSync(folder)) {
    expect(readFileSync(join(folder, name), "latin1")).not.toMatch(/forgetful/i);
  }
});

test("they go with the account, and a restore of files that both changed keeps those of both", async () => {
  const [ours, theirs] = [join(newFolder(), "control.db"), join(newFolder(), "control.db")];
  for (const [path, own] of [
    [ours, "ours"],
    [theirs, "theirs"],
  ] as const) {
    const control = await openKept(path);
    await control.saved.addList("ada", { id: "lst_1", name: "Both" }, by);
    await control.saved.addList("ada", { id: `lst_${own}`, name: own }, by);
    await add(control, own);
    await add(control, own, "", `lst_${own}`);
    const search = { id: `sea_${own}`, name: own, query: "{}" };
    await control.saved.addSearch("ada", search, found({ [own]: 1 }), by);
    await control.sources.save(own, { kind: "git" }, own, by);
    await control.sources.save("both", { kind: own }, own, by);
    await control.runs.add(endedRun(`run_${own}`));
    await opened.pop()?.close();
  }
  mergeControlFile(ours, theirs, later);
  const names = async () =>
    (await (await openKept(ours)).saved.lists("ada")).map(({ name }) => name);
  // One that the folder lacks and its backup has was removed there.
  expect(await names()).toEqual(["Both", "ours"]);
  await opened.pop()?.close();
  mergeControlFile(ours, theirs, later, { isDiverged: true });
  expect(await names()).toEqual(["Both", "ours", "theirs"]);
  const { saved } = opened[0] as ControlStore;
  expect((await saved.findList("ada", "lst_1"))?.entries).toMatchObject([{ login: "ours" }]);
  expect((await saved.findList("ada", "lst_theirs"))?.entries).toMatchObject([{ login: "theirs" }]);
  expect((await saved.searches("ada")).map(({ name }) => name)).toEqual(["ours", "theirs"]);
  const { sources, runs } = opened[0] as ControlStore;
  expect((await sources.list()).map(({ reader }) => reader)).toEqual(["ours", "ours", "theirs"]);
  expect(await runs.list()).toHaveLength(2);
  await opened.pop()?.close();
  const file = openDatabase(ours, controlFile);
  file.sqlite.run("DELETE FROM account WHERE id = 'ada'");
  const left = ["people_list", "list_entry", "saved_search", "found_person"].map(
    (table) => file.sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
  );
  file.close();
  expect(left).toEqual([0, 0, 0, 0]);
});
