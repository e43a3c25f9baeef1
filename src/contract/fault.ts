/** The kind of a failure. The command line maps each code to an exit code and a hint. */
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
  /** A people file matches none of the people that the file before it matched. */
  | "other_list"
  | "not_found"
  | "unknown_person"
  | "interrupted"
  /** Another process brings people into the pool. */
  | "nothing_here"
  | "import_running"
  /** Another process reads the same forge. */
  | "source_busy"
  /** A file of the data folder cannot be used. */
  | "store"
  /** A file of the data folder has bytes that it should not have. */
  | "damaged"
  /** The same for a file that can be filled again from the repositories. */
  | "damaged_ledger"
  /** The folder cannot be written, but the command would write. */
  | "read_only"
  /** A newer Roster has written a file of the data folder. */
  | "newer_folder"
  /** A file of the data folder is gone, or another is in its place. */
  | "data_lost"
  /** The disk is full, or would be. */
  | "no_space"
  /** The database server cannot be used: it is too old, or another instance uses it. */
  | "database"
  /** The user of the database lacks a right. */
  | "database_rights"
  /** The database server accepts no connections now, and has done nothing. */
  | "database_away"
  /** The connection to the database server was lost before the answer: the request may have been carried out or not. */
  | "outcome_unknown"
  /** The contents of a data folder were moved to another place. */
  | "folder_moved"
  /** The target of a move is not empty. */
  | "target_not_empty"
  /** Nodes use a database that is to be moved. */
  | "nodes_connected"
  /** A command is for a data folder, and the settings name a database. */
  | "folder_only"
  /** The data to be backed up is in a database. */
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
  | "newer_backup"
  | "git"
  /** A repository took longer to read than allowed. */
  | "time_limit"
  /** A forge cannot be reached, or its answer is not one that a forge gives. */
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
