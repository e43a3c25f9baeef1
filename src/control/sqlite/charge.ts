/**
 * The charge: one transaction reads and writes the credential, the account and both windows, so a key that any
 * process replaced a moment ago spends nothing, and no limit is ever exceeded. One Date per batch decides the
 * windows. Calls of one account in one batch share one upsert per window.
 */
import type { Database } from "../../sqlite/database.ts";
import type { CountedCalls } from "../../sqlite/folder/high-water-mark.ts";
import { getStoreErrorCode } from "../../sqlite/store-fault.ts";
import {
  type AccountUsage,
  type ChargedCall,
  type ChargeOutcome,
  type ChargeTerms,
  isExhausted,
  selectLimit,
} from "../control-store.ts";
import { getWindows, pruneBefore, toMinute, type Windows } from "../windows.ts";
import { type ChargedAccountRow, type ChargeRows, prepareChargeRows } from "./charge-rows.ts";

/** @package */
export interface ChargeBatches {
  /** @throws what the store throws; then no call of the batch was counted. */
  charge(batch: readonly ChargedCall[], now: Date, terms: ChargeTerms): ChargeResult;
  usage(accountId: string, now: Date, terms: ChargeTerms): AccountUsage | undefined;
  /** The latest instant this file has seen, to the minute. */
  latestMs(): number;
}

/** @package */
export interface ChargeResult {
  readonly outcomes: readonly ChargeOutcome[];
  /** Set if this batch counted any call. */
  readonly counted: CountedCalls | undefined;
}

/** @package */
export function createChargeBatches(store: Database): ChargeBatches {
  const rows = prepareChargeRows(store);
  const latestMs = () => rows.latest().get()?.latestMs ?? 0;
  const chargeInTransaction = store.sqlite.transaction(
    (batch: readonly ChargedCall[], now: Date, terms: ChargeTerms): ChargeResult => {
      const latest = latestMs();
      const at = Math.max(now.getTime(), latest);
      const state: ChargeState = {
        rows,
        terms,
        at,
        windows: getWindows(at),
        tallies: new Map(),
        credentials: new Map(),
      };
      const outcomes = batch.map((call) => decideOne(call, state));
      const calls = write(state, toMinute(now.getTime()));
      return { outcomes, counted: calls > 0 ? countAll(rows, { calls, at, latest }) : undefined };
    },
  );
  return {
    charge: (batch, now, terms) => chargeInTransaction.immediate(batch, now, terms),
    usage(accountId, now, terms) {
      const at = Math.max(now.getTime(), latestMs());
      const windows = getWindows(at);
      const tally = readTally(accountId, { rows, windows });
      return tally && toAccountUsage(tally, { terms, at, windows });
    },
    latestMs,
  };
}

/** What one charge has read and decided so far; none of it is written yet. */
interface ChargeState {
  readonly rows: ChargeRows;
  readonly terms: ChargeTerms;
  readonly at: number;
  readonly windows: Windows;
  readonly tallies: Map<string, AccountTally>;
  readonly credentials: Map<string, CredentialState>;
}

/** The counts of one account; `month` and `day` already include its `calls` of this batch. */
interface AccountTally {
  readonly account: ChargedAccountRow;
  month: number;
  day: number;
  calls: number;
}

/** A key, a grant or a session, as read in this charge. */
interface CredentialState {
  readonly accountId: string;
  readonly isAlive: boolean;
  readonly lastUsedMs: number | null;
  /** Records the time of use. */
  readonly touch: (minute: number) => void;
  isUsed: boolean;
}

/** A call that cannot be processed fails alone; an error of the store fails the batch. */
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
  if (!tally || tally.account.disabled || !isAuthorized(call, tally.account, state))
    return { result: "unauthorized" };
  const before = toAccountUsage(tally, state);
  if (before.trialEndsMs !== undefined && before.trialEndsMs <= state.at) {
    return { result: "trial-over", usage: before };
  }
  if (isExhausted(before.month) || isExhausted(before.day)) {
    return { result: "exhausted", usage: before };
  }
  tally.month += 1;
  tally.day += 1;
  tally.calls += 1;
  const credential = state.credentials.get(call.credential.id);
  if (credential) credential.isUsed = true;
  return { result: "counted", usage: toAccountUsage(tally, state) };
}

function findTally(accountId: string, state: ChargeState): AccountTally | undefined {
  const known = state.tallies.get(accountId);
  if (known) return known;
  const tally = readTally(accountId, state);
  if (tally) state.tallies.set(accountId, tally);
  return tally;
}

function readTally(
  id: string,
  { rows, windows: { month, day } }: Pick<ChargeState, "rows" | "windows">,
): AccountTally | undefined {
  const account = rows.account().get({ id, month: month.name, day: day.name });
  if (!account) return undefined;
  return { account, month: account.usedInMonth ?? 0, day: account.usedInDay ?? 0, calls: 0 };
}

/** Whether the credential is still valid for the account. */
function isAuthorized(
  { credential }: ChargedCall,
  account: ChargedAccountRow,
  state: ChargeState,
): boolean {
  // The operator's credential is valid for the operator's own account only.
  if (credential.kind === "operator") {
    return account.plan === "operator" && credential.id === account.id;
  }
  let known = state.credentials.get(credential.id);
  if (!known) {
    known = readState[credential.kind](credential.id, state);
    if (!known) return false;
    state.credentials.set(credential.id, known);
  }
  return known.isAlive && known.accountId === account.id;
}

const readState = { key: readKeyState, grant: readGrantState, session: readSessionState } as const;

function readKeyState(id: string, { rows }: ChargeState): CredentialState | undefined {
  const row = rows.key().get({ id });
  if (!row) return undefined;
  const touch = (minute: number) => rows.touchKey().run({ minute, id });
  return { ...row, isAlive: row.revokedMs === null, touch, isUsed: false };
}

function readGrantState(id: string, { rows, at }: ChargeState): CredentialState | undefined {
  const row = rows.grant().get({ id });
  if (!row) return undefined;
  const { accountId, clientId } = row;
  const isAlive = row.revoked === null && row.expiresAt.getTime() > at;
  const touch = (minute: number) => rows.touchConsent().run({ minute, accountId, clientId });
  return { accountId, lastUsedMs: row.lastUsedMs, isAlive, touch, isUsed: false };
}

/** A session's time of use is written when a page is opened, not here. */
function readSessionState(id: string, { rows, at }: ChargeState): CredentialState | undefined {
  const row = rows.session().get({ id });
  if (!row) return undefined;
  const isAlive = row.expiresAt.getTime() > at;
  return { ...row, lastUsedMs: null, isAlive, touch: () => {}, isUsed: false };
}

function toAccountUsage(
  tally: AccountTally,
  { windows, terms, at }: Pick<ChargeState, "windows" | "terms" | "at">,
): AccountUsage {
  const { account } = tally;
  const plan = terms.plans[account.plan];
  if (!plan)
    throw new Error(`account ${account.id} is on plan "${account.plan}", which has no limits`);
  const { trial } = terms;
  return {
    month: {
      window: windows.month,
      used: tally.month,
      limit: selectLimit(account.callsPerMonth, plan.callsPerMonth),
    },
    day: {
      window: windows.day,
      used: tally.day,
      limit: selectLimit(account.callsPerDay, plan.callsPerDay),
    },
    atMs: at,
    trialEndsMs:
      trial && account.plan === trial.plan
        ? account.createdMs + trial.days * 86_400_000
        : undefined,
  };
}

/** @returns how many calls were counted: if none, the commit writes nothing and costs no sync. */
function write({ rows, windows, tallies, credentials }: ChargeState, minute: number): number {
  let calls = 0;
  for (const tally of tallies.values()) {
    if (tally.calls === 0) continue;
    calls += tally.calls;
    count(rows, windows, tally);
  }
  for (const { isUsed, lastUsedMs, touch } of credentials.values()) {
    if (isUsed && lastUsedMs !== minute) touch(minute);
  }
  return calls;
}

/** Compares the stored counts with the decided ones: a count that differs is never committed. */
function count(
  rows: ChargeRows,
  { month, day }: Windows,
  { account: { id }, ...tally }: AccountTally,
): void {
  const counted = rows.count().all({ month: month.name, day: day.name, id, calls: tally.calls });
  for (const { window, used } of counted) {
    const expected = window === month.name ? tally.month : tally.day;
    if (used === expected) continue;
    throw new Error(`usage of ${id} in ${window} came out as ${used}, not ${expected}`);
  }
}

function countAll(
  rows: ChargeRows,
  { calls, at, latest }: { calls: number; at: number; latest: number },
): CountedCalls {
  const counted = rows.countAll().get({ calls, latestMs: toMinute(at) });
  const isNewDay = getWindows(latest).day.name !== getWindows(at).day.name;
  if (isNewDay) rows.prune().run({ before: pruneBefore(at) });
  return { charges: counted?.charges ?? 0, atMs: at };
}
