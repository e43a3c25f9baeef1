/** What helps, for the command line to say how: `start` is a start of the server, which does it by itself. */
export type Remedy =
  | "restore"
  | "rebuild_index"
  | "rebuild_shared_index"
  | "rebuild_ledger"
  | "rebuild_forges"
  | "accept"
  | "moved"
  | "start"
  | "restart"
  | "newer_version"
  | "permissions"
  | "space"
  | "backup"
  | "clock"
  | "recount"
  | "settings"
  | "database"
  | "database_rights"
  | "database_backup";

export interface Finding {
  readonly level: "ok" | "warning" | "fault";
  /** A file of the folder, the folder, or the database. */
  readonly about: string;
  readonly text: string;
  /** Absent when there is nothing to do. */
  readonly remedy?: Remedy;
}
