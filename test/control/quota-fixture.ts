import type { Accounts, NewAccount } from "../../src/accounts/accounts.ts";
import { openAccounts } from "../../src/accounts/accounts.ts";
import type { Caller } from "../../src/contract/caller.ts";
import type { ControlEvents, ControlStore } from "../../src/control/control-store.ts";
import { createQuota, type Quota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

/** Accounts and quota as the appliance wires them, on a clock that the test sets. */
export interface QuotaFixture {
  readonly control: ControlStore;
  readonly accounts: Accounts;
  readonly quota: Quota;
  /** Sets the clock, ISO 8601. */
  setClock(instant: string): void;
  /** A caller holding the key of a new account. */
  newCaller(account?: Partial<NewAccount>): Promise<Caller & { readonly email: string }>;
  /** `used` after each of so many calls at once; a refusal is its Problem's code. */
  chargeAtOnce(caller: Caller, calls: number): Promise<(number | string)[]>;
}

export type OpenControl = (
  place: string,
  events?: ControlEvents,
) => ControlStore | Promise<ControlStore>;
export type OpenQuotaFixture = (options?: CountingOptions) => Promise<QuotaFixture>;

export interface CountingOptions {
  readonly path?: string;
  readonly instant?: string;
  readonly trialDays?: number;
  readonly events?: ControlEvents;
}

/** Over SQLite. */
export const openQuotaFixture = countingRoomOver(openSqliteControlStore);

export function countingRoomOver(openControl: OpenControl): OpenQuotaFixture {
  return (options = {}) => openRoom(openControl, options);
}

async function openRoom(openControl: OpenControl, options: CountingOptions): Promise<QuotaFixture> {
  const { path = ":memory:", instant = "2026-11-21T12:00:00Z", trialDays, events } = options;
  let clock = Date.parse(instant);
  const now = () => new Date(clock);
  const control = await openControl(path, events);
  const accounts = await openAccounts(control, { now });
  const quota = createQuota(control, {
    now,
    terms: () => ({ countInvalid: false, trialDays, lookupsPerMinute: 120 }),
  });
  let made = 0;
  return {
    control,
    accounts,
    quota,
    setClock: (to) => {
      clock = Date.parse(to);
    },
    newCaller: async (account) => {
      made += 1;
      const email = `caller-${made}@example.com`;
      const { key } = await accounts.create({ email, plan: "pro", ...account });
      const identity = await accounts.authenticate(key);
      if (!identity) throw new Error("a fresh key was not accepted");
      return { ...identity, requestId: `req_${made}`, email };
    },
    chargeAtOnce: async (caller, calls) => {
      const charges = Array.from({ length: calls }, () => quota.charge(caller));
      const settled = await Promise.allSettled(charges);
      return settled.map((outcome) =>
        outcome.status === "fulfilled" ? outcome.value.quota.used : outcome.reason.code,
      );
    },
  };
}

/** The Problem that a promise is rejected with. */
export async function refusalOf(call: Promise<unknown>): Promise<{
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
}> {
  return call.then(
    () => {
      throw new Error("the call was not refused");
    },
    (problem) => problem,
  );
}
