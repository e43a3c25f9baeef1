/** Counts the commits that a person wrote under some of the person's spellings. */
import type { Connection } from "../../../sqlite/connection.ts";
import { readWork } from "./tally-rows.ts";

export interface Writer {
  /** Numbers of all spellings of the person. */
  readonly own: ReadonlySet<number>;
  readonly isHuman: boolean;
}

/**
 * Counts as `countWritten` of an analysis does: counted commits and excluded ones. A commit is counted under one spelling only, so
 * the numbers of all spellings add up to the person's number.
 */
export function countWrittenUnder(
  sqlite: Connection,
  spellings: readonly number[],
  { own, isHuman }: Writer,
): number {
  let written = 0;
  for (const { spelling, tally, shared } of readWork(sqlite, spellings)) {
    written += tally.days.length;
    if (tally.commits > 0) for (const count of tally.excluded.values()) written += count;
    for (const { author, coAuthors } of shared) {
      const first = [author, ...coAuthors].find((one) => own.has(one));
      if (first === spelling && (isHuman || first === author)) written += 1;
    }
  }
  return written;
}
