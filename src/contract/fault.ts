/** What stopped: the command line maps each code to its exit code, and adds what helps there. */
export type FaultCode =
  /** A command was given what it cannot take. */
  | "usage"
  /** A setting, or a file that one names, cannot be used. */
  | "configuration"
  | "unknown_variable"
  | "admin_key_malformed"
  | "key_malformed"
  | "key_used"
  | "no_administrator"
  /** A source of data is no good; nothing of it was taken. */
  | "refused"
  | "not_found"
  | "unknown_person"
  | "interrupted"
  /** A file of the data folder cannot be used. */
  | "store"
  | "no_data"
  | "folder_in_use"
  | "wrong_database"
  | "link_in_folder"
  | "git"
  /** A repository took longer to read than it may. */
  | "time_limit"
  /** The system refused to write a file or to open a port. */
  | "system";

/** What went wrong with files, git or the configuration, in words for an operator. To callers it is `internal`. */
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
