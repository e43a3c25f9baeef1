import type { Fault, FaultCode } from "../../contract/fault.ts";
import { problems } from "../../contract/problem.ts";

/** Exit codes that scripts may rely on. */
export const exitCodes = {
  ok: 0,
  /** A check has findings. */
  findings: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  fault: 5,
  /** A service refused the API key. */
  keyRefused: 6,
  /** The account has no call left, or asks too often. */
  quotaSpent: 7,
  /** 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesInWords =
  "Exit codes: 0 ok, 1 findings of a check, 2 usage, 3 data refused or left out, 4 not found, 5 fault, " +
  "6 key refused, 7 no call left, 130 interrupted.";

const byStatus: Record<number, ExitCode> = {
  [problems.invalid_request.status]: exitCodes.usage,
  [problems.not_found.status]: exitCodes.notFound,
  [problems.unauthorized.status]: exitCodes.keyRefused,
  [problems.quota_exceeded.status]: exitCodes.quotaSpent,
};

export function getExitCode(status: number): ExitCode {
  return byStatus[status] ?? exitCodes.fault;
}

/** The exit code of each fault. The hint names a command or flag that helps. */
const endings: Record<FaultCode, readonly [exitCode: ExitCode, hint: string]> = {
  ...endWith(exitCodes.usage, {
    usage: "",
    configuration: "",
    unknown_variable: "; see roster config show",
    admin_key_malformed: "; `roster key new` makes one",
    key_malformed: "; make one with: roster key new",
    key_used: "; make another with: roster key new",
    folder_only:
      " To use a data folder, unset ROSTER_DATABASE_URL and name the folder with --data.",
    backup_of_database:
      " Back the database up with pg_dump --format=custom or pg_basebackup. From time to time, restore such a backup to " +
      "another database, and check it with `roster doctor`. Also keep ingest.db, forges.db and roster.toml of this folder: " +
      "without them, every repository and forge is read again.",
  }),
  ...endWith(exitCodes.refused, {
    refused: "",
    removals: " If you intend this, run it again with --allow-removals.",
    other_list:
      " If it is, first remove the facts of the earlier file: `roster ingest people --remove NAME`.",
    target_not_empty: " Name an empty one; nothing was changed.",
    other_instance:
      " Restore it to an empty folder, or add --as-archived, which also replaces the folder's accounts.",
    file_exists: " Choose another name, or add --force.",
  }),
  ...endWith(exitCodes.notFound, {
    no_administrator: "; enable one with: roster account enable EMAIL",
    not_found: "",
    unknown_person:
      "; `roster identity list` shows the known people, and `roster ingest git` applies an interrupted decision",
    no_data: " Name another folder with --data, or start `roster serve` once.",
    nothing_here:
      " Change into a clone, or read repositories into a data folder here: roster ingest git PATH",
  }),
  ...endWith(exitCodes.fault, {
    import_running:
      " Nothing was done here: wait until it ends, or stop it. Repositories that it has read are not lost.",
    source_busy:
      " Nothing was done here: wait until it ends, or stop it. What it has read is not lost.",
    store: "",
    damaged: " `roster doctor` says what is intact, `roster restore FILE` restores a backup.",
    damaged_ledger:
      " The pool is unchanged. Stop the server, then `roster doctor --rebuild ledger`; then ingest every repository again.",
    read_only: " Commands that only read work on it.",
    newer_folder:
      " Use the newer Roster, or go back to a backup that this one can read: `roster restore FILE --as-archived`. If no newer Roster ever ran here, the file is damaged: `roster doctor` says what helps.",
    data_lost:
      " `roster restore FILE` restores a backup; `roster doctor --accept` continues without the lost data.",
    no_space: " Existing data is unchanged. Free space on that disk, and try again.",
    database: "",
    database_rights: " docs/growth.md lists the rights that the database's user needs.",
    database_away: " Nothing was done; try again once it answers.",
    outcome_unknown: " Check whether it was done before you repeat it.",
    folder_moved:
      " Use it there. If the move was interrupted, run the same `roster move` again. To go on with this folder's " +
      "data instead: `roster doctor --accept`.",
    nodes_connected: " Stop them first; nothing was changed.",
    folder_in_use: " Stop it, or choose another folder with --data.",
    being_restored: " Wait until it is restored.",
    wrong_database: " Point --data at another folder.",
    link_in_folder: " Move the file itself there, or choose another folder with --data.",
    damaged_backup: " Use another backup; `roster backup --verify FILE` checks one.",
    encrypted_backup: "",
    newer_backup: "",
    storage: "",
    git: "",
    time_limit: "",
    forge: " The pool is unchanged; the next run continues where this one ended.",
    forge_token:
      " Make a new one there, with the rights that docs/forges.md lists. The pool is unchanged.",
    system: "",
  }),
  ...endWith(exitCodes.interrupted, { interrupted: "" }),
};

function endWith<Code extends FaultCode>(exitCode: ExitCode, hints: Record<Code, string>) {
  const entries = Object.entries<string>(hints).map(([code, hint]) => [code, [exitCode, hint]]);
  return Object.fromEntries(entries) as Record<Code, readonly [ExitCode, string]>;
}

export function describeFault({ code, message }: Fault): { exitCode: ExitCode; text: string } {
  const [exitCode, hint] = endings[code];
  return { exitCode, text: message + hint };
}
