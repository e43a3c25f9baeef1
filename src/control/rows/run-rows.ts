import { desc, inArray, isNotNull, notInArray } from "drizzle-orm";
import { execute, fetchRow, fetchRows } from "../../queries/work.ts";
import { endedRunsMax, type StoredRun } from "../source-records.ts";
import { addEvents } from "./delivery-rows.ts";
import type { RowsContext } from "./rows-context.ts";

/** Stores the runs of all nodes, of commands, pages, schedules and hooks. The latest stay. */
export function createRunRows({ tables, read, commitOne, transact }: RowsContext) {
  const { runs } = tables;
  const latestFirst = [desc(runs.endedAt), desc(runs.id)];
  return {
    /** Adds a run or its end, and tells webhooks its end without the outcome, which may name people. */
    add: (run: StoredRun): Promise<void> =>
      transact(function* (queries) {
        // Once a run has told its end itself, that stays.
        const conflict = { target: runs.id, set: run, setWhere: isNotNull(runs.pid) };
        const adding = queries.insert(runs).values(run).onConflictDoUpdate(conflict);
        const added = yield* fetchRow(adding.returning({ id: runs.id }));
        if (!added || run.state === "running") return;
        const latest = queries
          .select({ id: runs.id })
          .from(runs)
          .orderBy(...latestFirst)
          .limit(endedRunsMax);
        yield* execute(queries.delete(runs).where(notInArray(runs.id, latest)));
        const { id, kind, title, source, state, startedAt, endedAt } = run;
        const data = { run: id, kind, title, source: source ?? undefined, state, startedAt };
        yield* addEvents(queries, tables, [{ type: "run.ended", at: endedAt, data }]);
      }),
    remove: (ids: readonly string[]): Promise<void> =>
      commitOne((queries) => execute(queries.delete(runs).where(inArray(runs.id, [...ids])))),
    /** Lists the runs, the one that ended last first. */
    list: (): Promise<readonly StoredRun[]> =>
      read((queries) =>
        fetchRows(
          queries
            .select()
            .from(runs)
            .orderBy(...latestFirst),
        ),
      ),
  };
}
