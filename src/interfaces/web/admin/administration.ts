/** What the administration pages show and start. `appliance` implements it, because several modules take part. */

import type { StaleRepository } from "../../../contract/people/history-end.ts";

export interface Administration {
  overview(): Promise<Overview>;
  /** Every setting in force, as `config show` prints it. */
  settings(): readonly SettingLine[];
  readonly runs: Runs;
  /** Pairs of author identities that may belong to one person. */
  readonly suggestions: Study<readonly IdentityPair[]>;
  /** The people who would get another score, level or role if all were scored again. */
  readonly rescorePreview: Study<RescorePreview>;
  /** The author identities in git histories that belong to a login; `undefined` if there are none. */
  identityOf(login: string): Study<JoinedIdentity | undefined>;
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
  /** Faults that keep Roster from serving calls, each with its remedy; empty if there are none. */
  readonly faults: readonly string[];
  /** Problems that need attention but do not keep Roster from serving calls. */
  readonly warnings: readonly string[];
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
  readonly backupAgeSeconds: number | undefined;
  /** Whether the settings schedule backups. */
  readonly hasBackupSchedule: boolean;
  /** The database that the nodes share, without user and password. It is backed up with its own tools. */
  readonly database: string | undefined;
  readonly callsToday: number;
  /** Repositories of which nothing was read for long, newest first. */
  readonly stale: readonly StaleRepository[];
}

export interface SettingLine {
  readonly name: string;
  /** `undefined` if the setting has no value. */
  readonly value: string | undefined;
  readonly from: string;
  readonly flag: string | undefined;
  readonly environment: string | undefined;
  readonly help: string;
}

/** The kinds of runs. Runs that change the pool wait for each other. */
export type RunOrder =
  /** `folder` is as the administrator typed it. Without it, every known repository is read. */
  | { readonly kind: "ingest"; readonly folder?: string }
  | { readonly kind: "recount" | "rescore" }
  | { readonly kind: "merge" | "split"; readonly a: string; readonly b: string }
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
  /** How the run ended, in words; `undefined` until then. */
  readonly outcome: string | undefined;
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
}

export interface Runs {
  /** Whether this server can start runs: not if its data is in memory or read-only. */
  readonly canStart: boolean;
  /** Administrators may name new folders inside these; empty: no new folders. */
  readonly roots: readonly string[];
  /** The runs of this server: first those under way, then the latest. */
  list(): readonly RunStatus[];
  /** An import into the pool that another process runs. */
  findForeign(): Promise<
    { readonly holder: string; readonly progress: RunProgress | undefined } | undefined
  >;
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

export interface IdentityPair {
  readonly people: readonly [PairedPerson, PairedPerson];
  readonly clues: readonly string[];
}

/** A name and an address as commits have them. */
interface AuthorSpelling {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

export interface JoinedIdentity {
  readonly spellings: readonly AuthorSpelling[];
  /** Why two spellings, each as `Name <e-mail>`, are one person. */
  readonly joins: readonly {
    readonly evidence: string;
    readonly detail: string;
    readonly spellings: readonly [string, string];
  }[];
}

export interface PairedPerson {
  readonly login: string;
  readonly accounts: readonly string[];
  readonly spellings: readonly (AuthorSpelling & { readonly repositories: readonly string[] })[];
}

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

export interface ErasurePreviewLines {
  readonly logins: readonly string[];
  readonly formerLogins: readonly string[];
  readonly addresses: readonly string[];
  readonly accounts: readonly string[];
}

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
