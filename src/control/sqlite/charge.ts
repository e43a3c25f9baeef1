/**
 * The charge: credential, account and both windows are read and written in one transaction, so a key
 * that was regenerated a moment ago, in whichever process, spends nothing, and no limit is ever passed.
 * One Date per batch decides the windows. Calls of one account in one batch share one upsert per window.
 */
import type { Database } from "../../sqlite/database.ts";
import {
  type AccountUsage,
  type ChargedCall,
  type ChargeOutcome,
  type ChargeTerms,
  selectLimit,
} from "../control-store.ts";
import { type ChargedAccountRow, type ChargeRows, prepareChargeRows } from "./charge-rows.ts";
import { getWindows, pruneBefore, toMinute, type Windows } from "./windows.ts";

/** @package */
export interface ChargeBatches {
  /** @throws whatever the store throws: then nothing of the batch was counted. */
  charge(batch: readonly ChargedCall[], now: Date, terms: ChargeTerms): ChargeResult;
  usage(accountId: string, now: Date, terms: ChargeTerms): AccountUsage | undefined;
  /** The latest instant this file has seen, to the minute. */
  latestMs(): number;
}

/** @package */
export interface ChargeResult {
  readonly outcomes: readonly ChargeOutcome[];
  /** Set when this batch moved `latestMs` on, at most once a minute. */
  readonly movedToMs: number | undefined;
}

/** @package */
export function createChargeBatches(store: Database): ChargeBatches {
  const rows = prepareChargeRows(store);
  const latestMs = () => rows.latest().get()?.latestMs ?? 0;
  const inOneTransaction = store.sqlite.transaction(
    (batch: readonly ChargedCall[], now: Date, terms: ChargeTerms): ChargeResult => {
      const latest = latestMs();
      const at = Math.max(now.getTime(), latest);
      const sheet: ChargeBatch = {
        rows,
        terms,
        at,
        windows: getWindows(at),
        lines: new Map(),
        proofs: new Map(),
      };
      const outcomes = batch.map((call) => decideAlone(call, sheet));
      const isAny = write(sheet, toMinute(now.getTime()));
      return { outcomes, movedToMs: isAny ? rememberTime(rows, { at, latest }) : undefined };
    },
  );
  return {
    charge: (batch, now, terms) => inOneTransaction.immediate(batch, now, terms),
    usage(accountId, now, terms) {
      const at = Math.max(now.getTime(), latestMs());
      const windows = getWindows(at);
      const line = readLine(accountId, { rows, windows });
      return line && usageOf(line, { terms, at, windows });
    },
    latestMs,
  };
}

/** What one batch has read and decided so far; nothing of it is written yet. */
interface ChargeBatch {
  readonly rows: ChargeRows;
  readonly terms: ChargeTerms;
  readonly at: number;
  readonly windows: Windows;
  readonly lines: Map<string, Line>;
  readonly proofs: Map<string, Proof>;
}

/** One account's line on the sheet; `calls` are counted in both `used` already. */
interface Line {
  readonly account: ChargedAccountRow;
  month: number;
  day: number;
  calls: number;
}

/** A key or a grant, as it was found at the charge. */
interface Proof {
  readonly accountId: string;
  readonly isAlive: boolean;
  readonly lastUsedMs: number | null;
  /** Remembers the use. */
  readonly touch: (minute: number) => void;
  isUsed: boolean;
}

/** A call that cannot even be looked at fails by itself; a fault of the store fails the batch. */
function decideAlone(call: ChargedCall, sheet: ChargeBatch): ChargeOutcome {
  try {
    return decide(call, sheet);
  } catch (cause) {
    if (isStoreError(cause)) throw cause;
    return { result: "failed", cause };
  }
}

/** @package Whether SQLite itself failed: drizzle wraps what it threw. */
function isStoreError(thrown: unknown): boolean {
  return getStoreErrorCode(thrown) !== undefined;
}

/** @package SQLite's name of what went wrong, e.g. SQLITE_FULL, SQLITE_IOERR_FSYNC. */
export function getStoreErrorCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && code.startsWith("SQLITE_")) return code;
  }
  return undefined;
}

function decide(call: ChargedCall, sheet: ChargeBatch): ChargeOutcome {
  const line = lineOf(call.accountId, sheet);
  if (!line || line.account.disabled || !proves(call, line.account, sheet))
    return { result: "unauthorized" };
  const before = usageOf(line, sheet);
  if (before.trialEndsMs !== undefined && before.trialEndsMs <= sheet.at) {
    return { result: "trial-over", usage: before };
  }
  const { month, day } = before;
  if (isSpent(month) || isSpent(day)) return { result: "exhausted", usage: before };
  line.month += 1;
  line.day += 1;
  line.calls += 1;
  const proof = sheet.proofs.get(call.credential.id);
  if (proof) proof.isUsed = true;
  return { result: "counted", usage: usageOf(line, sheet) };
}

/** Whether a window has no call left. */
function isSpent({ used, limit }: { used: number; limit: number | undefined }): boolean {
  return limit !== undefined && used >= limit;
}

function lineOf(accountId: string, sheet: ChargeBatch): Line | undefined {
  const known = sheet.lines.get(accountId);
  if (known) return known;
  const line = readLine(accountId, sheet);
  if (line) sheet.lines.set(accountId, line);
  return line;
}

function readLine(
  id: string,
  { rows, windows: { month, day } }: Pick<ChargeBatch, "rows" | "windows">,
): Line | undefined {
  const account = rows.account().get({ id, month: month.name, day: day.name });
  if (!account) return undefined;
  return { account, month: account.usedInMonth ?? 0, day: account.usedInDay ?? 0, calls: 0 };
}

/** Whether the credential still speaks for the account. */
function proves(
  { credential }: ChargedCall,
  account: ChargedAccountRow,
  sheet: ChargeBatch,
): boolean {
  // The program's own credential speaks for the program's own account, and for nobody else's.
  if (credential.kind === "operator") {
    return account.plan === "operator" && credential.id === account.id;
  }
  let proof = sheet.proofs.get(credential.id);
  if (!proof) {
    proof =
      credential.kind === "key" ? readKey(credential.id, sheet) : readGrant(credential.id, sheet);
    if (!proof) return false;
    sheet.proofs.set(credential.id, proof);
  }
  return proof.isAlive && proof.accountId === account.id;
}

function readKey(id: string, { rows }: ChargeBatch): Proof | undefined {
  const row = rows.key().get({ id });
  if (!row) return undefined;
  const touch = (minute: number) => rows.touchKey().run({ minute, id });
  return { ...row, isAlive: row.revokedMs === null, touch, isUsed: false };
}

function readGrant(id: string, { rows, at }: ChargeBatch): Proof | undefined {
  const row = rows.grant().get({ id });
  if (!row) return undefined;
  const { accountId, clientId } = row;
  const isAlive = row.revoked === null && row.expiresAt.getTime() > at;
  const touch = (minute: number) => rows.touchConsent().run({ minute, accountId, clientId });
  return { accountId, lastUsedMs: row.lastUsedMs, isAlive, touch, isUsed: false };
}

function usageOf(
  line: Line,
  { windows, terms, at }: Pick<ChargeBatch, "windows" | "terms" | "at">,
): AccountUsage {
  const { account } = line;
  const plan = terms.plans[account.plan];
  if (!plan)
    throw new Error(`account ${account.id} is on plan "${account.plan}", which has no limits`);
  const { trial } = terms;
  return {
    month: {
      window: windows.month,
      used: line.month,
      limit: selectLimit(account.callsPerMonth, plan.callsPerMonth),
    },
    day: {
      window: windows.day,
      used: line.day,
      limit: selectLimit(account.callsPerDay, plan.callsPerDay),
    },
    atMs: at,
    trialEndsMs:
      trial && account.plan === trial.plan
        ? account.createdMs + trial.days * 86_400_000
        : undefined,
  };
}

/** @returns whether anything was counted: if not, the commit writes nothing and costs no sync. */
function write({ rows, windows, lines, proofs }: ChargeBatch, minute: number): boolean {
  let isAny = false;
  for (const line of lines.values()) {
    if (line.calls === 0) continue;
    isAny = true;
    count(rows, windows, line);
  }
  for (const { isUsed, lastUsedMs, touch } of proofs.values()) {
    if (isUsed && lastUsedMs !== minute) touch(minute);
  }
  return isAny;
}

/** What comes out is compared with what was decided: a count that does not fit is never committed. */
function count(
  rows: ChargeRows,
  { month, day }: Windows,
  { account: { id }, ...line }: Line,
): void {
  const counted = rows.count().all({ month: month.name, day: day.name, id, calls: line.calls });
  for (const { window, used } of counted) {
    const expected = window === month.name ? line.month : line.day;
    if (used === expected) continue;
    throw new Error(`usage of ${id} in ${window} came out as ${used}, not ${expected}`);
  }
}

function rememberTime(rows: ChargeRows, { at, latest }: { at: number; latest: number }) {
  const latestMs = toMinute(at);
  if (latestMs <= latest) return undefined;
  rows.setLatest().run({ latestMs });
  const isNewDay = getWindows(latest).day.name !== getWindows(at).day.name;
  if (isNewDay) rows.prune().run({ before: pruneBefore(at) });
  return latestMs;
}
