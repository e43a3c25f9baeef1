import { describe, expect, test } from "bun:test";
import type { SuppressionList } from "../../src/contract/people/erasure-receipt.ts";
import type { AuditAction } from "../../src/control/account-records.ts";
import type { ChargeTerms, ControlStore } from "../../src/control/control-store.ts";
import {
  at,
  by,
  callOf,
  callOfOperator,
  digestOf,
  newAccount,
  newKey,
  newOperator,
} from "./account-rows.ts";

/** Opens a fresh store, which the adapter's own tests close. */
export type OpenStore = () => Promise<ControlStore>;

const entry = (at: string, action: AuditAction, actor: string, subject: string) => ({
  ...{ at: new Date(at), action, actor, subject, detail: {} },
});
const terms: ChargeTerms = {
  plans: { pro: { callsPerMonth: 1000, callsPerDay: 2000 } },
  trial: undefined,
};
/** What every adapter of `ControlStore` keeps of accounts, keys, calls, the audit log and the folder. */
export function describeStore(openStore: OpenStore): void {
  describe("accounts and keys", () => {
    test("are found by id, e-mail and key, and taken only once", async () => {
      const control = await openStore();
      expect(await control.addAccount(newAccount("ben"), newKey("key-b"), by)).toBeUndefined();
      expect(await control.addAccount(newAccount("ada"), newKey("key-a"), by)).toBeUndefined();
      const taken = "account_taken";
      expect(await control.addAccount(newAccount("ada"), undefined, by)).toBe(taken);
      const same = newAccount("cai", { emailKey: "ada@example.com" });
      expect(await control.addAccount(same, undefined, by)).toBe(taken);
      const refusal = await control.addAccount(
        newAccount("cai"),
        { ...newKey("key-a"), id: "x" },
        by,
      );
      expect(refusal).toBe("key_taken");
      expect((await control.listAccounts()).map(({ id }) => id)).toEqual(["ada", "ben"]);
      const ada = {
        ...newAccount("ada"),
        ...{ disabled: false, keyHint: "hint", keyLastUsedMs: undefined },
      };
      expect(await control.findAccount("ada")).toEqual(ada);
      expect(await control.findAccountByEmail("ada@example.com")).toEqual(ada);
      expect(await control.findAccount("nobody")).toBeUndefined();
      const found = await control.findKeys(["key-b", "none", "key-a", "key-b"].map(digestOf));
      expect(found.map((holder) => holder?.accountId)).toEqual(["ben", undefined, "ada", "ben"]);
      expect(found[0]).toEqual({ keyId: "key-b", accountId: "ben", plan: "pro" });
    });

    test("a replaced key and one of a disabled account hold nothing", async () => {
      const control = await openStore();
      await control.addAccount(newAccount("ada"), newKey("key-1"), by);
      await control.replaceKey("ada", { ...newKey("key-2"), hint: "new" }, by);
      const holders = async () =>
        (await control.findKeys(["key-1", "key-2"].map(digestOf))).map((one) => one?.keyId);
      expect(await holders()).toEqual([undefined, "key-2"]);
      expect((await control.findAccount("ada"))?.keyHint).toBe("new");
      await control.changeAccount("ada", { disabled: true, plan: "free" }, by);
      expect(await holders()).toEqual([undefined, undefined]);
      await control.changeAccount("ada", { disabled: false, callsPerDay: -1 }, by);
      expect(await holders()).toEqual([undefined, "key-2"]);
      expect(await control.findAccount("ada")).toMatchObject({ plan: "free", callsPerDay: -1 });
    });

    test("the last enabled administrator cannot be disabled, not even by two at once", async () => {
      const control = await openStore();
      for (const id of ["ada", "ben"]) {
        await control.addAccount(newAccount(id, { administrator: true }), undefined, by);
      }
      const guard = { keepsAdministrator: true };
      const outcomes = await Promise.all(
        ["ada", "ben"].map((id) => control.changeAccount(id, { disabled: true }, by, guard)),
      );
      expect(outcomes.toSorted()).toEqual(["last administrator", undefined]);
      expect((await control.listAccounts()).filter(({ disabled }) => !disabled)).toHaveLength(1);
    });

    test("a key remembers its last use to the minute, with the charge", async () => {
      const control = await openStore();
      await control.addAccount(newAccount("ada"), newKey("key-1"), by);
      const used = new Date("2026-11-21T12:34:56Z");
      await control.charge([callOf("ada", "key-1")], used, terms);
      const lastUsed = (await control.findAccount("ada"))?.keyLastUsedMs as number;
      expect(new Date(lastUsed).toISOString()).toBe("2026-11-21T12:34:00.000Z");
    });

    test("an account on a plan without limits fails alone, and nothing of it is counted", async () => {
      const control = await openStore();
      await control.addAccount(newAccount("ada"), newKey("key-1"), by);
      await control.addAccount(newAccount("ben", { plan: "gone" }), newKey("key-2"), by);
      const calls = [callOf("ben", "key-2"), callOf("ada", "key-1")];
      const outcomes = await control.charge(calls, at, terms);
      expect(outcomes.map(({ result }) => result)).toEqual(["failed", "counted"]);
      expect(await control.dailyCalls("2026-11-01")).toMatchObject([
        { accountId: "ada", calls: 1 },
      ]);
    });
  });

  describe("what administrators look at", () => {
    test("calls are told by day and account, months left out", async () => {
      const control = await openStore();
      const terms = {
        plans: { operator: { callsPerMonth: undefined, callsPerDay: undefined } },
        trial: undefined,
      };
      await control.addAccount(newOperator("ada"), undefined, by);
      for (const [day, calls] of [
        ["2026-09-30", 1],
        ["2026-10-01", 2],
        ["2026-10-03", 3],
      ] as const) {
        await control.charge(
          Array(calls).fill(callOfOperator("ada")),
          new Date(`${day}T12:00:00Z`),
          terms,
        );
      }
      expect(await control.dailyCalls("2026-10-01")).toEqual([
        { day: "2026-10-01", accountId: "ada", calls: 2 },
        { day: "2026-10-03", accountId: "ada", calls: 3 },
      ]);
    });

    test("the audit log is filtered by action, who is involved, days and place", async () => {
      const control = await openStore();
      for (const [at, action, actor, subject] of [
        ["2026-11-01T10:00:00Z", "account.created", "ada", "x"],
        ["2026-11-02T23:59:59Z", "account.disabled", "ben", "x"],
        ["2026-11-03T00:00:00Z", "accounting" as AuditAction, "ben", "y"],
      ] as const) {
        await control.record(entry(at, action, actor, subject));
      }
      const sequences = async (...filter: Parameters<typeof control.auditEntries>[1][]) =>
        (await control.auditEntries(10, ...filter)).map(({ sequence }) => sequence);
      expect(await sequences()).toEqual([3, 2, 1]);
      expect(await sequences({ action: "account" })).toEqual([2, 1]);
      expect(await sequences({ action: "account.created" })).toEqual([1]);
      expect(await sequences({ action: "%" })).toEqual([]);
      expect(await sequences({ involved: ["ada", "y"] })).toEqual([3, 1]);
      expect(await sequences({ involved: [] })).toEqual([]);
      expect(await sequences({ from: "2026-11-02", to: "2026-11-02" })).toEqual([2]);
      expect(await sequences({ before: 3, to: "2026-11-03" })).toEqual([2, 1]);
    });

    test("the audit log is one chain, however many write it at once", async () => {
      const control = await openStore();
      await Promise.all(Array.from({ length: 20 }, () => control.record(by)));
      const entries = await control.auditEntries(100);
      expect(entries.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 20 }, (_, index) => 20 - index),
      );
      expect(await control.brokenAuditEntry()).toBeUndefined();
    });
  });

  describe("what is known of the folder", () => {
    test("a file's note never goes back, unless another took its place", async () => {
      const { folder } = await openStore();
      await folder.noteFile("pool", { name: "a", changes: 5 });
      await folder.noteFile("pool", { name: "a", changes: 4 });
      await folder.noteFile("pool", { name: "b", changes: 9 });
      expect(await folder.knownFiles()).toEqual({ pool: { name: "a", changes: 5 } });
      await folder.noteFile("pool", { name: "a", changes: 6 });
      await folder.noteFile("ledger", { name: "l", changes: 1 });
      await folder.noteFile("pool", { name: "b", changes: 1 }, { replaces: true });
      await folder.dropFile("ledger");
      expect(await folder.knownFiles()).toEqual({ pool: { name: "b", changes: 1 } });
    });

    test("losses stay until they are accepted, and the latest backup is remembered", async () => {
      const { folder, auditEntries } = await openStore();
      await folder.recordLoss("one", at);
      await folder.recordLoss("two", at);
      expect(await folder.losses()).toEqual(["one", "two"]);
      expect(await folder.acceptLosses(by)).toBe(2);
      expect(await folder.losses()).toEqual([]);
      expect((await auditEntries(1, { action: "store.loss" }))[0]?.detail).toEqual({ what: "two" });
      expect(await folder.lastBackup()).toBeUndefined();
      const ahead = new Date(at.getTime() + 1000 * 86_400_000);
      await folder.noteBackup({ ...by, at: ahead });
      expect(await folder.lastBackup()).toEqual(ahead);
      await folder.noteBackup(by);
      expect(await folder.lastBackup()).toEqual(at);
    });

    test("the suppression list grows, and an erasure that was undone stays undone", async () => {
      const { folder } = await openStore();
      const counts = { developers: 1, rows: 2, identifiers: 3 };
      const day = "2026-11-21T00:00:00.000Z";
      const salts = [Buffer.from("salt")];
      const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
      const list: SuppressionList = {
        salts,
        erasures: [
          { id: "rcp_1", at: day, ...counts, hashes: [one] },
          { id: "rcp_2", at: `${day.slice(0, 9)}2`, ...counts, reason: "asked", hashes: [other] },
        ],
      };
      await folder.addSuppressionList(list);
      await folder.addSuppressionList(list);
      expect(await folder.suppressionList()).toEqual(list);
      const [first, second] = list.erasures;
      if (!first || !second) throw new Error("The list is empty.");
      const grown = [{ ...second, identifiers: 9, hashes: [...second.hashes, one] }];
      await folder.addSuppressionList({ salts, erasures: grown });
      await folder.addSuppressionList(list);
      const [, longer] = (await folder.suppressionList()).erasures;
      expect(longer).toMatchObject({ developers: 1, rows: 2, identifiers: 9 });
      expect(longer?.hashes).toHaveLength(2);
      const undone = list.erasures.slice(0, 1).map((one) => ({ ...one, undoneAt: day }));
      await folder.addSuppressionList({ salts: [], erasures: undone });
      await folder.addSuppressionList(list);
      const kept = await folder.suppressionList();
      expect(kept.erasures.map(({ hashes }) => hashes.length)).toEqual([0, 2]);
      expect(kept.erasures[0]).toMatchObject({ id: "rcp_1", undoneAt: day });
    });
  });
}
