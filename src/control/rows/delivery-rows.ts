import { and, asc, count, desc, eq, inArray, isNull, lt, lte, notInArray, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  type DeliveryTarget,
  endedMax,
  erasedEvent,
  type NewEvent,
  type WebhookOff,
  waitingMax,
} from "../delivery-records.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

export type DeliveryRecords = ReturnType<typeof createDeliveryRows>;

/** Stores webhooks, and what waits for them. Nodes share the work: one of them claims each delivery. */
export function createDeliveryRows(context: RowsContext) {
  return { ...createTargetRows(context), ...createQueueRows(context), ...createEndedRows(context) };
}

function createTargetRows({ tables, read, transact }: RowsContext) {
  const { targets, deliveries } = tables;
  return {
    /** Lists the targets, the oldest first. */
    listTargets: (): Promise<readonly DeliveryTarget[]> =>
      read(function* (queries) {
        const rows = queries
          .select()
          .from(targets)
          .orderBy(asc(targets.createdMs), asc(targets.id));
        return (yield* fetchRows(rows)).map(toTarget);
      }),
    addTarget: (target: Omit<DeliveryTarget, "off" | "told">, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        const { createdAt, ...row } = target;
        yield* execute(queries.insert(targets).values({ ...row, createdMs: createdAt.getTime() }));
        yield* log(by);
      }),
    /** Removes a target with everything that waits for it. */
    removeTarget: (id: string, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* execute(queries.delete(targets).where(eq(targets.id, id)));
        yield* execute(queries.delete(deliveries).where(eq(deliveries.targetId, id)));
        yield* log(by);
      }),
    /** Turns a target off for a reason, or on without one. */
    turn: (id: string, off: WebhookOff | undefined, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* execute(
          queries
            .update(targets)
            .set({ off: off ?? null })
            .where(eq(targets.id, id)),
        );
        yield* log(by);
      }),
    /** Notes how far changes were told, and adds their events, unless another node has told them. */
    tell: (target: DeliveryTarget, told: string, events: readonly NewEvent[]): Promise<void> =>
      transact(function* (queries) {
        const { id } = target;
        const before =
          target.told === undefined ? isNull(targets.told) : eq(targets.told, target.told);
        const isFirst = and(eq(targets.id, id), before);
        const noted = queries
          .update(targets)
          .set({ told })
          .where(isFirst)
          .returning({ id: targets.id });
        if (yield* fetchRow(noted)) yield* addEvents(queries, tables, events, id);
      }),
  };
}

function createQueueRows({ tables, read, commitOne, transact }: RowsContext) {
  const { targets, deliveries } = tables;
  return {
    /** @param targetId default: every target that wants such events. */
    addEvents: (events: readonly NewEvent[], targetId?: string): Promise<void> =>
      transact((queries) => addEvents(queries, tables, events, targetId)),
    listDue: (now: Date): Promise<readonly DeliveryTarget[]> =>
      read(function* (queries) {
        const due = queries
          .select({ id: deliveries.targetId })
          .from(deliveries)
          .where(and(eq(deliveries.state, "waiting"), lte(deliveries.dueMs, now.getTime())));
        const isDue = and(isNull(targets.off), inArray(targets.id, due));
        return (yield* fetchRows(queries.select().from(targets).where(isDue))).map(toTarget);
      }),
    /** Takes some due deliveries of a target. If their outcome is not noted until `until`, they are due again. */
    claim: (targetId: string, now: Date, until: Date, max: number): Promise<readonly Delivery[]> =>
      commitOne(function* (queries) {
        const isDue = and(
          eq(deliveries.targetId, targetId),
          eq(deliveries.state, "waiting"),
          lte(deliveries.dueMs, now.getTime()),
        );
        const some = queries
          .select({ id: deliveries.id })
          .from(deliveries)
          .where(isDue)
          .orderBy(asc(deliveries.dueMs))
          .limit(max);
        const claimed = queries
          .update(deliveries)
          .set({ dueMs: until.getTime() })
          // The condition stands here too, because another node may have claimed some meanwhile.
          .where(and(isDue, inArray(deliveries.id, some)))
          .returning();
        return (yield* fetchRows(claimed)).map(toDelivery);
      }),
    /** Notes how attempts for a target ended. @returns how many of them named a person. */
    noteOutcomes: (
      targetId: string,
      outcomes: readonly DeliveryOutcome[],
      now: Date,
    ): Promise<number> =>
      transact(function* (queries) {
        let named = 0;
        for (const { id, ...outcome } of outcomes) {
          const change = queries
            .update(deliveries)
            .set(describeOutcome(outcome, now, tables))
            .where(eq(deliveries.id, id))
            .returning({ event: deliveries.event, state: deliveries.state });
          const row = yield* fetchRow(change);
          if (row?.state === "delivered" && row.event === erasedEvent) named++;
        }
        yield* dropEnded(queries, deliveries, targetId);
        return named;
      }),
  };
}

function createEndedRows({ tables, read, commitOne, transact }: RowsContext) {
  const { deliveries } = tables;
  return {
    /** Makes dead deliveries of a target wait again, or one of them. @returns their number. */
    retry: (targetId: string, now: Date, by: NewAuditEntry, id?: string): Promise<number> =>
      transact(function* (queries, log) {
        const isDead = and(eq(deliveries.targetId, targetId), eq(deliveries.state, "dead"));
        const isMeant = id === undefined ? isDead : and(isDead, eq(deliveries.id, id));
        const again = {
          state: "waiting",
          dueMs: now.getTime(),
          attempts: 0,
          endedMs: null,
        } as const;
        const changed = queries.update(deliveries).set(again).where(isMeant);
        const rows = yield* fetchRows(changed.returning({ id: deliveries.id }));
        if (rows.length > 0) yield* log(by);
        return rows.length;
      }),
    /** Removes deliveries that were made before an instant. @returns their number. */
    prune: (before: Date): Promise<number> =>
      commitOne(function* (queries) {
        const isOld = lt(deliveries.createdMs, before.getTime());
        const gone = queries.delete(deliveries).where(isOld).returning({ id: deliveries.id });
        return (yield* fetchRows(gone)).length;
      }),
    /** Lists deliveries, the latest first. @param targetId default: those of all targets. */
    list: (max: number, targetId?: string): Promise<readonly Delivery[]> =>
      read(function* (queries) {
        const isMeant = targetId === undefined ? undefined : eq(deliveries.targetId, targetId);
        const latest = queries.select().from(deliveries).where(isMeant).limit(max);
        const rows = yield* fetchRows(
          latest.orderBy(desc(deliveries.createdMs), desc(deliveries.id)),
        );
        return rows.map(toDelivery);
      }),
    /** Counts the deliveries of each target that wait, and those that are dead. */
    countDeliveries: () =>
      read((queries) =>
        fetchRows(
          queries
            .select({ targetId: deliveries.targetId, state: deliveries.state, count: count() })
            .from(deliveries)
            .groupBy(deliveries.targetId, deliveries.state),
        ),
      ),
  };
}

function* dropEnded(
  queries: Queries,
  deliveries: ControlTables["deliveries"],
  targetId: string,
): Work<void> {
  for (const state of ["delivered", "dead"] as const) {
    const isEnded = and(eq(deliveries.targetId, targetId), eq(deliveries.state, state));
    const kept = queries
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(isEnded)
      .orderBy(desc(deliveries.endedMs), desc(deliveries.id))
      .limit(endedMax[state]);
    yield* execute(queries.delete(deliveries).where(and(isEnded, notInArray(deliveries.id, kept))));
  }
}

function describeOutcome(
  { fault, againAt, isBrokenOff }: Omit<DeliveryOutcome, "id">,
  now: Date,
  { deliveries }: ControlTables,
) {
  if (isBrokenOff) return { dueMs: now.getTime() };
  const attempts = sql`${deliveries.attempts} + 1`;
  const endedMs = now.getTime();
  if (fault === undefined)
    return { state: "delivered", body: "", fault: null, attempts, endedMs } as const;
  if (againAt) return { fault, attempts, dueMs: againAt.getTime() };
  return { state: "dead", fault, attempts, endedMs } as const;
}

/** Adds events for the targets that want them and are on. A full queue loses its oldest to the dead ones. */
export function* addEvents(
  queries: Queries,
  { targets, deliveries }: ControlTables,
  events: readonly NewEvent[],
  targetId?: string,
): Work<void> {
  if (events.length === 0) return;
  const open = yield* fetchRows(queries.select().from(targets).where(isNull(targets.off)));
  for (const { id, events: wanted } of open) {
    if (targetId !== undefined && targetId !== id) continue;
    let added = 0;
    for (const { type, at, data } of events) {
      if (targetId === undefined && !wanted.includes(type)) continue;
      const atMs = at.getTime();
      yield* execute(
        queries.insert(deliveries).values({
          ...{ id: `msg_${crypto.randomUUID()}`, targetId: id, event: type, attempts: 0 },
          ...{ createdMs: atMs, dueMs: atMs, state: "waiting" },
          body: JSON.stringify({ type, timestamp: at.toISOString(), data }),
        }),
      );
      added++;
    }
    if (added > 0) yield* dropOldest(queries, deliveries, id);
  }
}

function* dropOldest(
  queries: Queries,
  deliveries: ControlTables["deliveries"],
  targetId: string,
): Work<void> {
  const isWaiting = and(eq(deliveries.targetId, targetId), eq(deliveries.state, "waiting"));
  const counted = yield* fetchRow(
    queries.select({ waiting: count() }).from(deliveries).where(isWaiting),
  );
  const over = (counted?.waiting ?? 0) - waitingMax;
  if (over <= 0) return;
  const oldest = queries
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(isWaiting)
    .orderBy(asc(deliveries.createdMs), asc(deliveries.id))
    .limit(over);
  const fault = `more than ${waitingMax} deliveries waited`;
  const dead = { state: "dead", fault, endedMs: sql`${deliveries.createdMs}` } as const;
  yield* execute(
    queries
      .update(deliveries)
      .set(dead)
      .where(and(isWaiting, inArray(deliveries.id, oldest))),
  );
}

function toTarget({ createdMs, off, told, ...row }: ControlRow<"targets">): DeliveryTarget {
  const nothing = { off: off ?? undefined, told: told ?? undefined };
  return { ...row, ...nothing, createdAt: new Date(createdMs) };
}

function toDelivery(row: ControlRow<"deliveries">): Delivery {
  const { createdMs, dueMs, endedMs, fault, ...more } = row;
  return {
    ...more,
    ...{ createdAt: new Date(createdMs), dueAt: new Date(dueMs), fault: fault ?? undefined },
    endedAt: endedMs === null ? undefined : new Date(endedMs),
  };
}
