import { desc, inArray, notInArray } from "drizzle-orm";
import { execute, fetchRows } from "../../queries/work.ts";
import { type EndedRun, endedRunsMax } from "../source-records.ts";
import { addEvents } from "./delivery-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** Stores the runs that have ended on all nodes, of commands, pages, schedules and hooks. The latest stay. */
export function createRunRows({ tables, read, commitOne, transact }: RowsContext) {
  const { endedRuns } = tables;
  const latestFirst = [desc(endedRuns.endedAt), desc(endedRuns.id)];
  return {
    /** Adds a run, and tells webhooks without the outcome, which may name people. */
    add: (run: EndedRun): Promise<void> =>
      transact(function* (queries) {
        const conflict = { target: endedRuns.id, set: run };
        yield* execute(queries.insert(endedRuns).values(run).onConflictDoUpdate(conflict));
        const latest = queries
          .select({ id: endedRuns.id })
          .from(endedRuns)
          .orderBy(...latestFirst)
          .limit(endedRunsMax);
        yield* execute(queries.delete(endedRuns).where(notInArray(endedRuns.id, latest)));
        const { id, kind, title, source, state, startedAt, endedAt } = run;
        const data = { run: id, kind, title, source: source ?? undefined, state, startedAt };
        yield* addEvents(queries, tables, [{ type: "run.ended", at: endedAt, data }]);
      }),
    remove: (ids: readonly string[]): Promise<void> =>
      commitOne((queries) =>
        execute(queries.delete(endedRuns).where(inArray(endedRuns.id, [...ids]))),
      ),
    /** Lists the runs, the one that ended last first. */
    list: (): Promise<readonly EndedRun[]> =>
      read((queries) =>
        fetchRows(
          queries
            .select()
            .from(endedRuns)
            .orderBy(...latestFirst),
        ),
      ),
  };
}
