/** What the administration pages show and start. `appliance` implements it, because several modules take part. */

import type { StaleRepository } from "../../../contract/people/history-end.ts";
import type { DecisionBook, IdentityPair, JoinedIdentity } from "./identity-records.ts";

export interface Administration {
  overview(): Promise<Overview>;
  /** `undefined` where there is no data folder to back up: in memory, or with the accounts in a shared database. */
  readonly backups: Backups | undefined;
  /** Every setting in force, as `config show` prints it. */
  settings(): readonly SettingLine[];
  /** The path of the settings file, where there is one or would be. */
  readonly settingsFile: string;
  readonly runs: Runs;
  /** Pairs of author identities that may belong to one person. */
  readonly suggestions: Study<readonly IdentityPair[]>;
  /** The people who would get another score, level or role if all were scored again. */
  readonly rescorePreview: Study<RescorePreview>;
  /** The author identities in git histories that belong to a login; `undefined` if there are none. */
  identityOf(login: string): Study<JoinedIdentity | undefined>;
  readonly decisions: DecisionBook;
  /** What an erasure would delete. Each request has a number, so that no page address names a person. */
  readonly erasures: {
    /** @param person a login or an e-mail address. @returns its number. */
    look(person: string): string;
    find(
      number: string,
    ): { readonly person: string; readonly study: Study<ErasurePreviewLines> } | undefined;
  };
  readonly model: { version(): string; readonly file: string | undefined };
  /** The known repositories, each with the time when it was last read. */
  repositories(): readonly { readonly readAt: string }[];
}

export interface Overview {
  /** The worst first; empty if nothing needs an administrator. */
  readonly concerns: readonly Concern[];
  /** Everything in the pool, bots and programs too. */
  readonly people: number;
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly sources: readonly {
    readonly source: string;
    readonly people: number;
    readonly lastImportAt: string;
  }[];
  readonly index:
    | { readonly revision: number; readonly people: number; readonly ageSeconds: number }
    | undefined;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  readonly disk: { readonly freeBytes: number; readonly bytes: number } | undefined;
  /** Null when there never was a backup, undefined when that is not known. */
  readonly backupAgeSeconds: number | null | undefined;
  /** The database that the nodes share, without user and password. It is backed up with its own tools. */
  readonly database: string | undefined;
  readonly callsToday: number;
  /** Repositories of which nothing was read for long, newest first. */
  readonly stale: readonly StaleRepository[];
}

/** What an administrator should do, or know. */
export interface Concern {
  /** `fault`: calls are not served, or not correctly; `warning`: something is wrong; `task`: something waits. */
  readonly weight: "fault" | "warning" | "task";
  readonly text: string;
  /** Where it is done, and what is done there; absent where no page helps. */
  readonly link?: { readonly to: string; readonly label: string };
}

export interface Backups {
  /** On the server. */
  readonly folder: string;
  /** Whether the folder is that of the data, and so on the same disk. */
  readonly isBesideData: boolean;
  /** The number of archives that are kept. */
  readonly keep: number;
  /** The interval of the schedule, if there is one. */
  readonly everySeconds: number | undefined;
  /** Whether the settings allow `fetch`. */
  readonly canFetch: boolean;
  /** Newest first. */
  list(): Promise<readonly BackupArchive[]>;
  /** The backup that is being made now. @param by the account, `server` for the schedule. */
  underWay():
    | { readonly by: string; readonly startedAt: Date; readonly progress: RunProgress | undefined }
    | undefined;
  /** Why the last one was not made; `undefined` once one was made. */
  fault(): string | undefined;
  /** Makes one now. A small one is made when this resolves, a larger one is then under way. */
  start(
    by: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
  /** Ends the one under way: none is made. @returns whether there is one. */
  stop(by: string): Promise<boolean>;
  /** @returns the archive, to be sent as it is read; `undefined` if no listed one has this name. */
  fetch(name: string, by: string): Promise<Blob | undefined>;
}

export interface BackupArchive {
  readonly name: string;
  readonly madeAt: Date;
  readonly bytes: number;
  readonly people: number | undefined;
  readonly accounts: number | undefined;
}

export interface SettingLine {
  readonly name: string;
  /** `undefined` if the setting has no value. */
  readonly value: string | undefined;
  readonly from: string;
  readonly flag: string | undefined;
  readonly environment: string | undefined;
  readonly help: string;
  readonly group: string;
  readonly rule?: string;
  /** What sets it in the settings file. */
  readonly line?: string;
}

/** The kinds of runs. Runs that change the pool wait for each other. */
export type RunOrder =
  /** `folder` is as the administrator typed it. Without it, every known repository is read. */
  | { readonly kind: "ingest"; readonly folder?: string }
  | { readonly kind: "recount" | "rescore" }
  | { readonly kind: "merge" | "split"; readonly a: string; readonly b: string }
  /** Takes a decision back, by its id. */
  | { readonly kind: "undo"; readonly decision: string }
  | { readonly kind: "forget"; readonly person: string; readonly reason?: string | undefined };

export type RunState = "waiting" | "running" | "stopping" | "done" | "stopped" | "failed";

export interface RunStatus {
  readonly id: string;
  readonly kind: RunOrder["kind"];
  /** What the run does, without the name of a person. */
  readonly title: string;
  readonly state: RunState;
  /** The account that started it. */
  readonly by: string;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
  readonly progress: RunProgress | undefined;
  readonly canStop: boolean;
  /** The two identities that a decision is about. */
  readonly pair: readonly [string, string] | undefined;
  /** The id of the decision that the run takes back, or has recorded. */
  readonly decision: string | undefined;
  /** How the run ended, in words; `undefined` until then. */
  readonly outcome: string | undefined;
}

/** An import that a command, a schedule or another node runs. */
export interface OtherRun {
  /** What it does, such as `an ingest of git histories`. */
  readonly title: string;
  readonly pid: number;
  /** Named if it is another one of those that share the pool. */
  readonly machine: string | undefined;
  readonly startedAt: Date;
  readonly progress: RunProgress | undefined;
}

export interface RunProgress {
  readonly done: number;
  readonly total: number | undefined;
  readonly unit: string;
  /** What the run consists of, such as repositories, where that is known before the total is. */
  readonly parts?: { readonly done: number; readonly total: number; readonly unit: string };
  readonly label?: string;
  /** Whether the total counts only what was found so far. */
  readonly isTotalGrowing?: boolean;
  /** Of the unit in a second, lately. */
  readonly rate?: number;
  /** Absent while too little is known. */
  readonly secondsLeft?: number;
  /** When it was said. ISO 8601, UTC. */
  readonly at?: string;
}

export interface Runs {
  /** Whether this server can start runs: not if its data is in memory or read-only. */
  readonly canStart: boolean;
  /** Administrators may name new folders inside these; empty: no new folders. */
  readonly roots: readonly string[];
  /** The runs of this server: first those under way, then the latest. */
  list(): readonly RunStatus[];
  /** The import into the pool that runs now, if this server did not start it. */
  findOther(): Promise<OtherRun | undefined>;
  /** @param by id of the account. */
  start(
    order: RunOrder,
    by: string,
  ): Promise<
    | { readonly ok: true; readonly run: RunStatus }
    | { readonly ok: false; readonly message: string; readonly field?: string }
  >;
  /** Ends a run after its current step; the pool stays as it was. @returns whether the run can be stopped. */
  stop(id: string, by: string): Promise<boolean>;
}

/** A result that a separate process computes. It is kept until the study is asked for again. */
export interface Study<Result> {
  /** Starts the process, unless it is running. */
  ask(): void;
  read(): StudyState<Result>;
}

export type StudyState<Result> =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly progress: RunProgress | undefined }
  | { readonly state: "failed"; readonly message: string }
  | {
      readonly state: "done";
      readonly result: Result;
      readonly at: Date;
      /** Whether the pool has changed since then. */
      readonly isStale: boolean;
    };

export interface Change<Value> {
  readonly from: Value;
  readonly to: Value;
}

export interface RescorePreview {
  readonly asOf: string;
  readonly modelVersion: string;
  readonly judged: number;
  readonly moved: number;
  readonly meanAbsoluteMove: number;
  readonly levelsChanged: number;
  readonly rolesChanged: number;
  readonly moves: readonly {
    readonly login: string;
    readonly score: Change<number>;
    readonly level: Change<string>;
    readonly role: Change<string>;
    readonly because?: {
      readonly component: string;
      readonly term: string;
      readonly points: number;
    };
  }[];
}

export type ErasurePreviewLines = Readonly<
  Record<"logins" | "formerLogins" | "addresses" | "accounts" | "names", readonly string[]>
> & { readonly joinsByName: JoinedIdentity["joins"] };

/** A forge for the settings file, as typed. */
export interface SourceDraft {
  readonly kind: string;
  readonly url: string;
  /** Blank: the host of the address. */
  readonly id: string;
  /** Separated by commas or lines. */
  readonly select: string;
  readonly everyHours: string;
  /** Blank: the token is in the variable. */
  readonly tokenFile: string;
}

export type ComposedSource =
  | { readonly ok: true; readonly block: string; readonly variable: string }
  | { readonly ok: false; readonly field: keyof SourceDraft; readonly message: string };

/** A forge from which Roster reads people. Instants are in ISO 8601 and UTC. */
export interface SourceStatus {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly isConfigured: boolean;
  readonly isRunning: boolean;
  /** Of the refresh that runs. */
  readonly progress: RunProgress | undefined;
  /** When all lists of the forge were last read completely. */
  readonly completedAt: string | undefined;
  readonly pausedUntil: string | undefined;
  readonly nextAt: string | undefined;
  readonly people: number;
  readonly repositories: number;
  /** People left out in the last run: `hidden` are not public on the forge, `suppressed` were forgotten. */
  readonly hidden: number;
  readonly suppressed: number;
  /** Requests left of the forge's rate limit; `undefined` if the forge names no limit. */
  readonly remaining: number | undefined;
  /** Why the last run stopped, in words. */
  readonly fault: string | undefined;
}
