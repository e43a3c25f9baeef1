/**
 * The parts of an answer for people at a terminal and for models. Both read the same sentences; a terminal may show a table instead of
 * lines. Lines quote what third parties wrote; cells of tables do not.
 */

/** A string is a sentence about the answer, which commands write to standard error. Rows are the result itself. */
export type ViewPart = string | ViewRows;

export interface ViewRows {
  lines(): readonly string[];
  /** What a terminal shows instead of the lines. */
  readonly table?: ViewTable;
}

export interface ViewTable {
  readonly title?: string;
  /** The headings of the columns; absent for a list of names and values. */
  readonly headings?: readonly string[];
  rows(): readonly (readonly string[])[];
}

export function joinKnown(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("; ");
}

export function listLines(parts: readonly ViewPart[]): string[] {
  return parts.flatMap((part) => (typeof part === "string" ? part : part.lines()));
}
