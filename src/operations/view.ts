/**
 * The parts of an answer for people at a terminal and for models. Both read the same sentences. A terminal may show a table where
 * models read lines.
 */

/** A string is a sentence about the answer; rows are the answer itself. Commands write sentences to standard error. */
export type ViewPart = string | ViewRows;

export interface ViewRows {
  lines(): readonly string[];
  /** What a terminal shows instead of the lines. */
  readonly table?: ViewTable;
}

export interface ViewTable {
  readonly title?: string;
  /** The headings of the columns. A list of names and values has no headings. */
  readonly headings?: readonly string[];
  rows(): readonly (readonly string[])[];
}

export function joinKnown(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("; ");
}

export function listLines(parts: readonly ViewPart[]): string[] {
  return parts.flatMap((part) => (typeof part === "string" ? part : part.lines()));
}
