/** What administrators look at: calls by day, and the audit log filtered. */
import { expect, test } from "bun:test";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";

const entry = (at: string, action: string, actor: string, subject: string) => ({
  ...{ at: new Date(at), action, actor, subject, detail: {} },
});

test("calls are told by day and account, months left out", async () => {
  const control = openSqliteControlStore(":memory:");
  const terms = {
    plans: { operator: { callsPerMonth: undefined, callsPerDay: undefined } },
    trial: undefined,
  };
  const row = { email: "a@example.com", emailKey: "a@example.com", plan: "operator" };
  const limits = { callsPerMonth: null, callsPerDay: null, administrator: false, createdMs: 1 };
  const by = entry("2026-09-30T12:00:00Z", "account.created", "test", "ada");
  await control.addAccount({ id: "ada", ...row, ...limits }, undefined, by);
  const call = { accountId: "ada", credential: { kind: "operator", id: "ada" } } as const;
  for (const [day, calls] of [
    ["2026-09-30", 1],
    ["2026-10-01", 2],
    ["2026-10-03", 3],
  ] as const) {
    await control.charge(Array(calls).fill(call), new Date(`${day}T12:00:00Z`), terms);
  }
  expect(await control.dailyCalls("2026-10-01")).toEqual([
    { day: "2026-10-01", accountId: "ada", calls: 2 },
    { day: "2026-10-03", accountId: "ada", calls: 3 },
  ]);
  await control.close();
});

test("the audit log is filtered by action, actor, subject, days and place", async () => {
  const control = openSqliteControlStore(":memory:");
  for (const [at, action, actor, subject] of [
    ["2026-11-01T10:00:00Z", "account.created", "ada", "x"],
    ["2026-11-02T23:59:59Z", "account.disabled", "ben", "x"],
    ["2026-11-03T00:00:00Z", "accounting", "ben", "y"],
  ] as const) {
    await control.record(entry(at, action, actor, subject));
  }
  const sequences = async (...filter: Parameters<typeof control.auditEntries>[1][]) =>
    (await control.auditEntries(10, ...filter)).map(({ sequence }) => sequence);
  expect(await sequences()).toEqual([3, 2, 1]);
  expect(await sequences({ action: "account" })).toEqual([2, 1]);
  expect(await sequences({ action: "account.created" })).toEqual([1]);
  expect(await sequences({ action: "%" })).toEqual([]);
  expect(await sequences({ actor: "ben", subject: "x" })).toEqual([2]);
  expect(await sequences({ from: "2026-11-02", to: "2026-11-02" })).toEqual([2]);
  expect(await sequences({ before: 3, to: "2026-11-03" })).toEqual([2, 1]);
  await control.close();
});
