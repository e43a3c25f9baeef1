import { desc, inArray, notInArray } from "drizzle-orm";
import { execute, fetchRows } from "../../queries/work.ts";
import { type EndedRun, endedRunsMax } from "../source-records.ts";
import { addEvents } from "./delivery-rows.ts";
import type { RowsContext } from "./rows-context.ts";

export type RunRecords = ReturnType<typeof createRunRows>;

/** Stores the runs that have ended on all nodes, of commands, pages, schedules and hooks. The latest stay. */
export function createRunRows({ tables, read, commitOne, transact }: RowsContext) {
  const { endedRuns } = tables;
  const latestFirst = [desc(endedRuns.endedMs), desc(endedRuns.id)];
  return {
    /** Adds a run, and tells webhooks without the outcome, which may name people. */
    add: ({ startedAt, endedAt, source, ...run }: EndedRun): Promise<void> =>
      transact(function* (queries) {
        const times = { startedMs: startedAt.getTime(), endedMs: endedAt.getTime() };
        const row = { ...run, ...times, source: source ?? null };
        const conflict = { target: endedRuns.id, set: row };
        yield* execute(queries.insert(endedRuns).values(row).onConflictDoUpdate(conflict));
        const latest = queries
          .select({ id: endedRuns.id })
          .from(endedRuns)
          .orderBy(...latestFirst)
          .limit(endedRunsMax);
        yield* execute(queries.delete(endedRuns).where(notInArray(endedRuns.id, latest)));
        const { id, kind, title, state } = run;
        const data = { run: id, kind, title, source, state, startedAt };
        yield* addEvents(queries, tables, [{ type: "run.ended", at: endedAt, data }]);
      }),
    remove: (ids: readonly string[]): Promise<void> =>
      commitOne((queries) =>
        execute(queries.delete(endedRuns).where(inArray(endedRuns.id, [...ids]))),
      ),
    /** Lists the runs, the one that ended last first. */
    list: (): Promise<readonly EndedRun[]> =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries
            .select()
            .from(endedRuns)
            .orderBy(...latestFirst),
        );
        return rows.map(({ startedMs, endedMs, source, ...run }) => ({
          ...{ ...run, source: source ?? undefined },
          ...{ startedAt: new Date(startedMs), endedAt: new Date(endedMs) },
        }));
      }),
  };
}
