/** What the pages of administrators show and start. The wiring implements it, since several modules take part. */

export interface Administration {
  overview(): Promise<Overview>;
  /** Every setting in force, as `config show` prints it. */
  settings(): readonly SettingLine[];
  readonly runs: Runs;
  /** Pairs of author identities who may be one person. */
  readonly suggestions: Study<readonly IdentityPair[]>;
  /** Who would move if everybody were judged anew. */
  readonly rescorePreview: Study<RescorePreview>;
  /** Which author identities in git histories are the person of a login; `undefined` when none are. */
  identityOf(login: string): Study<JoinedIdentity | undefined>;
  /** Whom an erasure would take. What is asked for is known by a number of its own, so that no address names anybody. */
  readonly erasures: {
    /** @param person a login or an e-mail address. @returns its number. */
    look(person: string): string;
    find(
      number: string,
    ): { readonly person: string; readonly study: Study<ErasurePreviewLines> } | undefined;
  };
  readonly model: { version(): string; readonly file: string | undefined };
  /** The repositories that are known, each with the instant in which it was last read. */
  repositories(): readonly { readonly readAt: string }[];
}

export interface Overview {
  /** What keeps calls from being served, with the way out; empty when all is well. */
  readonly faults: readonly string[];
  /** What should be looked at, and keeps nothing from being served. */
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
  /** Whether the settings have backups made by themselves. */
  readonly hasBackupSchedule: boolean;
  /** The database that nodes share, without user and password: it is backed up with its own tools. */
  readonly database: string | undefined;
  readonly callsToday: number;
}

export interface SettingLine {
  readonly name: string;
  /** `undefined` when it has none. */
  readonly value: string | undefined;
  readonly from: string;
  readonly flag: string | undefined;
  readonly environment: string | undefined;
  readonly help: string;
}

/** What can be started. Runs that change the pool wait for each other. */
export type RunOrder =
  /** `folder` as an administrator typed it; without one, every repository that is known. */
  | { readonly kind: "ingest"; readonly folder?: string }
  | { readonly kind: "recount" | "rescore" }
  | { readonly kind: "merge" | "split"; readonly a: string; readonly b: string }
  | { readonly kind: "forget"; readonly person: string; readonly reason?: string | undefined };

export type RunState = "waiting" | "running" | "stopping" | "done" | "stopped" | "failed";

export interface RunStatus {
  readonly id: string;
  readonly kind: RunOrder["kind"];
  /** What it does, in words that name nobody. */
  readonly title: string;
  readonly state: RunState;
  /** The account that started it. */
  readonly by: string;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
  readonly progress: RunProgress | undefined;
  readonly canStop: boolean;
  /** Whom a decision is about. */
  readonly pair: readonly [string, string] | undefined;
  /** How it ended, in words; undefined before. */
  readonly outcome: string | undefined;
}

export interface RunProgress {
  readonly done: number;
  readonly total: number | undefined;
  readonly unit: string;
  readonly label?: string;
  /** Whether the total is that of what was looked at so far. */
  readonly isTotalGrowing?: boolean;
}

export interface Runs {
  /** Whether this server can start any: not in memory, and not read-only. */
  readonly canStart: boolean;
  /** Folders below which a new one may be named; none: none may. */
  readonly roots: readonly string[];
  /** Those of this server: under way first, then the latest. */
  list(): readonly RunStatus[];
  /** What imports into the pool and was started elsewhere. */
  findForeign(): Promise<
    { readonly holder: string; readonly progress: RunProgress | undefined } | undefined
  >;
  /** @param by the account. */
  start(
    order: RunOrder,
    by: string,
  ): Promise<
    | { readonly ok: true; readonly run: RunStatus }
    | { readonly ok: false; readonly message: string; readonly field?: string }
  >;
  /** Ends it at the next whole step; the pool stays as it was. @returns whether it can be stopped. */
  stop(id: string, by: string): Promise<boolean>;
}

/** Something that takes a process of its own to find out; kept until it is asked for again. */
export interface Study<Result> {
  /** Starts it, unless it is under way. */
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
      /** The pool has changed since. */
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
  /** Why they are one person, each of two spellings as `Name <e-mail>`. */
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

/** A forge that is asked for people; instants are ISO 8601 in UTC. */
export interface SourceStatus {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly isConfigured: boolean;
  readonly isRunning: boolean;
  /** When all of its lists were last read to their end. */
  readonly completedAt: string | undefined;
  readonly pausedUntil: string | undefined;
  readonly nextAt: string | undefined;
  readonly people: number;
  readonly repositories: number;
  /** Left out in the last run: not for everybody to see, and forgotten people. */
  readonly hidden: number;
  readonly suppressed: number;
  /** Of the forge's own limit; undefined when it names none. */
  readonly remaining: number | undefined;
  /** What stopped the last run, in words. */
  readonly fault: string | undefined;
}
