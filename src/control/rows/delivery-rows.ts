import {
  and,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  like,
  lte,
  min,
  notInArray,
} from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  type DeliveryTarget,
  deadMax,
  type ListedTarget,
  type NewEvent,
  namedPrefix,
  searchMailTarget,
  waitingMax,
} from "../delivery-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** Stores webhooks, and what waits for them. Nodes share the work: one of them claims each delivery. */
export function createDeliveryRows(context: RowsContext) {
  return { ...createTargetRows(context), ...createQueueRows(context) };
}

type Told = Partial<Pick<DeliveryTarget, "told" | "notices">>;

function createTargetRows({ tables, read, transact }: RowsContext) {
  const { targets, deliveries } = tables;
  return {
    /** Lists the targets, the oldest first. */
    listTargets: (): Promise<readonly ListedTarget[]> =>
      read(function* (queries) {
        const { targetId, dueMs } = deliveries;
        const counts = queries
          .select({ targetId, all: count(), waiting: count(dueMs), dueMs: min(dueMs) })
          .from(deliveries)
          .groupBy(targetId);
        const counted = new Map((yield* fetchRows(counts)).map((row) => [row.targetId, row]));
        const rows = yield* fetchRows(queries.select().from(targets).orderBy(targets.id));
        return rows.map((target) => {
          const { all = 0, waiting = 0, dueMs = null } = counted.get(target.id) ?? {};
          return { ...target, waiting, dead: all - waiting, dueMs };
        });
      }),
    addTarget: (target: DeliveryTarget, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* execute(queries.insert(targets).values(target));
        yield* log(by);
      }),
    /** Removes a target with everything that waits for it. */
    removeTarget: (id: string, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* execute(queries.delete(targets).where(eq(targets.id, id)));
        yield* execute(queries.delete(deliveries).where(eq(deliveries.targetId, id)));
        yield* log(by);
      }),
    /** Makes receivers of the settings file targets. Others that it named go, with what waits for them. */
    putNamed: (named: readonly Pick<DeliveryTarget, "id" | "events">[]): Promise<void> =>
      transact(function* (queries) {
        for (const { id, events } of named) {
          const row = { id, events, url: "", isLocal: true, told: "" };
          const conflict = { target: targets.id, set: { events } };
          yield* execute(queries.insert(targets).values(row).onConflictDoUpdate(conflict));
        }
        const ids = named.map(({ id }) => id);
        const isGone = (id: typeof targets.id | typeof deliveries.targetId) =>
          and(like(id, `${namedPrefix}%`), notInArray(id, ids));
        yield* execute(queries.delete(targets).where(isGone(targets.id)));
        yield* execute(queries.delete(deliveries).where(isGone(deliveries.targetId)));
      }),
    /** Notes what was told, and adds the events that tell it, unless another node has told something. */
    tell: (target: DeliveryTarget, change: Told, events: readonly NewEvent[]): Promise<void> =>
      transact(function* (queries) {
        const { id } = targets;
        const changed = Object.keys(change) as (keyof Told)[];
        const isSame = changed.map((name) => eq(targets[name], target[name]));
        const isFirst = and(eq(id, target.id), ...isSame);
        const noted = queries.update(targets).set(change).where(isFirst).returning({ id });
        if (yield* fetchRow(noted)) yield* addEvents(queries, tables, events, target.id);
      }),
  };
}

function createQueueRows({ tables, commitOne, transact }: RowsContext) {
  const { targets, deliveries } = tables;
  const { id, targetId, dueMs, createdMs } = deliveries;
  return {
    /** @param only one target, whatever it wants. Default: every target that wants such events. */
    addEvents: (events: readonly NewEvent[], only?: string): Promise<void> =>
      transact((queries) => addEvents(queries, tables, events, only)),
    /** Takes some due deliveries of a target. If their outcome is not noted until `until`, they are due again. */
    claim: (target: string, now: Date, until: Date, max: number): Promise<readonly Delivery[]> =>
      // Not one statement alone: in PostgreSQL, two at once would choose the same deliveries, and one would get none.
      transact((queries) => {
        const isDue = and(eq(targetId, target), lte(dueMs, now.getTime()));
        const due = queries.select({ id }).from(deliveries).where(isDue).orderBy(dueMs);
        const change = { dueMs: until.getTime() };
        const areNext = inArray(id, due.limit(max));
        return fetchRows(queries.update(deliveries).set(change).where(areNext).returning());
      }),
    /** Notes how attempts for a target ended. What it has taken is deleted. */
    noteOutcomes: (target: string, outcomes: readonly DeliveryOutcome[]): Promise<void> =>
      transact(function* (queries) {
        if (outcomes.length === 0) return;
        for (const { id: one, fault, ...change } of outcomes) {
          const isThis = eq(id, one);
          if (!fault) yield* execute(queries.delete(deliveries).where(isThis));
          else yield* execute(queries.update(deliveries).set(change).where(isThis));
        }
        const fault = outcomes.find((one) => one.fault)?.fault ?? null;
        yield* execute(queries.update(targets).set({ fault }).where(eq(targets.id, target)));
      }),
    /** Makes the dead deliveries of a target wait again. @returns their number. */
    retry: (target: string, now: Date): Promise<number> =>
      commitOne(function* (queries) {
        const again = { dueMs: now.getTime(), attempts: 0 };
        const isDead = and(eq(targetId, target), isNull(dueMs));
        const changed = queries.update(deliveries).set(again).where(isDead).returning({ id });
        return (yield* fetchRows(changed)).length;
      }),
    /** Removes deliveries that were made by then. */
    prune: (then: Date): Promise<void> =>
      commitOne((queries) =>
        execute(queries.delete(deliveries).where(lte(createdMs, then.getTime()))),
      ),
  };
}

/** Adds events for the targets that want them. */
export function* addEvents(
  queries: Queries,
  { targets, deliveries }: ControlTables,
  events: readonly NewEvent[],
  only?: string,
): Work<void> {
  for (const target of yield* fetchRows(queries.select().from(targets))) {
    const wanted = events.filter(({ type }) =>
      only === undefined ? target.events.includes(type) : target.id === only,
    );
    for (const { type, at, data } of wanted) {
      const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
      const times = { createdMs: at.getTime(), dueMs: at.getTime() };
      const id = `msg_${Bun.randomUUIDv7()}`;
      const row = { id, targetId: target.id, body, ...times, attempts: 0 };
      yield* execute(queries.insert(deliveries).values(row));
    }
    if (wanted.length > 0) yield* dropOldest(queries, deliveries, target.id);
  }
}

/** Lets the oldest that wait be dead, and deletes the oldest dead ones, if there are too many. */
function* dropOldest(
  queries: Queries,
  deliveries: ControlTables["deliveries"],
  target: string,
): Work<void> {
  const { id, targetId, dueMs } = deliveries;
  const findOver = (is: typeof isNull, max: number) => {
    const isMeant = and(eq(targetId, target), is(dueMs));
    const latest = queries.select({ id }).from(deliveries).where(isMeant).orderBy(desc(id));
    return and(isMeant, notInArray(id, latest.limit(max)));
  };
  const over = findOver(isNotNull, waitingMax);
  yield* execute(queries.update(deliveries).set({ dueMs: null }).where(over));
  yield* execute(queries.delete(deliveries).where(findOver(isNull, deadMax)));
}

/** Lets a mail wait about a search, or to an account that is asked for its address, unless one waits. Call inside a transaction. */
export function* addMail(
  queries: Queries,
  { targets, deliveries }: ControlTables,
  about: { readonly search: string } | { readonly account: string },
  due: Date,
): Work<void> {
  const target = { id: searchMailTarget, url: "", events: [], isLocal: true, told: "" };
  yield* execute(queries.insert(targets).values(target).onConflictDoNothing());
  const [id] = Object.values(about);
  const fresh = { createdMs: due.getTime(), dueMs: due.getTime(), attempts: 0 };
  const row = { id: `mail_${id}`, targetId: target.id, body: JSON.stringify(about), ...fresh };
  const conflict = { target: deliveries.id, set: fresh, setWhere: isNull(deliveries.dueMs) };
  yield* execute(queries.insert(deliveries).values(row).onConflictDoUpdate(conflict));
}
