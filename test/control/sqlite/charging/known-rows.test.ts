/** Accounts and keys are kept between calls; whatever anybody writes must be seen by the next one all the same. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ChargeTerms, ControlStore } from "../../../../src/control/control-store.ts";
import { prepareChargeRows } from "../../../../src/control/sqlite/charging/charge-rows.ts";
import {
  controlFile,
  openSqliteControlStore,
} from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { getWindows } from "../../../../src/control/windows.ts";
import { openDatabase } from "../../../../src/sqlite/database.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";
import { at, by, callOf, digestOf, newAccount, newKey } from "../../account-rows.ts";

const newFolder = temporaryFolders();
const terms: ChargeTerms = {
  plans: { pro: { callsPerMonth: 1000, callsPerDay: undefined } },
  trial: undefined,
};

async function openWithAda(): Promise<{ readonly path: string; readonly control: ControlStore }> {
  const path = join(newFolder(), "control.db");
  const control = openSqliteControlStore(path);
  await control.addAccount(newAccount("ada"), newKey("key-1"), by);
  return { path, control };
}

const charge = async (control: ControlStore, keyId = "key-1", now = at) =>
  (await control.charge([callOf("ada", keyId)], now, terms))[0];
/** What is only read may be as it was when the turn of the event loop began; a charge never is. */
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));
async function usedOf(control: ControlStore) {
  await endOfTurn();
  return (await control.usages(["ada"], at, terms))[0]?.month.used;
}
async function findKey(control: ControlStore, keyId: string) {
  await endOfTurn();
  return (await control.findKeys([digestOf(keyId)]))[0]?.keyId;
}

describe.each([
  ["the same connection", false],
  ["another connection", true],
])("what %s writes", (_, isOther) => {
  async function openTwice() {
    const { path, control } = await openWithAda();
    return { control, writer: isOther ? openSqliteControlStore(path) : control };
  }

  test("ends a key that was used a moment ago", async () => {
    const { control, writer } = await openTwice();
    expect(await charge(control)).toMatchObject({ result: "counted" });
    expect(await findKey(control, "key-1")).toBe("key-1");
    await writer.replaceKey("ada", newKey("key-2"), by);
    expect(await charge(control)).toEqual({ result: "unauthorized" });
    expect(await findKey(control, "key-1")).toBeUndefined();
    expect(await findKey(control, "key-2")).toBe("key-2");
    expect(await charge(control, "key-2")).toMatchObject({ result: "counted" });
    expect(await usedOf(control)).toBe(2);
  });

  test("disables an account at its next call, and enables it again", async () => {
    const { control, writer } = await openTwice();
    await charge(control);
    await writer.changeAccount("ada", { disabled: true }, by);
    expect(await charge(control)).toEqual({ result: "unauthorized" });
    expect(await findKey(control, "key-1")).toBeUndefined();
    await writer.changeAccount("ada", { disabled: false }, by);
    expect(await findKey(control, "key-1")).toBe("key-1");
    expect(await charge(control)).toMatchObject({ result: "counted" });
  });

  test("changes limits at the next call", async () => {
    const { control, writer } = await openTwice();
    await charge(control);
    await writer.changeAccount("ada", { callsPerMonth: 1 }, by);
    expect(await charge(control)).toMatchObject({ result: "exhausted" });
    await writer.changeAccount("ada", { callsPerMonth: -1 }, by);
    expect(await charge(control)).toMatchObject({ result: "counted" });
  });

  test("moves the clock for both", async () => {
    const { control, writer } = await openTwice();
    await charge(control);
    await charge(writer, "key-1", new Date("2026-12-01T00:00:30Z"));
    const outcome = await charge(control);
    expect(outcome).toMatchObject({ usage: { month: { used: 2, window: { name: "2026-12" } } } });
    expect(await usedOf(control)).toBe(2);
  });
});

test("a read sees in the same turn what its own connection wrote", async () => {
  const { control } = await openWithAda();
  const find = async (id: string) => (await control.findKeys([digestOf(id)]))[0]?.keyId;
  expect(await find("key-1")).toBe("key-1");
  await control.replaceKey("ada", newKey("key-2"), by);
  expect([await find("key-1"), await find("key-2")]).toEqual([undefined, "key-2"]);
});

test("a charge that failed is not remembered as counted", async () => {
  const { path, control } = await openWithAda();
  await charge(control);
  const other = new Database(path);
  other.run(
    "CREATE TRIGGER full BEFORE UPDATE OF charges ON instance BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  await expect(charge(control)).rejects.toThrow("full");
  expect(await usedOf(control)).toBe(1);
  other.run("DROP TRIGGER full");
  expect(await charge(control)).toMatchObject({ usage: { month: { used: 2 } } });
  expect(other.query("SELECT used FROM usage").values()).toEqual([[2], [2]]);
  expect(other.query("SELECT charges FROM instance").values()).toEqual([[2]]);
});

test("counts that are not those that were read are never written", () => {
  const store = openDatabase(":memory:", controlFile);
  const rows = prepareChargeRows(store);
  const windows = getWindows(at.getTime());
  rows.count({ id: "ada", calls: 3, month: 3, day: 3 }, windows);
  rows.count({ id: "ada", calls: 2, month: 5, day: 5 }, windows);
  for (const wrong of [
    { month: 5, day: 6 },
    { month: 7, day: 6 },
  ]) {
    expect(() => rows.count({ id: "ada", calls: 1, ...wrong }, windows)).toThrow("usage of ada");
  }
});
