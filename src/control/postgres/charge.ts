/** Charges calls in PostgreSQL, by the SQL function `control.charge` of the migrations. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { isAnyOf } from "../../postgres/column-types.ts";
import type { PostgresDatabase } from "../../postgres/database.ts";
import { fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import { getAccountLimits } from "../account-limits.ts";
import type {
  AccountUsage,
  ChargedCall,
  ChargeOutcome,
  ChargeTerms,
  KeyHolder,
} from "../control-store.ts";
import { getWindows, repeatableMs } from "../windows.ts";
import { tables } from "./tables.ts";

const { accounts, instance, keys, usage } = tables;

/** @package The outcomes of a batch, and the time at which it was counted. */
export interface ChargeResult {
  readonly outcomes: readonly ChargeOutcome[];
  readonly nowMs: number;
  /** The instant at which the calls were counted. It is later than `nowMs` if the clock stepped back. */
  readonly atMs: number;
}

/** A row as the driver returns it. A bigint is a text. */
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

/** @package @param givenMs the instant to count at. Without it, the database's clock is used. */
export async function countBatch(
  database: PostgresDatabase,
  batch: readonly ChargedCall[],
  terms: ChargeTerms,
  givenMs: number | undefined,
): Promise<ChargeResult> {
  const cause = new Error("the call names no account or credential");
  const outcomes: ChargeOutcome[] = batch.map(() => ({ result: "failed", cause }));
  let latest: ChargedRow | undefined;
  const count = async (some: readonly [number, ChargedCall][], countCalls: typeof countPlain) => {
    const calls = some.map(([, call]) => call);
    const rows = await database.commitOne(() => countCalls(calls, { database, terms, givenMs }));
    for (const [at, [place, call]] of some.entries()) {
      latest = rows[at] as ChargedRow;
      outcomes[place] = toOutcome(latest, call);
    }
  };
  const sent = [...batch.entries()].filter(([, call]) => isText(call));
  const plain = sent.filter(([, call]) => isPlain(call));
  if (plain.length > 0) await count(plain, countPlain);
  const special = sent.filter(([, call]) => !isPlain(call));
  const countOne = (one: [number, ChargedCall]) =>
    count([one], countSpecial).catch((cause) => {
      // The other calls of the batch may be counted already.
      outcomes[one[0]] = { result: "failed", cause };
    });
  await Promise.all(special.map(countOne));
  return { outcomes, nowMs: Number(latest?.now_ms ?? 0), atMs: Number(latest?.at_ms ?? 0) };
}

/** Whether the call costs one call and has no Idempotency-Key. All such calls of a batch are counted by one statement. */
function isPlain({ calls = 1, repeatable }: ChargedCall): boolean {
  return calls === 1 && repeatable === undefined;
}

/** Whether PostgreSQL accepts the ids as text. A single rejected id would make the whole batch fail. */
function isText({ accountId, credential }: ChargedCall): boolean {
  return [accountId, credential.id].every(
    (value) => typeof value === "string" && !value.includes("\0"),
  );
}

interface Counting {
  readonly database: PostgresDatabase;
  readonly terms: ChargeTerms;
  readonly givenMs: number | undefined;
}

async function countPlain(
  calls: readonly ChargedCall[],
  counting: Counting,
): Promise<readonly ChargedRow[]> {
  const { sql: client } = counting.database;
  const texts = (values: readonly string[]) => client.array([...values], "TEXT");
  return client.unsafe("SELECT * FROM control.charge($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
    texts(calls.map(({ accountId }) => accountId)),
    texts(calls.map(({ credential }) => credential.kind)),
    texts(calls.map(({ credential }) => credential.id)),
    ...listTerms(counting),
  ]);
}

const statementOfOne =
  "SELECT * FROM control.charge_call($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

async function countSpecial(
  [call]: readonly ChargedCall[],
  counting: Counting,
): Promise<readonly ChargedRow[]> {
  const { accountId, credential, calls = 1, repeatable } = call as ChargedCall;
  const { key = null, request = null } = repeatable ?? {};
  return counting.database.sql.unsafe(statementOfOne, [
    ...[accountId, credential.kind, credential.id, calls, key, request, repeatableMs],
    ...listTerms(counting),
  ]);
}

/** Lists the parameters that both functions have. */
function listTerms({ database: { sql: client }, terms: { plans, trial }, givenMs }: Counting) {
  const limits = (values: readonly (number | undefined)[]) =>
    client.array(
      values.map((value) => value ?? null),
      "BIGINT",
    );
  const names = Object.keys(plans);
  return [
    client.array(names, "TEXT"),
    limits(names.map((name) => plans[name]?.callsPerMonth)),
    limits(names.map((name) => plans[name]?.callsPerDay)),
    trial?.plan ?? null,
    trial === undefined ? null : trial.days * dayMs,
    givenMs ?? null,
  ];
}

const dayMs = 86_400_000;

function toOutcome(row: ChargedRow, { accountId }: ChargedCall): ChargeOutcome {
  const { result } = row;
  if (result === "unauthorized" || result === "other-request") return { result };
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

/** The database's clock at the start of the statement. Every use in one statement has the same value. */
const nowMs = sql<string>`floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint`;

/** @package Returns the time of the database's clock, and the time of the last counted call. */
export function* readClock(
  queries: Queries,
): Work<{ readonly nowMs: number; readonly latestMs: number }> {
  const clock = { nowMs, latestMs: instance.latestMs };
  const row = yield* fetchRow(queries.select(clock).from(instance));
  return { nowMs: Number(row?.nowMs ?? 0), latestMs: row?.latestMs ?? 0 };
}

/** @package Returns the holder of the key with each digest. */
export function* findHolders(
  queries: Queries,
  digests: readonly Uint8Array[],
): Work<readonly (KeyHolder | undefined)[]> {
  const wanted = digests.map((digest) => Buffer.from(digest));
  const isActive = and(isAnyOf(keys.digest, wanted, "BYTEA"), isNull(keys.revokedMs));
  const holder = { keyId: keys.id, accountId: keys.accountId, plan: accounts.plan };
  const rows = yield* fetchRows(
    queries
      .select({ digest: keys.digest, ...holder })
      .from(keys)
      .innerJoin(accounts, and(eq(accounts.id, keys.accountId), eq(accounts.disabled, false)))
      .where(isActive),
  );
  const found = new Map(
    rows.map(({ digest, ...holder }) => [Buffer.from(digest).toString("hex"), holder]),
  );
  return wanted.map((digest) => found.get(digest.toString("hex")));
}

/** @package A query of the usage of one account at `givenMs`, or by default at the database's current time. */
export interface UsageQuery {
  readonly id: string;
  readonly givenMs: number | undefined;
  readonly terms: ChargeTerms;
}

/** @package Returns the accounts' usages in the order of the queries. */
export function* readUsages(
  queries: Queries,
  wanted: readonly UsageQuery[],
): Work<readonly (AccountUsage | undefined)[]> {
  const ids = [...new Set(wanted.map(({ id }) => id))];
  // Only tests give an instant, the same to all queries of a batch.
  const rows = yield* fetchRows(selectUsages(queries, ids, wanted[0]?.givenMs));
  const found = Map.groupBy(rows, ({ account }) => account.id);
  return wanted.map(({ id, terms }) => toAccountUsage(found.get(id) ?? [], terms));
}

type UsageRow = ReturnType<ReturnType<typeof selectUsages>["all"]>[number];

function selectUsages(queries: Queries, ids: readonly string[], givenMs: number | undefined) {
  const given = givenMs === undefined ? nowMs : sql`${givenMs}::bigint`;
  const atMs = sql<string>`greatest(${given}, ${instance.latestMs})`;
  const nameOf = (form: string) => sql`to_char(control.to_utc(${atMs}), ${form})`;
  const isCurrent = sql`${usage.window} IN (${nameOf("YYYY-MM")}, ${nameOf("YYYY-MM-DD")})`;
  return queries
    .select({ account: accounts, atMs, window: usage.window, used: usage.used })
    .from(instance)
    .innerJoin(accounts, isAnyOf(accounts.id, ids))
    .leftJoin(usage, and(eq(usage.accountId, accounts.id), isCurrent));
}

function toAccountUsage(rows: readonly UsageRow[], terms: ChargeTerms): AccountUsage | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const atMs = Number(first.atMs);
  const { month, day } = getWindows(atMs);
  const limits = getAccountLimits(first.account, terms);
  const countUsed = ({ name }: { readonly name: string }) =>
    rows.find((row) => row.window === name)?.used ?? 0;
  return {
    month: { window: month, used: countUsed(month), limit: limits.month },
    day: { window: day, used: countUsed(day), limit: limits.day },
    trialEndsMs: limits.trialEndsMs,
    atMs,
  };
}
