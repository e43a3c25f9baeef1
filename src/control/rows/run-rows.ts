import { desc, notInArray } from "drizzle-orm";
import { execute, fetchRows } from "../../queries/work.ts";
import { type EndedRun, endedRunsMax } from "../source-records.ts";
import type { RowsContext } from "./rows-context.ts";

export type RunRecords = ReturnType<typeof createRunRows>;

/** Stores the runs that have ended on all nodes, of commands, pages, schedules and hooks. The latest stay. */
export function createRunRows({ tables: { endedRuns }, read, transact }: RowsContext) {
  const latestFirst = [desc(endedRuns.endedMs), desc(endedRuns.id)];
  return {
    add: ({ startedAt, endedAt, source, ...run }: EndedRun): Promise<void> =>
      transact(function* (queries) {
        const times = { startedMs: startedAt.getTime(), endedMs: endedAt.getTime() };
        yield* execute(
          queries.insert(endedRuns).values({ ...run, ...times, source: source ?? null }),
        );
        const latest = queries
          .select({ id: endedRuns.id })
          .from(endedRuns)
          .orderBy(...latestFirst)
          .limit(endedRunsMax);
        yield* execute(queries.delete(endedRuns).where(notInArray(endedRuns.id, latest)));
      }),
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
