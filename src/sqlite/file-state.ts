/**
 * The name and change count of a data file. control.db stores a copy of both, so Roster notices a missing file, an older copy, or
 * another file in its place. Triggers in the file count the changes.
 */
import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";

export interface FileState {
  /** A random name that identifies the file. */
  readonly name: string;
  /** The number of changes. It grows with every acknowledged change. */
  readonly changes: number;
}

/** @package A table with one row. */
export const fileState = sqliteTable("file_state", {
  id: integer().primaryKey(),
  name: text().notNull(),
  changes: integer().notNull().default(0),
});

export function readFileState({ orm }: Pick<Database, "orm">): FileState {
  const { name, changes } = fileState;
  const row = orm.select({ name, changes }).from(fileState).get();
  if (!row) throw new Error("The file has no name.");
  return row;
}

/** Raises the change count to at least `changes`. A file needs this if it replaces a file with more changes. */
export function raiseFileChanges({ orm }: Pick<Database, "orm">, changes: number): void {
  orm
    .update(fileState)
    .set({ changes: sql`max(${fileState.changes}, ${changes})` })
    .run();
}

/** Gives a new name to a copy that is used as a separate file. */
export function renameFile({ orm }: Pick<Database, "orm">, name: string): void {
  orm.update(fileState).set({ name }).run();
}
