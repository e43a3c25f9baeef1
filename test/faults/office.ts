import { join } from "node:path";
import { type Accounts, openAccounts } from "../../src/accounts/accounts.ts";
import type { QuotaUsage } from "../../src/contract/envelope.ts";
import { createQuota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

/** A second process's look into a folder that a server has open, as an administrator's command has it. */
export interface Office {
  readonly accounts: Accounts;
  usedBy(email: string): Promise<QuotaUsage>;
  close(): void;
}

export async function openOffice(folder: string): Promise<Office> {
  const control = openSqliteControlStore(join(folder, "control.db"));
  const now = () => new Date();
  const accounts = await openAccounts(control, { now });
  const quota = createQuota(control, {
    now,
    countsInvalid: false,
    trialDays: undefined,
    lookupsPerMinute: 120,
  });
  return {
    accounts,
    usedBy: async (email) => {
      const account = await accounts.find(email);
      if (!account) throw new Error(`${email} is gone`);
      return (await quota.usage({ accountId: account.id })).quota;
    },
    close: control.close,
  };
}
