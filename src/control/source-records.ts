/** Sources that Roster reads by itself, and the runs that have ended, as plain data. */
import type { ControlRow } from "./tables/control-tables.ts";

export type StoredSource = ControlRow<"sources">;

export type { SourceState } from "./tables/source-tables.ts";

/** A request to the node that reads a source. Without a repository, the whole source is meant. */
export interface SourceAsk {
  readonly id: string;
  readonly repository: string | undefined;
}

export type EndedRun = ControlRow<"endedRuns">;

/** The number of ended runs that are stored. */
export const endedRunsMax = 200;
