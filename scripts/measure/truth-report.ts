/** One figure against its bar; what `--json` prints. */
export interface TruthRow {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  readonly met: boolean;
}

/** What a truth found: its rows, and in words each case that it counts as wrong. */
export interface Truth {
  readonly rows: readonly TruthRow[];
  /** The same figures for each part of the input; only the table shows them. */
  readonly parts?: readonly { readonly name: string; readonly rows: readonly TruthRow[] }[];
  readonly counts: string;
  /** What was looked at, a line each; the table shows it first. */
  readonly listing?: readonly string[];
  readonly misses: readonly string[];
  /** What could not be compared, and what would help. */
  readonly skipped?: readonly string[];
}

/** A file that is missing or not of the form a truth expects; shown to the user as it is. */
export class UnreadableTruth extends Error {}
