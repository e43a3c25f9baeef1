/** What went wrong. The command line maps each code to its exit code, and adds a hint. */
export type FaultCode =
  /** A command cannot use its arguments. */
  | "usage"
  /** A setting, or a file that one names, cannot be used. */
  | "configuration"
  | "unknown_variable"
  | "admin_key_malformed"
  | "key_malformed"
  | "key_used"
  | "no_administrator"
  /** A data source is invalid; nothing was taken from it. */
  | "refused"
  /** A run would remove more people than is likely to be meant. */
  | "removals"
  /** A people file means nobody of those whom the one before it meant. */
  | "other_list"
  | "not_found"
  | "unknown_person"
  | "interrupted"
  /** Another process brings people into the pool. */
  | "import_running"
  /** A file of the data folder cannot be used. */
  | "store"
  /** A file of the data folder has bytes that it should not have. */
  | "damaged"
  /** The folder cannot be written, and the command would write. */
  | "read_only"
  /** A newer Roster has written a file of the data folder. */
  | "newer_folder"
  /** A file of the data folder is gone, or another is in its place. */
  | "data_lost"
  /** The disk is full, or would be. */
  | "no_space"
  /** The database server cannot be used: too old, or another's. */
  | "database"
  /** The user of the database lacks a right. */
  | "database_rights"
  /** The database server takes nothing now, and has done nothing. */
  | "database_away"
  /** The connection to the database server was lost before the answer: what was asked is done, or not. */
  | "outcome_unknown"
  /** What a data folder held goes on at another place. */
  | "folder_moved"
  /** Something is where everything is to be moved to. */
  | "target_not_empty"
  /** Nodes use a database that is to be moved. */
  | "nodes_connected"
  /** A command is for a data folder, and the settings name a database. */
  | "folder_only"
  /** What is to be backed up is in a database. */
  | "backup_of_database"
  | "no_data"
  | "folder_in_use"
  | "being_restored"
  | "other_instance"
  | "wrong_database"
  | "link_in_folder"
  /** Another file stands where one was to be written. */
  | "file_exists"
  /** An archive is cut short, changed, or none. */
  | "damaged_backup"
  | "newer_backup"
  | "git"
  /** A repository took longer to read than allowed. */
  | "time_limit"
  /** A forge cannot be reached, or answers what no forge would. */
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
