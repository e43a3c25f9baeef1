import { asc, eq, isNull, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { DataFile, DataFileState } from "../folder-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import { createErasureRows } from "./erasure-rows.ts";
import type { LogEntry, RowsContext } from "./rows-context.ts";

/** Stores what is known about the other files of the data folder. A missing or replaced file is detected by this record. */
export function createFolderRows(context: RowsContext) {
  return { ...createFileRows(context), ...createLossRows(context), ...createErasureRows(context) };
}

function createFileRows({ tables, read, commitOne, transact }: RowsContext) {
  const { dataFiles, instance } = tables;
  return {
    /** Returns the state of each file when it was last recorded. */
    knownFiles: (): Promise<Readonly<Partial<Record<DataFile, DataFileState>>>> =>
      read(function* (queries) {
        const rows = yield* fetchRows(queries.select().from(dataFiles));
        return Object.fromEntries(rows.map(({ file, ...state }) => [file, state]));
      }),
    /** Records the state of a file. Without `replaces`, a state with fewer changes or another name is ignored. */
    noteFile: (
      file: DataFile,
      state: DataFileState,
      options?: { readonly replaces: true },
    ): Promise<void> =>
      commitOne((queries) => {
        const isNewer = sql`${dataFiles.name} = excluded.name AND ${dataFiles.changes} < excluded.changes`;
        const condition = options?.replaces ? {} : { setWhere: isNewer };
        return execute(
          queries
            .insert(dataFiles)
            .values({ file, ...state })
            .onConflictDoUpdate({ target: dataFiles.file, set: state, ...condition }),
        );
      }),
    /** Removes the record of a file. Its absence is then no longer reported. */
    dropFile: (file: DataFile): Promise<void> =>
      commitOne((queries) => execute(queries.delete(dataFiles).where(eq(dataFiles.file, file)))),
    /** Records a complete backup. `by.at` is the time of its completion. */
    noteBackup: (by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* execute(queries.update(instance).set({ backedUpMs: by.at.getTime() }));
        yield* log(by);
      }),
    /** Returns the time of the backup that was recorded last. */
    lastBackup: (): Promise<Date | undefined> =>
      read(function* (queries) {
        const backup = { atMs: instance.backedUpMs };
        const row = yield* fetchRow(queries.select(backup).from(instance));
        return row?.atMs ? new Date(row.atMs) : undefined;
      }),
  };
}

function createLossRows({ tables, read, transact }: RowsContext) {
  const { losses } = tables;
  return {
    /** Lists the losses of data that no administrator has accepted, as messages, oldest first. */
    losses: (): Promise<readonly string[]> =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries.select().from(losses).where(isNull(losses.acceptedMs)).orderBy(asc(losses.id)),
        );
        return rows.map(({ what }) => what);
      }),
    /** Records a loss of data. It remains until an administrator accepts it. */
    recordLoss: (what: string, at: Date): Promise<void> =>
      transact((queries, log) => recordLossRow(queries, tables, { what, at }, log)),
    /** @returns how many losses this call accepted. */
    acceptLosses: (by: NewAuditEntry): Promise<number> =>
      transact(function* (queries, log) {
        const accepted = yield* fetchRows(
          queries
            .update(losses)
            .set({ acceptedMs: by.at.getTime() })
            .where(isNull(losses.acceptedMs))
            .returning({ id: losses.id }),
        );
        yield* log(by);
        return accepted.length;
      }),
  };
}

/** Records a loss of data. Call inside a transaction. */
export function* recordLossRow(
  queries: Queries,
  { losses }: ControlTables,
  { what, at }: { readonly what: string; readonly at: Date },
  log: LogEntry,
): Work<void> {
  yield* execute(queries.insert(losses).values({ what, atMs: at.getTime() }));
  yield* log({ at, actor: "store", action: "store.loss", subject: "folder", detail: { what } });
}
