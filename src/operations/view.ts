/**
 * What an answer shows to people at a terminal and to models. Both read the same sentences; where a model reads lines, a
 * terminal may have a table. Texts of third parties stand in quotes in all of them, and as they are in a table's cells.
 */

/** A text is a sentence about the answer, which a command writes beside its result; rows are the result. */
export type ViewPart = string | ViewRows;

export interface ViewRows {
  lines(): readonly string[];
  /** What a terminal shows instead of the lines. */
  readonly table?: ViewTable;
}

export interface ViewTable {
  readonly title?: string;
  /** Absent for names and values. */
  readonly headings?: readonly string[];
  rows(): readonly (readonly string[])[];
}

/** Joins the parts that are known. */
export function joinKnown(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("; ");
}

/** The lines that a model reads. */
export function listLines(parts: readonly ViewPart[]): string[] {
  return parts.flatMap((part) => (typeof part === "string" ? part : part.lines()));
}
