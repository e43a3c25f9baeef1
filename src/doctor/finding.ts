/** What an operator can do about a finding. `start` means that the next start of the server repairs it. */
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
  | "reread"
  | "unread"
  | "rescore"
  | "settings"
  | "database"
  | "database_rights"
  | "database_backup";

export interface Finding {
  readonly level: "ok" | "warning" | "fault";
  /** The affected file, folder, or database. */
  readonly about: string;
  readonly text: string;
  /** What the operator can do. It is absent if there is nothing to do. */
  readonly remedy?: Remedy;
}
