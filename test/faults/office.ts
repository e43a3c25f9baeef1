import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Accounts, openAccounts } from "../../src/accounts/accounts.ts";
import type { QuotaUsage } from "../../src/contract/envelope.ts";
import { createQuota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

/** A second process's look into a folder that a server has open, as an administrator's command has it. */
export interface Office {
  readonly accounts: Accounts;
  /** As an answer of this moment tells it: a new month begins at none. */
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
  const quota = createQuota(control, {
    now,
    countsInvalid: false,
    trialDays: undefined,
    lookupsPerMinute: 120,
  });
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
