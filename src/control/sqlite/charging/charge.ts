/**
 * Charges calls. Each batch is read, decided and counted in one transaction, so no limit is ever exceeded and no revoked key is
 * used.
 */
import type { Database } from "../../../sqlite/database.ts";
import type { CountedCalls } from "../../../sqlite/folder/high-water-mark.ts";
import { getStoreErrorCode } from "../../../sqlite/store-fault.ts";
import { type AccountLimits, getAccountLimits } from "../../account-limits.ts";
import {
  type AccountUsage,
  type ChargedCall,
  type ChargeOutcome,
  type ChargeTerms,
  isExhausted,
  type KeyHolder,
} from "../../control-store.ts";
import { pruneBefore, toMinute, type Windows } from "../../windows.ts";
import {
  type ChargedAccountRow,
  type ChargeRows,
  type CredentialRow,
  prepareChargeRows,
} from "./charge-rows.ts";
import { createKnownRows, type KnownRows, type WrittenRows } from "./known-rows.ts";

/** @package */
export interface ChargeResult {
  readonly outcomes: readonly ChargeOutcome[];
  /** The calls that this batch counted. `undefined` means none. */
  readonly counted: CountedCalls | undefined;
  /** The time of the last counted call before this batch. */
  readonly latestMs: number;
}

export function createChargeBatches(store: Database) {
  const rows = prepareChargeRows(store);
  const known = createKnownRows(store, rows);
  const chargeInTransaction = store.sqlite.transaction(
    (batch: readonly ChargedCall[], now: Date, terms: ChargeTerms) => {
      known.check("now");
      const { latestMs } = known.instance();
      const at = Math.max(now.getTime(), latestMs);
      const windows = known.windows(at);
      const state: ChargeState = {
        ...{ rows, known, terms, at, windows },
        tallies: new Map(),
        used: new Set(),
      };
      const outcomes = batch.map((call) => decideOne(call, state));
      const written = write(state, now);
      const counted = written && { charges: written.instance.charges, atMs: at };
      const result: ChargeResult = { outcomes, counted, latestMs };
      return { result, remember: written && known.replace(written) };
    },
  );
  return {
    /** @throws the store's error. Then no call of the batch was counted. */
    charge(batch: readonly ChargedCall[], now: Date, terms: ChargeTerms): ChargeResult {
      const { result, remember } = chargeInTransaction.immediate(batch, now, terms);
      remember?.();
      return result;
    },
    usages(
      accountIds: readonly string[],
      now: Date,
      terms: ChargeTerms,
    ): readonly (AccountUsage | undefined)[] {
      known.check("once a turn");
      const at = Math.max(now.getTime(), known.instance().latestMs);
      const windows = known.windows(at);
      return accountIds.map((id) => {
        const account = known.account(id, windows);
        return account && toAccountUsage(createTally(account, terms), { at, windows });
      });
    },
    findKeys(digests: readonly Uint8Array[]): readonly (KeyHolder | undefined)[] {
      known.check("once a turn");
      return digests.map(known.holder);
    },
    /** Returns the time of the last counted call. */
    latestMs(): number {
      known.check("now");
      return known.instance().latestMs;
    },
  };
}

/** What is known and decided about a batch before anything is written. */
interface ChargeState {
  readonly rows: ChargeRows;
  readonly known: KnownRows;
  readonly terms: ChargeTerms;
  readonly at: number;
  readonly windows: Windows;
  readonly tallies: Map<string, AccountTally>;
  /** The credentials of the counted calls. */
  readonly used: Set<CredentialRow>;
}

/** An account's counts during one charge. The counts of the month and the day include the `calls` of this batch. */
interface AccountTally {
  readonly account: ChargedAccountRow;
  readonly limits: AccountLimits;
  month: number;
  day: number;
  calls: number;
}

/** Decides one call. An error of the store fails the batch, and any other error fails only this call. */
function decideOne(call: ChargedCall, state: ChargeState): ChargeOutcome {
  try {
    return decide(call, state);
  } catch (cause) {
    if (getStoreErrorCode(cause) !== undefined) throw cause;
    return { result: "failed", cause };
  }
}

function decide(call: ChargedCall, state: ChargeState): ChargeOutcome {
  const tally = findTally(call.accountId, state);
  if (!tally || tally.account.isDisabled) return { result: "unauthorized" };
  const credential = findCredential(call, tally.account, state);
  if (!credential) return { result: "unauthorized" };
  const before = toAccountUsage(tally, state);
  const { calls = 1, repeatable, accountId } = call;
  const request = repeatable && state.rows.repeated(accountId, repeatable.key, state.at);
  if (repeatable && request) {
    const isSame = Buffer.compare(request, repeatable.request) === 0;
    return isSame ? { result: "repeated", usage: before } : { result: "other-request" };
  }
  if (before.trialEndsMs !== undefined && before.trialEndsMs <= state.at) {
    return { result: "trial-over", usage: before };
  }
  if (isExhausted(before.month, calls) || isExhausted(before.day, calls)) {
    return { result: "exhausted", usage: before };
  }
  tally.month += calls;
  tally.day += calls;
  tally.calls += calls;
  if (credential !== "operator") state.used.add(credential);
  if (repeatable) state.rows.addCallKey(accountId, repeatable, state.at);
  return { result: "counted", usage: toAccountUsage(tally, state) };
}

function findTally(accountId: string, state: ChargeState): AccountTally | undefined {
  const found = state.tallies.get(accountId);
  if (found) return found;
  const account = state.known.account(accountId, state.windows);
  if (!account) return undefined;
  const tally = createTally(account, state.terms);
  state.tallies.set(accountId, tally);
  return tally;
}

function createTally(account: ChargedAccountRow, terms: ChargeTerms): AccountTally {
  const { usedInMonth: month, usedInDay: day } = account;
  return { account, limits: getAccountLimits(account, terms), month, day, calls: 0 };
}

/** @returns the credential, if it is still valid for the account. */
function findCredential(
  { credential: { kind, id } }: ChargedCall,
  account: ChargedAccountRow,
  { known, at }: ChargeState,
): CredentialRow | "operator" | undefined {
  // The operator's credential is valid for the operator's own account only.
  if (kind === "operator") {
    return account.plan === "operator" && id === account.id ? "operator" : undefined;
  }
  const row = known.credential(kind, id);
  const isAlive = row && !row.isRevoked && row.endsMs > at && row.accountId === account.id;
  return isAlive ? row : undefined;
}

function toAccountUsage(
  { limits, month, day }: AccountTally,
  { windows, at }: Pick<ChargeState, "windows" | "at">,
): AccountUsage {
  return {
    month: { window: windows.month, used: month, limit: limits.month },
    day: { window: windows.day, used: day, limit: limits.day },
    atMs: at,
    trialEndsMs: limits.trialEndsMs,
  };
}

/** @returns the written rows. `undefined` means that no call was counted. */
function write(
  { rows, known, windows, tallies, used, at }: ChargeState,
  now: Date,
): WrittenRows | undefined {
  const accounts: ChargedAccountRow[] = [];
  const before = known.instance();
  let { charges } = before;
  for (const { account, month, day, calls } of tallies.values()) {
    if (calls === 0) continue;
    charges += calls;
    rows.count({ id: account.id, calls, month, day }, windows);
    accounts.push({ ...account, usedInMonth: month, usedInDay: day });
  }
  if (accounts.length === 0) return undefined;
  const instance = { charges, latestMs: Math.max(before.latestMs, toMinute(at)) };
  rows.countAll(instance);
  const minute = toMinute(now.getTime());
  const credentials = [...used]
    .filter(({ lastUsedMs }) => lastUsedMs !== minute)
    .map((row) => ({ ...row, lastUsedMs: minute }));
  for (const row of credentials) rows.noteUse(row);
  const isNewDay = before.latestMs < windows.day.startsMs;
  if (isNewDay) rows.prune(pruneBefore(at));
  return { instance, accounts, credentials };
}
