import { asc, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import type { Immediate } from "../../sqlite/to-promises.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { FolderRecords } from "../folder-records.ts";
import { dataFiles, instance, losses } from "./tables.ts";

export type Transact = <Result>(work: (log: (entry: NewAuditEntry) => void) => Result) => Result;

export function createFolderRows(
  { orm }: Database,
  transact: Transact,
): Immediate<Omit<FolderRecords, "erasures" | "suppressionList" | "addSuppressionList">> {
  return {
    knownFiles: () =>
      Object.fromEntries(
        orm
          .select()
          .from(dataFiles)
          .all()
          .map(({ file, ...state }) => [file, state]),
      ),
    noteFile(file, state, options) {
      const isNewer = sql`${dataFiles.name} = excluded.name AND ${dataFiles.changes} < excluded.changes`;
      orm
        .insert(dataFiles)
        .values({ file, ...state })
        .onConflictDoUpdate({
          target: dataFiles.file,
          set: state,
          ...(options?.replaces ? {} : { setWhere: isNewer }),
        })
        .run();
    },
    dropFile: (file) => void orm.delete(dataFiles).where(eq(dataFiles.file, file)).run(),
    losses: () =>
      orm
        .select({ what: losses.what })
        .from(losses)
        .where(isNull(losses.acceptedMs))
        .orderBy(asc(losses.id))
        .all()
        .map(({ what }) => what),
    recordLoss: (what, at) => transact((log) => addLoss({ orm }, { what, at }, log)),
    acceptLosses: (by) =>
      transact((log) => {
        const accepted = orm
          .update(losses)
          .set({ acceptedMs: by.at.getTime() })
          .where(isNull(losses.acceptedMs))
          .returning({ id: losses.id })
          .all();
        log(by);
        return accepted.length;
      }),
    noteBackup: (by) =>
      transact((log) => {
        orm.update(instance).set({ backedUpMs: by.at.getTime() }).run();
        log(by);
      }),
    lastBackup() {
      const row = orm.select({ atMs: instance.backedUpMs }).from(instance).get();
      return row?.atMs ? new Date(row.atMs) : undefined;
    },
  };
}

/** Call it inside a transaction. */
export function addLoss(
  { orm }: Pick<Database, "orm">,
  { what, at }: { readonly what: string; readonly at: Date },
  log: (entry: NewAuditEntry) => void,
): void {
  orm.insert(losses).values({ what, atMs: at.getTime() }).run();
  log({ at, actor: "store", action: "store.loss", subject: "folder", detail: { what } });
}
