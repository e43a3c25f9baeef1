import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../sqlite/database.ts";
import type { DailyCalls } from "../control-store.ts";
import { prepareGrantRows } from "./sign-in/grant-rows.ts";
import { prepareSessionRow } from "./sign-in/session-rows.ts";
import { accounts, instance, keys, usage } from "./tables.ts";

/** @package The statements of a charge, each prepared once: this is the hot path. */
export function prepareChargeRows(store: Database) {
  const { orm } = store;
  const { placeholder } = sql;
  // One subquery each, not joins: SQLite took ten times as long for two left joins.
  const usedIn = (window: "month" | "day") => {
    const isMeant = and(
      eq(usage.window, placeholder(window)),
      eq(usage.accountId, placeholder("id")),
    );
    return sql<number | null>`(${orm.select({ used: usage.used }).from(usage).where(isMeant)})`;
  };
  return {
    ...prepareGrantRows(store),
    session: prepareSessionRow(store),
    latest: prepareOnce(() => orm.select({ latestMs: instance.latestMs }).from(instance)),
    account: prepareOnce(() =>
      orm
        .select({
          id: accounts.id,
          plan: accounts.plan,
          disabled: accounts.disabled,
          callsPerMonth: accounts.callsPerMonth,
          callsPerDay: accounts.callsPerDay,
          createdMs: accounts.createdMs,
          usedInMonth: usedIn("month"),
          usedInDay: usedIn("day"),
        })
        .from(accounts)
        .where(eq(accounts.id, placeholder("id"))),
    ),
    key: prepareOnce(() =>
      orm
        .select({
          accountId: keys.accountId,
          revokedMs: keys.revokedMs,
          lastUsedMs: keys.lastUsedMs,
        })
        .from(keys)
        .where(eq(keys.id, placeholder("id"))),
    ),
    count: prepareOnce(() =>
      orm
        .insert(usage)
        .values(
          (["month", "day"] as const).map((window) => ({
            window: placeholder(window),
            accountId: placeholder("id"),
            used: placeholder("calls"),
          })),
        )
        .onConflictDoUpdate({
          target: [usage.window, usage.accountId],
          set: { used: sql`${usage.used} + excluded.used` },
        })
        .returning({ window: usage.window, used: usage.used }),
    ),
    touchKey: prepareOnce(() =>
      orm
        .update(keys)
        .set({ lastUsedMs: sql`${placeholder("minute")}` })
        .where(eq(keys.id, placeholder("id"))),
    ),
    countAll: prepareCountAll(store),
    prune: prepareOnce(() => orm.delete(usage).where(lt(usage.window, placeholder("before")))),
  };
}

/** Counts the calls of all accounts, for the high-water mark. */
function prepareCountAll({ orm }: Database) {
  return prepareOnce(() =>
    orm
      .update(instance)
      .set({
        charges: sql`${instance.charges} + ${sql.placeholder("calls")}`,
        latestMs: sql`max(${instance.latestMs}, ${sql.placeholder("latestMs")})`,
      })
      .returning({ charges: instance.charges }),
  );
}

/** @package */
export type ChargeRows = ReturnType<typeof prepareChargeRows>;
/** @package */
export type ChargedAccountRow = NonNullable<ReturnType<ReturnType<ChargeRows["account"]>["get"]>>;

/** @package By day, then account. */
export function listDailyCalls({ orm }: Database, since: string): readonly DailyCalls[] {
  const isDay = sql`length(${usage.window}) = 10`;
  return orm
    .select({ day: usage.window, accountId: usage.accountId, calls: usage.used })
    .from(usage)
    .where(and(gte(usage.window, since), isDay))
    .orderBy(asc(usage.window), asc(usage.accountId))
    .all();
}
