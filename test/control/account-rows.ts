/** Rows of accounts and keys that tests put into a control store, and who is said to have put them there. */
import type { NewAccountRow } from "../../src/control/account-records.ts";

export const at = new Date("2026-11-21T12:00:00Z");
export const by = {
  ...({ at, actor: "test", action: "plan.changed", subject: "test", detail: {} } as const),
};

export const digestOf = (key: string) => new Bun.CryptoHasher("sha256").update(key).digest();

export const newKey = (id: string, createdMs = 1) => ({
  ...{ id, digest: digestOf(id), hint: "hint", createdMs },
});

export const newAccount = (id: string, more: Partial<NewAccountRow> = {}): NewAccountRow => ({
  ...{ id, email: `${id}@Example.com`, emailKey: `${id}@example.com`, plan: "pro" },
  ...{ callsPerMonth: null, callsPerDay: null, administrator: false, createdMs: 1, ...more },
});

export const callOf = (accountId: string, keyId: string) =>
  ({ accountId, credential: { kind: "key", id: keyId } }) as const;

/** An account that has no limits, and calls without a key. */
export const newOperator = (id: string) => newAccount(id, { plan: "operator" });

export const callOfOperator = (id: string) =>
  ({ accountId: id, credential: { kind: "operator", id } }) as const;
