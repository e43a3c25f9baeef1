/** The interface between the administration pages and the rest of the server. */
import type { ServerBackups } from "../../../backup/backup.ts";
import type { Config } from "../../../config/config.ts";
import type { SourceKind } from "../../../contract/forge-kinds.ts";
import type { OperatorNotice } from "../../../contract/operator-notice.ts";
import type { StaleRepository } from "../../../contract/people/history-end.ts";
import type { StoredRun } from "../../../control/source-records.ts";
import type {
  IdentityOverview,
  KnownIdentity,
  KnownSource,
  RescoreReport,
  SourceFinding,
} from "../../../ingest/ingest.ts";
import type { ServerState } from "../../../metrics/metrics.ts";
import type { IdentityDecisionRecord, ProgressNote } from "../../../pool/pool.ts";

export interface Administration {
  overview(): Promise<Overview>;
  /** undefined if there is no data folder to back up. */
  readonly backups: Backups | undefined;
  readonly settings: () => Config["described"];
  /** The path of the settings file. The file may not exist. */
  readonly settingsFile: string;
  readonly runs: Runs;
  readonly suggestions: Study<readonly IdentityPair[]>;
  readonly rescorePreview: Study<RescorePreview>;
  /** The author identities in git histories that belong to a login; undefined if there are none. */
  identityOf(login: string): Study<KnownIdentity | undefined>;
  readonly decisions: DecisionBook;
  /** Previews of what an erasure would delete. A preview has a number, so that the address of its page names no person. */
  readonly erasures: {
    /** Starts a preview. @param person a login or an e-mail address. @returns the number of the preview. */
    look(person: string): string;
    find(number: string): { person: string; study: Study<ErasurePreviewLines> } | undefined;
  };
  readonly model: { version(): string; readonly file: string | undefined };
  repositories(): readonly { readonly readAt: string }[];
}

export interface Overview
  extends Pick<ServerState, "index" | "files" | "disk" | "backupAgeSeconds"> {
  /** The problems and tasks that need an administrator, worst first. */
  readonly concerns: readonly Concern[];
  /** The number of people in the pool, including bots and programs. */
  readonly people: number;
  readonly revision: number;
  readonly sources: readonly { source: string; people: number; lastImportAt: string }[];
  readonly database: string | undefined;
  readonly callsToday: number;
  /** Repositories without new commits for a long time. The repository with the latest commit comes first. */
  readonly stale: readonly StaleRepository[];
}

export interface Concern {
  /** `fault`: calls fail or are wrong. `warning`: something else is wrong. `task`: something waits for an administrator. */
  readonly weight: "fault" | "warning" | "task";
  readonly text: string;
  readonly link?: { readonly to: string; readonly label: string };
  /** How notices tell it. Absent if they do not. A text that may name people is told otherwise. */
  readonly notice?: Omit<OperatorNotice, "text"> & Partial<Pick<OperatorNotice, "text">>;
}

/** The backups of this server. `by` is always the id of the account that acts. */
export interface Backups
  extends Pick<ServerBackups, "list" | "fault" | "copies">,
    Pick<Config["backup"], "keep" | "keepDaily" | "keepWeekly" | "keepMonthly"> {
  readonly folder: string;
  /** Whether backups are on the same disk as the data, in the data folder. */
  readonly isBesideData: boolean;
  readonly everySeconds: number | undefined;
  readonly canFetch: boolean;
  underWay(): Pick<RunStatus, "by" | "startedAt" | "progress"> | undefined;
  /** Starts a backup. The promise may resolve before a large backup is complete. */
  start(by: string): Promise<{ readonly ok: true } | Refused>;
  stop(by: string): Promise<boolean>;
  fetch(name: string, by: string): Promise<Blob | undefined>;
}

interface Refused {
  readonly ok: false;
  readonly message: string;
}

export type RunOrder =
  | { readonly kind: "ingest" | "recount" | "rescore" }
  | { readonly kind: "merge" | "split"; readonly a: string; readonly b: string }
  | { readonly kind: "undo"; readonly decision: string }
  | { readonly kind: "forget"; readonly person: string; readonly reason?: string | undefined }
  | RefreshOrder
  | { readonly kind: "forgetSource"; readonly source: string };

export interface RefreshOrder {
  readonly kind: "refresh";
  readonly source: string;
  readonly repositories?: readonly string[];
  /** Whether it runs beside other runs, such as one that mostly waits for a forge. */
  readonly isBeside?: boolean;
  readonly longestMs?: number;
}

export type RunState = "waiting" | "running" | "stopping" | "done" | "stopped" | "failed";

export interface RunStatus {
  readonly id: string;
  readonly kind: RunOrder["kind"];
  /** What the run does, without the name of a person. */
  readonly title: string;
  readonly state: RunState;
  /** The id of an account, or `server`, `schedule` or `hook`. */
  readonly by: string;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
  readonly progress: ProgressNote | undefined;
  readonly canStop: boolean;
  readonly pair: readonly [string, string] | undefined;
  /** The id of the identity decision that the run undoes or has recorded. */
  readonly decision: string | undefined;
  /** How the run ended, in words; undefined before its end. */
  readonly outcome: string | undefined;
}

/** An import that a command, a schedule or another node runs. */
export interface OtherRun extends Pick<RunStatus, "title" | "startedAt" | "progress"> {
  readonly pid: number;
  readonly machine: string | undefined;
}

export interface Runs {
  /** Whether this server can start runs; false if its data is in memory or read-only. */
  readonly canStart: boolean;
  /** The runs of this server. Runs under way come first, then ended runs, the latest first. */
  list(): readonly RunStatus[];
  /** The runs that have ended: of all nodes, and of commands. The latest come first. */
  listEnded(): Promise<readonly StoredRun[]>;
  findOther(): Promise<OtherRun | undefined>;
  /** Starts a run, or joins one that waits for the same source. `ended` is its state after its end. @param by as in `RunStatus`. */
  start(
    order: RunOrder,
    by: string,
  ): Promise<{ readonly ok: true; run: RunStatus; ended: Promise<RunStatus> } | Refused>;
  /** Stops a run after its current step. The pool does not change. @returns whether the run can be stopped. */
  stop(id: string, by: string): Promise<boolean>;
}

/** A result that a separate process computes. It stays available until the process is started again. */
export interface Study<Result> {
  ask(): void;
  read(): StudyState<Result>;
}

export type StudyState<Result> =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly progress: ProgressNote | undefined }
  | { readonly state: "failed"; readonly message: string }
  | {
      readonly state: "done";
      readonly result: Result;
      readonly at: Date;
      /** Whether the pool has changed since the result was computed. */
      readonly isStale: boolean;
    };

export type IdentityPair = ReturnType<IdentityOverview["suggestions"]>[number];

export interface RescorePreview extends Omit<RescoreReport, "revision"> {
  readonly asOf: string;
  readonly modelVersion: string;
}

export interface ErasurePreviewLines
  extends Pick<KnownIdentity, "formerLogins" | "accounts" | "addresses"> {
  readonly logins: readonly string[];
  readonly names: readonly string[];
  readonly joinsByName: KnownIdentity["joins"];
}

export interface DecisionBook {
  /** Reads decisions in force, newest first. @param searched words that must all occur in a decision. */
  read(from: number, count: number, searched: string): Promise<readonly DecisionLine[]>;
  count(searched?: string): Promise<number>;
  /** Finds decisions by their ids, also undone ones. */
  find(ids: readonly string[]): Promise<readonly DecisionLine[]>;
  /** Finds the ids of the decisions about a login, or with these words, also of undone ones. */
  idsAbout(searched: string): Promise<readonly string[]>;
  /** Reads the decisions in force about the author identities of this person, newest first. */
  about(login: string, known: KnownIdentity | undefined): Promise<readonly DecisionLine[]>;
}

export interface DecisionLine extends Omit<IdentityDecisionRecord, "a" | "b"> {
  readonly people: readonly [DecidedPerson, DecidedPerson];
}

export interface DecidedPerson {
  /** How the decision names the author identity: by name, address or both. */
  readonly named: string;
  /** The login of the person who has this author identity now; undefined if there is not exactly one such person in the pool. */
  readonly login: string | undefined;
  readonly name: string | undefined;
}

/** A source: a forge, one repository, or a folder of repositories. All times are ISO 8601 texts in UTC. */
export interface SourceStatus
  extends Pick<KnownSource, "id" | "completedAt" | "pausedUntil" | "people" | "repositories">,
    Pick<NonNullable<KnownSource["lastRun"]>, "hidden" | "suppressed" | "remaining" | "fault"> {
  readonly kind: SourceKind;
  /** The address of a forge or repository, or the path of a folder. */
  readonly address: string;
  /** The people that are read from a forge, such as `all` or `org:acme`. Empty for other kinds. */
  readonly select: readonly string[];
  readonly everyHours: number;
  /** Whether the settings file has it. Pages can neither change nor remove such a source. */
  readonly isFromFile: boolean;
  /** Whether it is still a source; false if only the data that it brought is left. */
  readonly isKnown: boolean;
  /** The name of the other node that reads it; undefined if this one does. */
  readonly reader: string | undefined;
  /** Whether it had a token that is gone, such as after a backup was restored. */
  readonly lacksToken: boolean;
  readonly hasHook: boolean;
  readonly isRunning: boolean;
  readonly progress: ProgressNote | undefined;
  readonly nextAt: string | undefined;
}

/** What Roster reads by itself. `by` is always the id of the account that acts. */
export interface Sources {
  list(): Promise<readonly SourceStatus[]>;
  /** Whether sources can be added, changed and removed; false if the data is in memory or read-only. */
  readonly canChange: boolean;
  readonly roots: readonly string[];
  /** Checks an address. Nothing is kept. @param id a stored source, whose token is used if none is typed. */
  find(draft: { address: string; token: string | undefined }, id?: string): Promise<SourceFinding>;
  /** Adds or changes a source, and reads it. @returns the id, or what is wrong with which field. */
  save(
    source: SourceDraft,
    by: string,
  ): Promise<{ readonly ok: true; id: string } | (Refused & { readonly field: string })>;
  /** Removes a stored source, its token and perhaps its data. @returns whether there is such a source. */
  remove(id: string, by: string, options: { readonly withData: boolean }): Promise<boolean>;
  /** Reads a source as soon as other runs leave room. @returns whether there is such a source. */
  request(id: string, by: string): Promise<boolean>;
  /** Lets pushes ask for the source. The secret is shown only now. @returns undefined if there is no such source. */
  turnHookOn(id: string, by: string): Promise<{ url: string; secret: string } | undefined>;
  turnHookOff(id: string, by: string): Promise<void>;
}

export interface SourceDraft {
  readonly id?: string;
  readonly finding: SourceFinding & { readonly ok: true };
  /** What was typed. For a stored source, undefined keeps its token. */
  readonly token: string | undefined;
  readonly select: readonly string[];
  readonly everyHours: number;
}

/** A source between the page that checks its address and the page that saves it. */
export type CheckedSource = Pick<SourceDraft, "id" | "finding" | "token">;
