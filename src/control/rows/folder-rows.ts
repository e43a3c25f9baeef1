import { asc, eq, isNull, sql } from "drizzle-orm";
import { execute, fetchRow, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { FolderRecords } from "../folder-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import { createErasureRows } from "./erasure-rows.ts";
import type { LogEntry, RowsContext } from "./rows-context.ts";

/** What the store remembers of the other files of its folder. */
export function createFolderRows(context: RowsContext): FolderRecords {
  return { ...createFileRows(context), ...createLossRows(context), ...createErasureRows(context) };
}

function createFileRows({ tables, read, commitOne, transact }: RowsContext) {
  const { dataFiles, instance } = tables;
  return {
    knownFiles: () =>
      read(function* (queries) {
        const rows = yield* fetchRows(queries.select().from(dataFiles));
        return Object.fromEntries(rows.map(({ file, ...state }) => [file, state]));
      }),
    noteFile: (file, state, options) =>
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
    dropFile: (file) =>
      commitOne((queries) => execute(queries.delete(dataFiles).where(eq(dataFiles.file, file)))),
    noteBackup: (by) =>
      transact(function* (queries, log) {
        yield* execute(queries.update(instance).set({ backedUpMs: by.at.getTime() }));
        yield* log(by);
      }),
    lastBackup: () =>
      read(function* (queries) {
        const backup = { atMs: instance.backedUpMs };
        const row = yield* fetchRow(queries.select(backup).from(instance));
        return row?.atMs ? new Date(row.atMs) : undefined;
      }),
  } satisfies Partial<FolderRecords>;
}

function createLossRows({ tables, read, transact }: RowsContext) {
  const { losses } = tables;
  return {
    losses: () =>
      read(function* (queries) {
        const rows = yield* fetchRows(
          queries.select().from(losses).where(isNull(losses.acceptedMs)).orderBy(asc(losses.id)),
        );
        return rows.map(({ what }) => what);
      }),
    recordLoss: (what, at) =>
      transact((queries, log) => recordLossRow(queries, tables, { what, at }, log)),
    acceptLosses: (by) =>
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
  } satisfies Partial<FolderRecords>;
}

/** Call it inside a transaction. */
export function* recordLossRow(
  queries: Queries,
  { losses }: ControlTables,
  { what, at }: { readonly what: string; readonly at: Date },
  log: LogEntry,
): Work<void> {
  yield* execute(queries.insert(losses).values({ what, atMs: at.getTime() }));
  yield* log({ at, actor: "store", action: "store.loss", subject: "folder", detail: { what } });
}
