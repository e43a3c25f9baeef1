/** The charge: the function of the migrations, called once for a batch; the limits of plans go with it. */
import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../postgres/database.ts";
import {
  type AccountUsage,
  type ChargedCall,
  type ChargeOutcome,
  type ChargeTerms,
  type DailyCalls,
  selectLimit,
} from "../control-store.ts";
import { getWindows } from "../windows.ts";
import { accounts, instance, usage } from "./tables.ts";

/** @package What a batch came to, and the clock that it was counted by. */
export interface ChargeResult {
  readonly outcomes: readonly ChargeOutcome[];
  readonly nowMs: number;
  /** Later than `nowMs` when that clock stepped back. */
  readonly atMs: number;
}

/** As the driver returns them: bigint as text. */
interface ChargedRow {
  readonly result: ChargeOutcome["result"];
  readonly month_used: string;
  readonly month_limit: string | null;
  readonly day_used: string;
  readonly day_limit: string | null;
  readonly trial_ends: string | null;
  readonly now_ms: string;
  readonly at_ms: string;
}

const statement = "SELECT * FROM control.charge($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/** @package @param givenMs the instant to count at; default: by the database's clock. */
export async function countBatch(
  database: PostgresDatabase,
  batch: readonly ChargedCall[],
  terms: ChargeTerms,
  givenMs: number | undefined,
): Promise<ChargeResult> {
  const sent = batch.flatMap((call, index) => (isText(call) ? [{ call, index }] : []));
  const outcomes: ChargeOutcome[] = batch.map(() => ({
    result: "failed",
    cause: new Error("the call names no account or credential"),
  }));
  const calls = sent.map(({ call }) => call);
  const rows = await database.commitOne(() => callFunction(database, calls, terms, givenMs));
  rows.forEach((row, place) => {
    const { index, call } = sent[place] as (typeof sent)[number];
    outcomes[index] = toOutcome(row, call);
  });
  const [first] = rows;
  return { outcomes, nowMs: Number(first?.now_ms ?? 0), atMs: Number(first?.at_ms ?? 0) };
}

/** The others of its batch do not fail with it. */
function isText({ accountId, credential }: ChargedCall): boolean {
  return [accountId, credential.id].every(
    (value) => typeof value === "string" && !value.includes("\0"),
  );
}

async function callFunction(
  { sql: client }: PostgresDatabase,
  calls: readonly ChargedCall[],
  { plans, trial }: ChargeTerms,
  givenMs: number | undefined,
): Promise<readonly ChargedRow[]> {
  const texts = (values: readonly string[]) => client.array([...values], "TEXT");
  const limits = (values: readonly (number | undefined)[]) =>
    client.array(
      values.map((value) => value ?? null),
      "BIGINT",
    );
  const names = Object.keys(plans);
  return client.unsafe(statement, [
    texts(calls.map(({ accountId }) => accountId)),
    texts(calls.map(({ credential }) => credential.kind)),
    texts(calls.map(({ credential }) => credential.id)),
    texts(names),
    limits(names.map((name) => plans[name]?.callsPerMonth)),
    limits(names.map((name) => plans[name]?.callsPerDay)),
    trial?.plan ?? null,
    trial === undefined ? null : trial.days * dayMs,
    givenMs ?? null,
  ]);
}

const dayMs = 86_400_000;

function toOutcome(row: ChargedRow, { accountId }: ChargedCall): ChargeOutcome {
  const { result } = row;
  if (result === "unauthorized") return { result };
  if (result === "failed") {
    return { result, cause: new Error(`account ${accountId} is on a plan that has no limits`) };
  }
  const toLimit = (limit: string | null) => (limit === null ? undefined : Number(limit));
  const atMs = Number(row.at_ms);
  const { month, day } = getWindows(atMs);
  return {
    result,
    usage: {
      month: { window: month, used: Number(row.month_used), limit: toLimit(row.month_limit) },
      day: { window: day, used: Number(row.day_used), limit: toLimit(row.day_limit) },
      trialEndsMs: toLimit(row.trial_ends),
      atMs,
    },
  };
}

/** @package The database's clock and the latest instant that calls were counted at, to the minute. */
export async function readClock(
  statements: Statements,
): Promise<{ readonly nowMs: number; readonly latestMs: number }> {
  const nowMs = sql<string>`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
  const [row] = await statements.select({ nowMs, latestMs: instance.latestMs }).from(instance);
  return { nowMs: Number(row?.nowMs ?? 0), latestMs: row?.latestMs ?? 0 };
}

/** @package In the order of the accounts. */
export async function readUsages(
  statements: Statements,
  ids: readonly string[],
  terms: ChargeTerms,
  givenMs: number | undefined,
): Promise<readonly (AccountUsage | undefined)[]> {
  const { nowMs, latestMs } = await readClock(statements);
  const atMs = Math.max(givenMs ?? nowMs, latestMs);
  const windows = getWindows(atMs);
  const names = [windows.month.name, windows.day.name];
  const rows = await statements
    .select({ account: accounts, window: usage.window, used: usage.used })
    .from(accounts)
    .leftJoin(usage, and(eq(usage.accountId, accounts.id), inArray(usage.window, names)))
    .where(inArray(accounts.id, [...ids]));
  const byAccount = Map.groupBy(rows, ({ account }) => account.id);
  return ids.map((id) => {
    const found = byAccount.get(id);
    if (!found?.[0]) return undefined;
    const usedIn = (window: string) => found.find((row) => row.window === window)?.used ?? 0;
    return toAccountUsage(found[0].account, usedIn, { terms, windows, atMs });
  });
}

function toAccountUsage(
  account: typeof accounts.$inferSelect,
  usedIn: (window: string) => number,
  at: {
    readonly terms: ChargeTerms;
    readonly windows: ReturnType<typeof getWindows>;
    readonly atMs: number;
  },
): AccountUsage {
  const { terms, windows, atMs } = at;
  const plan = terms.plans[account.plan];
  if (!plan)
    throw new Error(`account ${account.id} is on plan "${account.plan}", which has no limits`);
  const { trial } = terms;
  const count = (
    window: (typeof windows)["month"],
    own: number | null,
    planned: number | undefined,
  ) => ({ window, used: usedIn(window.name), limit: selectLimit(own, planned) });
  return {
    month: count(windows.month, account.callsPerMonth, plan.callsPerMonth),
    day: count(windows.day, account.callsPerDay, plan.callsPerDay),
    trialEndsMs: trial?.plan === account.plan ? account.createdMs + trial.days * dayMs : undefined,
    atMs,
  };
}

/** @package By day, then account. */
export function listDailyCalls(
  statements: Statements,
  since: string,
): Promise<readonly DailyCalls[]> {
  const isDay = sql`length(${usage.window}) = 10`;
  return statements
    .select({ day: usage.window, accountId: usage.accountId, calls: usage.used })
    .from(usage)
    .where(and(gte(usage.window, since), isDay))
    .orderBy(asc(usage.window), asc(usage.accountId));
}
