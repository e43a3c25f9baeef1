/** How a measurement of `scripts/bench` or `scripts/truth` is declared. */
import type { Row } from "./rows.ts";

/**
 * The flags of a measurement, each with the value that it has when it is not given. A flag that is `false` takes no value;
 * a list is given with commas.
 */
export type Options = Readonly<Record<string, number | string | boolean | readonly string[]>>;

export interface Findings {
  readonly rows: readonly Row[];
  /** The same figures for each part of the input. */
  readonly parts?: readonly { readonly name: string; readonly rows: readonly Row[] }[];
  /** How much was looked at, in one sentence. */
  readonly counts?: string;
  /** Lines that the table begins with. */
  readonly listing?: readonly string[];
  /** Each case that counts as wrong. */
  readonly misses?: readonly string[];
  /** What could not be compared, and what would help. */
  readonly skipped?: readonly string[];
}

interface Surroundings {
  /** Files and folders named on the command line. */
  readonly paths: readonly string[];
  /** An empty folder that is removed after the run. */
  readonly work: string;
}

export interface Measurement<Given extends Options = Options> {
  /** One line for `scripts/bench list`. */
  readonly about: string;
  /** The paths that it takes, such as `FILE [PATH...]`; none by default. */
  readonly takes?: string;
  /** A file below the root that must exist. */
  readonly needs?: "dist/roster";
  readonly options?: Given;
  run(given: Given & Surroundings): Promise<Findings>;
}

/** Each file in `bench/` and `truth/` exports what this returns as `measurement`. */
export function defineMeasurement<Given extends Options = Record<never, never>>(
  measurement: Measurement<Given>,
): Measurement {
  return measurement as unknown as Measurement;
}

/** The command line names something that is missing or has the wrong form. The user is shown the message alone. */
export class UnusableInput extends Error {}
