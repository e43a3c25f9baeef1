/**
 * Between the sign-in library and the store. The library keeps session tokens as they are and reads the
 * machine's clock; here a session token becomes its digest on the way in, every instant is moved to the clock
 * that was passed in, and what the library lets live longer than we want is cut.
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
    translated(make(options), records, now);
}

function translated(
  inner: DBAdapter<BetterAuthOptions>,
  { guarded }: SignInRecords,
  now: () => Date,
): DBAdapter<BetterAuthOptions> {
  const clock = ourClock(now);
  const inward = <Asked extends { model: string; where?: Where[] | undefined }>(asked: Asked) => {
    const where = asked.where?.map((clause) => translatedClause(asked.model, clause, clock));
    return { ...asked, ...(where ? { where } : {}) };
  };
  /** The library asks by token, so it gets the token back that it asked by. */
  const outward = (row: unknown, { model, where = [] }: { model: string; where?: Where[] }) => {
    const token = where.find(({ field }) => isToken(model, field))?.value;
    const shown = clock.out(row);
    return (shown && token ? { ...(shown as Row), token } : shown) as never;
  };
  const adapter: DBAdapter<BetterAuthOptions> = {
    ...inner,
    create: (asked) =>
      guarded(async () => {
        const token = asked.model === "session" ? (asked.data as Row)["token"] : undefined;
        const row = clock.in(asked.data) as Row;
        await cut(asked.model, row, { now: now(), inner });
        const kept = token === undefined ? row : { ...row, token: digestToken(String(token)) };
        const made = clock.out(await created(asked.model, { ...asked, data: kept }, inner)) as Row;
        return (token === undefined ? made : { ...made, token }) as never;
      }),
    findOne: (asked) => guarded(async () => outward(await inner.findOne(inward(asked)), asked)),
    findMany: (asked) =>
      guarded(async () => (await inner.findMany(inward(asked))).map(clock.out) as never),
    count: (asked) => guarded(() => inner.count(inward(asked))),
    update: (asked) =>
      guarded(async () => {
        const update = clock.in(asked.update) as Row;
        return outward(await inner.update({ ...inward(asked), update }), asked);
      }),
    updateMany: (asked) =>
      guarded(() => inner.updateMany({ ...inward(asked), update: clock.in(asked.update) as Row })),
    delete: (asked) => guarded(() => inner.delete(inward(asked))),
    deleteMany: (asked) => guarded(() => inner.deleteMany(inward(asked))),
    consumeOne: (asked) =>
      guarded(async () => outward(await inner.consumeOne(inward(asked)), asked)),
    incrementOne: (asked) =>
      guarded(async () => {
        const set = asked.set ? { set: clock.in(asked.set) as Row } : {};
        return outward(await inner.incrementOne({ ...inward(asked), ...set }), asked);
      }),
    // SQLite's driver is synchronous: a transaction cannot wait for a promise, so each step stands alone.
    transaction: (steps) => steps(adapter),
  };
  return adapter;
}

/**
 * A token is good as long as its consent, which may be taken back while the token is made. Looked at when the token
 * is there: what is taken back later takes the token along.
 */
async function created(
  model: string,
  asked: Parameters<DBAdapter["create"]>[0],
  inner: DBAdapter<BetterAuthOptions>,
): Promise<unknown> {
  if (!["oauthAccessToken", "oauthRefreshToken"].includes(model)) return inner.create(asked);
  const { userId, clientId } = asked.data as Row as Record<string, string>;
  const where = (fields: Record<string, string | undefined>) =>
    Object.entries(fields).map(([field, value = ""]) => ({ field, value }));
  const findConsent = () =>
    inner.findOne({ model: "oauthConsent", where: where({ userId, clientId }) });
  const made = await inner.create<Row>(asked).catch(async (error: unknown) => {
    // What the row stands on went with the consent.
    if (await findConsent()) throw error;
    return undefined;
  });
  if (made && (await findConsent())) return made;
  if (made) await inner.delete({ model, where: where({ id: String(made["id"]) }) });
  const description = "the grant was taken back";
  throw new APIError("BAD_REQUEST", { error: "invalid_grant", error_description: description });
}

function translatedClause(model: string, clause: Where, clock: Clock): Where {
  const { field, value } = clause;
  const isDigested = isToken(model, field) && typeof value === "string";
  return { ...clause, value: isDigested ? digestToken(value) : (clock.in(value) as typeof value) };
}

type Clock = ReturnType<typeof ourClock>;

const isToken = (model: string, field: string) => model === "session" && field === "token";

/** Moves instants between the machine's clock and ours, at any depth. */
function ourClock(now: () => Date) {
  const shift = (value: unknown, byMs: number): unknown => {
    if (value instanceof Date) return new Date(value.getTime() + byMs);
    if (Array.isArray(value)) return value.map((one) => shift(one, byMs));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shift(one, byMs)]));
  };
  const aheadMs = () => {
    const ms = now().getTime() - Date.now();
    // Usually it is the machine's clock, and the two were read a moment apart.
    return Math.abs(ms) < 1000 ? 0 : ms;
  };
  return {
    in: (value: unknown) => shift(value, aheadMs()),
    out: (value: unknown) => shift(value, -aheadMs()),
  };
}

interface Cutting {
  readonly now: Date;
  readonly inner: DBAdapter<BetterAuthOptions>;
}

/** Shortens the life of what is about to be kept. */
async function cut(model: string, row: Row, { now, inner }: Cutting): Promise<void> {
  const latest = await latestEnd(model, row, { now, inner });
  const { expiresAt } = row;
  if (latest && expiresAt instanceof Date && expiresAt > latest) row["expiresAt"] = latest;
}

async function latestEnd(model: string, row: Row, { now, inner }: Cutting) {
  const after = (start: Date, seconds: number) => new Date(start.getTime() + seconds * 1000);
  if (model === "session") return after(now, lifetimes.sessionRestSeconds);
  if (model === "verification" && String(row["value"]).includes('"authorization_code"')) {
    return after(now, lifetimes.codeSeconds);
  }
  if (model === "oauthRefreshToken") {
    // Each rotation makes a new row; the family ends a fixed time after its first, however often it rotates.
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
