/** Sources that Roster reads by itself, and runs, as plain data. */
import type { ControlRow } from "./tables/control-tables.ts";

export type StoredSource = ControlRow<"sources">;

export type { SourceState } from "./tables/source-tables.ts";

/** A request to the node that reads a source. Without a repository, the whole source is meant. */
export interface SourceAsk {
  readonly id: string;
  readonly repository: string | undefined;
}

export type StoredRun = ControlRow<"runs">;

/** Who starts runs besides accounts. */
export const starters: Readonly<Record<string, string>> = {
  ...{ server: "Roster", schedule: "the schedule", hook: "a push", command: "a command" },
};

/** The number of runs that are stored. */
export const endedRunsMax = 200;
