/**
 * Connects the sign-in library to the store. The adapter stores digests of session tokens, uses the given clock instead of the
 * machine's, and shortens lifetimes to Roster's.
 */
import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import type { SignInRecords } from "../../control/sign-in-store.ts";
import { digestToken, lifetimes } from "../sign-in/tokens.ts";

type Row = Record<string, unknown>;

export function createRecordsAdapter(records: SignInRecords, now: () => Date) {
  const make = drizzleAdapter(records.database, {
    provider: records.provider,
    schema: records.tables,
  });
  return (options: BetterAuthOptions): DBAdapter<BetterAuthOptions> =>
    translateQueries(make(options), records, now);
}

function translateQueries(
  inner: DBAdapter<BetterAuthOptions>,
  { guarded }: SignInRecords,
  now: () => Date,
): DBAdapter<BetterAuthOptions> {
  const clock = createClockShift(now);
  const inward = <Query extends { model: string; where?: Where[] | undefined }>(query: Query) => {
    const where = query.where?.map((clause) => translateClause(query.model, clause, clock));
    return { ...query, ...(where ? { where } : {}) };
  };
  /** Converts a stored row for the library. The token that the library searched for replaces the stored digest. */
  const outward = (row: unknown, { model, where = [] }: { model: string; where?: Where[] }) => {
    const token = where.find(({ field }) => isToken(model, field))?.value;
    const moved = clock.out(row);
    return (moved && token ? { ...(moved as Row), token } : moved) as never;
  };
  const adapter: DBAdapter<BetterAuthOptions> = {
    ...inner,
    create: (query) =>
      guarded(async () => {
        const token = query.model === "session" ? (query.data as Row)["token"] : undefined;
        const row = clock.in(query.data) as Row;
        await cutLifetime(query.model, row, now(), inner);
        const data = token === undefined ? row : { ...row, token: digestToken(String(token)) };
        const created = clock.out(await createRow(query.model, { ...query, data }, inner)) as Row;
        return (token === undefined ? created : { ...created, token }) as never;
      }),
    findOne: (query) => guarded(async () => outward(await inner.findOne(inward(query)), query)),
    findMany: (query) =>
      guarded(async () => (await inner.findMany(inward(query))).map(clock.out) as never),
    count: (query) => guarded(() => inner.count(inward(query))),
    update: (query) =>
      guarded(async () => {
        const update = clock.in(query.update) as Row;
        return outward(await inner.update({ ...inward(query), update }), query);
      }),
    updateMany: (query) =>
      guarded(() => inner.updateMany({ ...inward(query), update: clock.in(query.update) as Row })),
    delete: (query) => guarded(() => inner.delete(inward(query))),
    deleteMany: (query) => guarded(() => inner.deleteMany(inward(query))),
    consumeOne: (query) =>
      guarded(async () => outward(await inner.consumeOne(inward(query)), query)),
    incrementOne: (query) =>
      guarded(async () => {
        const set = query.set ? { set: clock.in(query.set) as Row } : {};
        return outward(await inner.incrementOne({ ...inward(query), ...set }), query);
      }),
    // Each step commits by itself, because SQLite's driver cannot keep a transaction open for a promise.
    transaction: (steps) => steps(adapter),
  };
  return adapter;
}

/** Stores a row. If the row is a token and the user has withdrawn the consent meanwhile, the token is deleted again. */
async function createRow(
  model: string,
  query: Parameters<DBAdapter["create"]>[0],
  inner: DBAdapter<BetterAuthOptions>,
): Promise<unknown> {
  if (!["oauthAccessToken", "oauthRefreshToken"].includes(model)) return inner.create(query);
  const { userId, clientId } = query.data as Row as Record<string, string>;
  const where = (fields: Record<string, string | undefined>) =>
    Object.entries(fields).map(([field, value = ""]) => ({ field, value }));
  const findConsent = () =>
    inner.findOne({ model: "oauthConsent", where: where({ userId, clientId }) });
  const made = await inner.create<Row>(query).catch(async (error: unknown) => {
    // If the consent is gone, the insert failed because its withdrawal deleted rows that the token needs.
    if (await findConsent()) throw error;
    return undefined;
  });
  if (made && (await findConsent())) return made;
  if (made) await inner.delete({ model, where: where({ id: String(made["id"]) }) });
  const description = "the user has withdrawn the consent";
  throw new APIError("BAD_REQUEST", { error: "invalid_grant", error_description: description });
}

function translateClause(model: string, clause: Where, clock: ClockShift): Where {
  const { field, value } = clause;
  const isDigested = isToken(model, field) && typeof value === "string";
  return { ...clause, value: isDigested ? digestToken(value) : (clock.in(value) as typeof value) };
}

type ClockShift = ReturnType<typeof createClockShift>;

const isToken = (model: string, field: string) => model === "session" && field === "token";

/** Shifts the times in a value between the machine's clock and the given clock. */
function createClockShift(now: () => Date) {
  const shift = (value: unknown, byMs: number): unknown => {
    if (value instanceof Date) return new Date(value.getTime() + byMs);
    if (Array.isArray(value)) return value.map((one) => shift(one, byMs));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shift(one, byMs)]));
  };
  const aheadMs = () => {
    const ms = now().getTime() - Date.now();
    // The two clocks are read at slightly different times, so a small difference does not count.
    return Math.abs(ms) < 1000 ? 0 : ms;
  };
  return {
    in: (value: unknown) => shift(value, aheadMs()),
    out: (value: unknown) => shift(value, -aheadMs()),
  };
}

type Adapter = DBAdapter<BetterAuthOptions>;

/** Shortens the lifetime of a new row to Roster's limit. */
async function cutLifetime(model: string, row: Row, now: Date, inner: Adapter): Promise<void> {
  const latest = await findLatestEnd(model, row, now, inner);
  const { expiresAt } = row;
  if (latest && expiresAt instanceof Date && expiresAt > latest) row["expiresAt"] = latest;
}

async function findLatestEnd(model: string, row: Row, now: Date, inner: Adapter) {
  const after = (start: Date, seconds: number) => new Date(start.getTime() + seconds * 1000);
  if (model === "session") return after(now, lifetimes.sessionRestSeconds);
  if (model === "verification" && String(row["value"]).includes('"authorization_code"')) {
    return after(now, lifetimes.codeSeconds);
  }
  if (model === "oauthRefreshToken") {
    // Each refresh stores a new token. All tokens of a grant end at the same time, counted from the grant's first token.
    const value = row["authorizationCodeId"] as string;
    const [first] = await inner.findMany<{ createdAt: Date }>({
      model,
      where: [{ field: "authorizationCodeId", value }],
      sortBy: { field: "createdAt", direction: "asc" },
      limit: 1,
    });
    return after(first?.createdAt ?? now, lifetimes.grantSeconds);
  }
  return undefined;
}
