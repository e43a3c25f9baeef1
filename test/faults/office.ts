import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Accounts, type OwnLimits, openAccounts } from "../../src/accounts/accounts.ts";
import type { QuotaUsage } from "../../src/contract/envelope.ts";
import type { ControlStore } from "../../src/control/control-store.ts";
import { createQuota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

/** The accounts of a folder, opened beside its server as commands do. */
export interface Office {
  readonly accounts: Accounts;
  /** The usage of the current month. */
  usedBy(email: string): Promise<QuotaUsage>;
  /** @returns how many calls were counted in all months. */
  countCalls(email: string): Promise<number>;
  close(): void;
}

export async function openOffice(folder: string): Promise<Office> {
  const path = join(folder, "control.db");
  const control = openSqliteControlStore(path);
  const now = () => new Date();
  const accounts = await openAccounts(control, { now });
  const quota = openQuota(control, now);
  const idOf = async (email: string) => {
    const account = await accounts.find(email);
    if (!account) throw new Error(`${email} is gone`);
    return account.id;
  };
  return {
    accounts,
    usedBy: async (email) => (await quota.usage({ accountId: await idOf(email) })).quota,
    countCalls: async (email) => {
      using sqlite = new Database(path, { readonly: true });
      // A window is a month or a day: 2026-11, 2026-11-21.
      const rows = sqlite.query<{ used: number }, [string]>(
        "SELECT used FROM usage WHERE account_id = ? AND length(window) = 7",
      );
      return rows.all(await idOf(email)).reduce((sum, { used }) => sum + used, 0);
    },
    close: control.close,
  };
}

/** With the terms of a server by default. */
export const openQuota = (control: ControlStore, now: () => Date) =>
  createQuota(control, {
    now,
    terms: () => ({ countInvalid: false, trialDays: undefined, lookupsPerMinute: 120 }),
  });

/** Makes an account beside a server; without limits by default. @returns its key. */
export async function createCaller(
  folder: string,
  email: string,
  limits: OwnLimits = { callsPerMonth: "unlimited", callsPerDay: "unlimited" },
): Promise<string> {
  const office = await openOffice(folder);
  const { key } = await office.accounts.create({ email, plan: "enterprise", ...limits });
  office.close();
  return key;
}
