/** Sources that Roster reads by itself, and the runs that have ended, as plain data. */

export interface StoredSource {
  readonly id: string;
  /** The source in the form of a table of `[[sources]]`, without id and token. Undefined for a source of the settings file. */
  readonly settings: object | undefined;
  /** The node that reads the source. Empty means the server of the data folder. */
  readonly reader: string;
  /** The random part of the secret of the source's push hook. Undefined means that the hook is off. */
  readonly hookSalt: string | undefined;
  readonly state: SourceState | undefined;
}

/** The outcome of the latest reading. */
export interface SourceState {
  /** Time when the source was last read completely, ISO 8601, UTC. */
  readonly completedAt?: string;
  readonly people?: number;
  readonly repositories?: number;
  /** Why the latest reading failed. */
  readonly fault?: string;
}

/** A request to the node that reads a source. Without a repository, the whole source is meant. */
export interface SourceAsk {
  readonly id: string;
  readonly repository: string | undefined;
}

export interface EndedRun {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly source: string | undefined;
  /** The id of an account, or `schedule`, `hook` or `command`. */
  readonly by: string;
  /** The name of the machine on which the run ended. */
  readonly machine: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly state: "done" | "stopped" | "failed";
  readonly outcome: string;
}

/** The number of ended runs that are stored. */
export const endedRunsMax = 200;
