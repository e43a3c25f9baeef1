/** Decision 45: up to when it can be said who is still there. Days are UTC days since 1970. */
import { historyAgeMax } from "../contract/people/history-end.ts";
import { type AuthorshipHead, commitFlags, type KnownRepository } from "../pool/pool.ts";

/** As-of, or the end of what was read of the repositories: nobody has left by what was not read. */
export function findUntilDay(repositories: readonly KnownRepository[], asOfDay: number): number {
  const last = Math.max(...repositories.map(({ lastDay }) => lastDay));
  // Where no commit has a day, nobody does.
  return last > 0 ? Math.min(asOfDay, last) : asOfDay;
}

/** The day as of which reviewers are named: forges may tell of reviews that are later than the last commit that was read. */
export function findReviewDay(
  { columns: { day, flags } }: AuthorshipHead,
  { asOfDay, untilDay }: { readonly asOfDay: number; readonly untilDay: number },
): number {
  // They stand behind all commits, oldest first.
  for (let at = day.length - 1; at >= 0; at--) {
    const isReview = ((flags[at] ?? 0) & commitFlags.isReview) !== 0;
    if (!isReview) return untilDay;
    const on = day[at] ?? 0;
    if (on <= asOfDay) return Math.max(untilDay, on);
  }
  return untilDay;
}

/** Whether what was read ends so long ago that nobody can be said to be active, or not. */
export function isHistoryStale({
  asOfDay,
  untilDay,
}: {
  readonly asOfDay: number;
  readonly untilDay: number;
}): boolean {
  return asOfDay - untilDay > historyAgeMax;
}
