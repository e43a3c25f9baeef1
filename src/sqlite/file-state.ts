/**
 * The name and age of a data file. control.db remembers them, so Roster notices a missing file, an older copy, or another file
 * in its place. Triggers in the migrations of each file count the changes, so that no writer can forget to.
 */
import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Database } from "./database.ts";

export interface FileState {
  /** Random; chosen once, by the migration that made the table, or when a file that was made elsewhere was put here. */
  readonly name: string;
  /** Grows with every change that was acknowledged. */
  readonly changes: number;
}

/** @package One row. */
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

/** Raises the number of changes to at least this: for a file that replaces a newer one. */
export function raiseFileChanges({ orm }: Pick<Database, "orm">, changes: number): void {
  orm
    .update(fileState)
    .set({ changes: sql`max(${fileState.changes}, ${changes})` })
    .run();
}

/** Renames a copy that becomes a file of its own. */
export function renameFile({ orm }: Pick<Database, "orm">, name: string): void {
  orm.update(fileState).set({ name }).run();
}
