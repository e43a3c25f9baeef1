/** The kind of a failure. The command line maps each code to an exit code and a hint. */
export type FaultCode =
  /** The arguments of a command are wrong. */
  | "usage"
  /** A setting is wrong, or the file that it names cannot be used. */
  | "configuration"
  | "unknown_variable"
  | "admin_key_malformed"
  | "key_malformed"
  | "key_used"
  | "no_administrator"
  /** A data source is invalid; nothing was taken from it. */
  | "refused"
  /** A run would remove more people than the operator is likely to intend. */
  | "removals"
  /** A people file matches none of the people whom its earlier version matched. */
  | "other_list"
  | "not_found"
  | "unknown_person"
  | "interrupted"
  | "nothing_here"
  /** Another process is importing people into the pool. */
  | "import_running"
  /** Another process is reading the same forge. */
  | "source_busy"
  /** A file of the data folder cannot be used. */
  | "store"
  /** A file of the data folder is damaged. */
  | "damaged"
  /** The ledger is damaged. It can be filled again from the repositories. */
  | "damaged_ledger"
  /** The command must write to the data folder, but is not allowed to. */
  | "read_only"
  /** A newer Roster has written a file of the data folder. */
  | "newer_folder"
  /** A file of the data folder is gone, or was replaced by another file. */
  | "data_lost"
  /** The disk is full, or would become full. */
  | "no_space"
  /** The database server cannot be used: it is too old, or another instance uses it. */
  | "database"
  /** The user of the database lacks a right. */
  | "database_rights"
  /** The database server accepts no connections now; the request had no effect. */
  | "database_away"
  /** The connection to the database server was lost before its answer, so it is unknown whether the request took effect. */
  | "outcome_unknown"
  /** The contents of a data folder were moved to another place. */
  | "folder_moved"
  /** The target of a move is not empty. */
  | "target_not_empty"
  /** The database cannot be moved while nodes use it. */
  | "nodes_connected"
  /** A command works only on a data folder, but the settings name a database. */
  | "folder_only"
  /** The command backs up data folders, but the data is in a database. */
  | "backup_of_database"
  | "no_data"
  | "folder_in_use"
  | "being_restored"
  | "other_instance"
  | "wrong_database"
  | "link_in_folder"
  /** A file with this name exists. */
  | "file_exists"
  /** An archive is truncated, changed, or not a backup. */
  | "damaged_backup"
  | "encrypted_backup"
  | "newer_backup"
  /** The place of a backup cannot be reached, or refuses. */
  | "storage"
  | "git"
  /** A repository took longer to read than allowed. */
  | "time_limit"
  /** A forge cannot be reached, or its answer makes no sense. */
  | "forge"
  /** A forge refuses the token. */
  | "forge_token"
  /** The system refused to write a file or to open a port. */
  | "system";

/** An error of files, git or the configuration, worded for an operator. Callers get `internal`. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function isFault(thrown: unknown, code?: FaultCode): thrown is Fault {
  return thrown instanceof Fault && (code === undefined || thrown.code === code);
}
