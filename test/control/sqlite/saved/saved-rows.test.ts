/** Lists and saved searches: private, bounded, exact between two processes, and gone with the person. */
import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlStore } from "../../../../src/control/control-store.ts";
import { type SearchRun, savedLimits } from "../../../../src/control/saved-records.ts";
import { carryOver } from "../../../../src/control/sqlite/carry-over.ts";
import {
  controlFile,
  openSqliteControlStore,
} from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { openDatabase } from "../../../../src/sqlite/database.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const opened: ControlStore[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const at = new Date("2026-11-14T09:00:00Z");
const later = new Date("2026-11-21T09:00:00Z");
const by = { at, actor: "ada", action: "list.added", subject: "lst_1", detail: {} };

async function openStore(path = join(newFolder(), "control.db")): Promise<ControlStore> {
  const control = openSqliteControlStore(path);
  opened.push(control);
  if ((await control.listAccounts()).length > 0) return control;
  for (const id of ["ada", "ben"]) {
    const email = `${id}@example.com`;
    const row = { id, email, emailKey: email, plan: "pro", administrator: false, createdMs: 1 };
    await control.addAccount({ ...row, callsPerMonth: null, callsPerDay: null }, undefined, by);
  }
  return control;
}

const add = (control: ControlStore, login: string, note = "", list = "lst_1") =>
  control.saved.putEntry("ada", list, { login, note, at });
const found = (people: Record<string, number>, when = at): SearchRun => ({
  at: when,
  total: Object.keys(people).length,
  people: Object.entries(people).map(([login, score]) => ({ login, score })),
});

test("a list keeps people once, with a note, and is nobody else's", async () => {
  const { saved } = await openStore();
  const control = opened[0] as ControlStore;
  expect(await saved.addList("ada", { id: "lst_1", name: "Backend" }, by)).toBeUndefined();
  expect(await saved.addList("ada", { id: "lst_2", name: "backend" }, by)).toBe("name taken");
  expect(await saved.addList("ben", { id: "lst_2", name: "Backend" }, by)).toBeUndefined();
  expect(await add(control, "Quill", "met in May")).toBeUndefined();
  expect(await add(control, "quill", "writes Go")).toBeUndefined();
  expect(await saved.findList("ada", "lst_1")).toMatchObject({
    ...{ people: 1, changedAt: at.toISOString() },
    entries: [{ login: "quill", note: "writes Go", addedAt: at.toISOString() }],
  });
  expect(await saved.findList("ben", "lst_1")).toBeUndefined();
  expect(await saved.putEntry("ben", "lst_1", { login: "x", note: "", at })).toBe("unknown");
  expect(await saved.removeEntry("ben", "lst_1", "quill", at)).toBe(false);
  expect(await saved.removeList("ben", "lst_1", by)).toBe(false);
  expect(await saved.removeEntry("ada", "lst_1", "QUILL", later)).toBe(true);
  expect(await saved.lists("ada")).toMatchObject([{ people: 0, changedAt: later.toISOString() }]);
  expect(await saved.removeList("ada", "lst_1", by)).toBe(true);
  expect(await saved.lists("ada")).toEqual([]);
  expect(await saved.lists("ben")).toHaveLength(1);
});

test("a search tells who is new, gone and changed since the account last looked", async () => {
  const { saved } = await openStore();
  const first = found({ ada: 90, ben: 80, cai: 70 });
  const search = { id: "sea_1", name: "Go in Berlin", query: '{"location":"Berlin"}' };
  expect(await saved.addSearch("ada", search, first, by)).toBeUndefined();
  expect(await saved.searches("ada")).toMatchObject([{ new: 0, gone: 0, changed: 0, total: 3 }]);
  expect(await saved.noteRun("ada", "sea_1", found({ ada: 91, cai: 70, dee: 60 }, later))).toBe(
    true,
  );
  expect(await saved.findSearch("ada", "sea_1")).toMatchObject({
    ...{ new: 1, gone: 1, changed: 1, seenAt: at.toISOString(), ranAt: later.toISOString() },
    found: [
      { login: "ada", seenScore: 90, score: 91 },
      { login: "cai", seenScore: 70, score: 70 },
      { login: "dee", seenScore: undefined, score: 60 },
      { login: "ben", seenScore: 80, score: undefined },
    ],
  });
  // Still compared with what was seen, however often it runs.
  await saved.noteRun("ada", "sea_1", found({ ada: 90, ben: 80, cai: 70 }, later));
  expect(await saved.searches("ada")).toMatchObject([{ new: 0, gone: 0, changed: 0 }]);
  await saved.noteRun("ada", "sea_1", found({ dee: 60 }, later));
  expect(await saved.markSeen("ada", "sea_1")).toBe(true);
  expect(await saved.findSearch("ada", "sea_1")).toMatchObject({
    ...{ new: 0, gone: 0, seenAt: later.toISOString() },
    found: [{ login: "dee", seenScore: 60, score: 60 }],
  });
  for (const change of [saved.noteRun("ben", "sea_1", first), saved.markSeen("ben", "sea_1")]) {
    expect(await change).toBe(false);
  }
  expect(await saved.removeSearch("ben", "sea_1", by)).toBe(false);
  expect(await saved.removeSearch("ada", "sea_1", by)).toBe(true);
  expect(await saved.keptLogins()).toEqual([]);
});

test("lists, searches and entries are bounded", async () => {
  const control = await openStore();
  const { saved } = control;
  const none = found({});
  for (let n = 0; n < savedLimits.listsMax; n++) {
    await saved.addList("ada", { id: `lst_${n}`, name: `list ${n}` }, by);
    await saved.addSearch("ada", { id: `sea_${n}`, name: `search ${n}`, query: "{}" }, none, by);
  }
  expect(await saved.addList("ada", { id: "more", name: "more" }, by)).toBe("too many");
  expect(await saved.addSearch("ada", { id: "more", name: "more", query: "" }, none, by)).toBe(
    "too many",
  );
  for (let n = 0; n < savedLimits.entriesMax; n++) await add(control, `person-${n}`);
  expect(await add(control, "one-more")).toBe("too many");
  expect(await add(control, "PERSON-7", "a note is still possible")).toBeUndefined();
});

test("two processes share one list: nothing is lost and the bound holds", async () => {
  const path = join(newFolder(), "control.db");
  const control = await openStore(path);
  await control.saved.addList("ada", { id: "lst_1", name: "Shared" }, by);
  const script = join(import.meta.dir, "add-entries.ts");
  const sides = ["left", "right"].map((side) =>
    Bun.spawn([process.execPath, script, path, side], { stdout: "pipe", stderr: "inherit" }),
  );
  const added = await Promise.all(sides.map((side) => new Response(side.stdout).text()));
  const kept = await control.saved.findList("ada", "lst_1");
  expect(kept?.people).toBe(savedLimits.entriesMax);
  expect(added.reduce((sum, text) => sum + Number(text), 0)).toBe(savedLimits.entriesMax);
}, 60_000);

test("whoever is erased is gone from every list and search, and from the bytes of the files", async () => {
  const folder = newFolder();
  const control = await openStore(join(folder, "control.db"));
  const { saved } = control;
  await saved.addList("ada", { id: "lst_1", name: "Ours" }, by);
  await saved.addList("ben", { id: "lst_2", name: "Theirs" }, by);
  await add(control, "Quill-Forgetful", "note on the forgetful one");
  await add(control, "other");
  await saved.putEntry("ben", "lst_2", { login: "quill-forgetful", note: "", at });
  const search = { id: "sea_1", name: "s", query: "{}" };
  await saved.addSearch("ada", search, found({ "quill-forgetful": 9, other: 8 }), by);
  expect(await saved.notesAbout(["quill-forgetful"])).toHaveLength(2);
  expect(await saved.countEntries(["QUILL-forgetful", "nobody"])).toBe(3);
  expect(await saved.erase(["quill-FORGETFUL"])).toBe(3);
  expect(await saved.keptLogins()).toEqual(["other"]);
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
    const control = await openStore(path);
    await control.saved.addList("ada", { id: "lst_1", name: "Both" }, by);
    await control.saved.addList("ada", { id: `lst_${own}`, name: own }, by);
    await add(control, own);
    await add(control, own, "", `lst_${own}`);
    const search = { id: `sea_${own}`, name: own, query: "{}" };
    await control.saved.addSearch("ada", search, found({ [own]: 1 }), by);
    await opened.pop()?.close();
  }
  carryOver(ours, theirs, later);
  const names = async () =>
    (await (await openStore(ours)).saved.lists("ada")).map(({ name }) => name);
  // One that the folder lacks and its backup has was removed there.
  expect(await names()).toEqual(["Both", "ours"]);
  await opened.pop()?.close();
  carryOver(ours, theirs, later, { isDiverged: true });
  expect(await names()).toEqual(["Both", "ours", "theirs"]);
  const { saved } = opened[0] as ControlStore;
  expect((await saved.findList("ada", "lst_1"))?.entries).toMatchObject([{ login: "ours" }]);
  expect((await saved.findList("ada", "lst_theirs"))?.entries).toMatchObject([{ login: "theirs" }]);
  expect((await saved.searches("ada")).map(({ name }) => name)).toEqual(["ours", "theirs"]);
  await opened.pop()?.close();
  const file = openDatabase(ours, controlFile);
  file.sqlite.run("DELETE FROM account WHERE id = 'ada'");
  const left = ["people_list", "list_entry", "saved_search", "found_person"].map(
    (table) => file.sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
  );
  file.close();
  expect(left).toEqual([0, 0, 0, 0]);
});
