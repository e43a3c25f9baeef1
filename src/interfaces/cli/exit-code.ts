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

const { usage, refused, notFound, fault, interrupted } = exitCodes;

/** The exit code of each fault. The hint names a command or flag that helps. */
const endings: Record<FaultCode, readonly [ExitCode, hint?: string]> = {
  usage: [usage],
  configuration: [usage],
  unknown_variable: [usage, "; see roster config show"],
  admin_key_malformed: [usage, "; `roster key new` makes one"],
  key_malformed: [usage, "; make one with: roster key new"],
  key_used: [usage, "; make another with: roster key new"],
  no_administrator: [notFound, "; enable one with: roster account enable EMAIL"],
  refused: [refused],
  removals: [refused, " If you intend this, run it again with --allow-removals."],
  other_list: [
    refused,
    " If it is, first remove the facts of the earlier file: `roster ingest people --remove NAME`.",
  ],
  not_found: [notFound],
  unknown_person: [
    notFound,
    "; `roster identity list` shows the known people, and `roster ingest git` applies an interrupted decision",
  ],
  interrupted: [interrupted],
  import_running: [
    fault,
    " Nothing was done here: wait until it ends, or stop it. Repositories that it has read are not lost.",
  ],
  source_busy: [
    fault,
    " Nothing was done here: wait until it ends, or stop it. What it has read is not lost.",
  ],
  store: [fault],
  damaged: [
    fault,
    " `roster doctor` says what is intact, `roster restore FILE` restores a backup.",
  ],
  damaged_ledger: [
    fault,
    " The pool is unchanged. Stop the server, then `roster doctor --rebuild ledger`; then ingest every repository again.",
  ],
  read_only: [fault, " Commands that only read work on it."],
  newer_folder: [
    fault,
    " Use the newer Roster, or go back to a backup that this one can read: `roster restore FILE --as-archived`. If no newer Roster ever ran here, the file is damaged: `roster doctor` says what helps.",
  ],
  data_lost: [
    fault,
    " `roster restore FILE` restores a backup; `roster doctor --accept` continues without the lost data.",
  ],
  no_space: [fault, " Existing data is unchanged. Free space on that disk, and try again."],
  database: [fault],
  database_rights: [fault, " docs/growth.md lists the rights that the database's user needs."],
  database_away: [fault, " Nothing was done; try again once it answers."],
  outcome_unknown: [fault, " Check whether it was done before you repeat it."],
  folder_moved: [
    fault,
    " Use it there. If the move was interrupted, run the same `roster move` again. To go on with this folder's " +
      "data instead: `roster doctor --accept`.",
  ],
  target_not_empty: [refused, " Name an empty one; nothing was changed."],
  nodes_connected: [fault, " Stop them first; nothing was changed."],
  folder_only: [
    usage,
    " To use a data folder, unset ROSTER_DATABASE_URL and name the folder with --data.",
  ],
  backup_of_database: [
    usage,
    " Back the database up with pg_dump --format=custom or pg_basebackup. From time to time, restore such a backup to " +
      "another database, and check it with `roster doctor`. Also keep ingest.db, forges.db and roster.toml of this folder: " +
      "without them, every repository and forge is read again.",
  ],
  no_data: [notFound, " Name another folder with --data, or start `roster serve` once."],
  nothing_here: [
    notFound,
    " Change into a clone, or read repositories into a data folder here: roster ingest git PATH",
  ],
  folder_in_use: [fault, " Stop it, or choose another folder with --data."],
  being_restored: [fault, " Wait until it is restored."],
  other_instance: [
    refused,
    " Restore it to an empty folder, or add --as-archived, which also replaces the folder's accounts.",
  ],
  wrong_database: [fault, " Point --data at another folder."],
  link_in_folder: [fault, " Move the file itself there, or choose another folder with --data."],
  file_exists: [refused, " Choose another name, or add --force."],
  damaged_backup: [fault, " Use another backup; `roster backup --verify FILE` checks one."],
  newer_backup: [fault],
  git: [fault],
  time_limit: [fault],
  forge: [fault, " The pool is unchanged; the next run continues where this one ended."],
  forge_token: [
    fault,
    " Make a new one there, with the rights that docs/forges.md lists. The pool is unchanged.",
  ],
  system: [fault],
};

export function describeFault({ code, message }: Fault): { exitCode: ExitCode; text: string } {
  const [exitCode, hint = ""] = endings[code];
  return { exitCode, text: message + hint };
}
