/** Two control files of one instance that each changed on their own: what is later counts, wherever it is. */
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlStore } from "../../../src/control/control-store.ts";
import {
  compareControlFiles,
  mergeControlFile,
} from "../../../src/control/sqlite/merge-control-files.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { at, by, callOf, digestOf, newAccount, newKey } from "../account-rows.ts";

const newFolder = temporaryFolders();
const terms = { plans: { pro: { callsPerMonth: 1000, callsPerDay: 1000 } }, trial: undefined };

const addAccount = (control: ControlStore, id: string) =>
  control.addAccount(newAccount(id), newKey(`${id}-1`), by);

const count = (control: ControlStore, id: string, calls: number) =>
  control.charge(Array(calls).fill(callOf(id, `${id}-1`)), at, terms);

/** Two copies of one file, each changed by `change`. */
async function fork(
  changeOurs: (control: ControlStore) => Promise<void>,
  changeTheirs: (control: ControlStore) => Promise<void>,
): Promise<readonly [string, string]> {
  const [ours, theirs] = [join(newFolder(), "control.db"), join(newFolder(), "control.db")];
  const control = openSqliteControlStore(ours);
  for (const id of ["ada", "ben"]) await addAccount(control, id);
  await count(control, "ada", 3);
  await control.close();
  for (const end of [".db", ".mark"]) {
    copyFileSync(ours.replace(".db", end), theirs.replace(".db", end));
  }
  for (const [path, change] of [
    [ours, changeOurs],
    [theirs, changeTheirs],
  ] as const) {
    const opened = openSqliteControlStore(path);
    await change(opened);
    await opened.close();
  }
  return [ours, theirs];
}

const nothing = async () => {};

test("files are compared by their audit logs", async () => {
  const change = (control: ControlStore) => control.record(by);
  expect(compareControlFiles(...(await fork(nothing, nothing)))).toBe("same");
  expect(compareControlFiles(...(await fork(change, nothing)))).toBe("same");
  expect(compareControlFiles(...(await fork(nothing, change)))).toBe("behind");
  const other = (control: ControlStore) => control.record({ ...by, action: "list.added" });
  expect(compareControlFiles(...(await fork(change, other)))).toBe("diverged");
  const [ours] = await fork(nothing, nothing);
  const [elsewhere] = await fork(nothing, nothing);
  expect(compareControlFiles(ours, elsewhere)).toBe("other");
});

test("a key that either replaced stays dead, the newest of an account works, and counts are the higher ones", async () => {
  const [ours, theirs] = await fork(
    async (control) => {
      await control.replaceKey("ada", newKey("ada-ours", 20), by);
      await control.replaceKey("ben", newKey("ben-ours", 40), by);
      await count(control, "ben", 2);
    },
    async (control) => {
      await control.replaceKey("ada", newKey("ada-theirs", 30), by);
      await control.replaceKey("ben", newKey("ben-theirs", 10), by);
      await addAccount(control, "cai");
      await count(control, "cai", 7);
    },
  );
  const carried = mergeControlFile(ours, theirs, at);
  expect(carried).toMatchObject({ keys: 3, accounts: 1, counters: 2 });
  expect(mergeControlFile(ours, theirs, at)).toMatchObject({ keys: 0, accounts: 0, counters: 0 });
  const control = openSqliteControlStore(ours);
  const keys = ["ada-1", "ada-ours", "ada-theirs", "ben-1", "ben-ours", "ben-theirs", "cai-1"];
  const holders = await control.findKeys(keys.map(digestOf));
  expect(keys.filter((_, index) => holders[index])).toEqual(["ada-theirs", "ben-ours", "cai-1"]);
  const usages = await control.usages(["ada", "ben", "cai"], at, terms);
  expect(usages.map((usage) => usage?.month.used)).toEqual([3, 0, 7]);
  await control.close();
});
