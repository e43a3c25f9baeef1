/** Decision 45: the day up to which the history tells whether people are still active. Days are UTC days since 1970. */
import { historyAgeMax } from "../contract/people/history-end.ts";
import { type AuthorshipHead, commitFlags, type KnownRepository } from "../pool/pool.ts";

/** The day of a question, and the result of `findUntilDay`. */
interface AskedDays {
  readonly asOfDay: number;
  readonly untilDay: number;
}

/**
 * Returns the as-of day, or the last day of the history that was read if that is earlier. Missing history must not make people
 * count as having left.
 */
export function findUntilDay(repositories: readonly KnownRepository[], asOfDay: number): number {
  const last = Math.max(...repositories.map(({ lastDay }) => lastDay));
  // Without dated commits, the end of the history is unknown.
  return last > 0 ? Math.min(asOfDay, last) : asOfDay;
}

/** Returns the day up to which reviews count. Forges may report reviews later than the last commit that was read. */
export function findReviewDay(
  { columns: { day, flags } }: AuthorshipHead,
  { asOfDay, untilDay }: AskedDays,
): number {
  // All commits come first and then the reviews, from oldest to newest. So search backwards for the newest review.
  for (let at = day.length - 1; at >= 0; at--) {
    const isReview = ((flags[at] ?? 0) & commitFlags.isReview) !== 0;
    if (!isReview) return untilDay;
    const on = day[at] ?? 0;
    if (on <= asOfDay) return Math.max(untilDay, on);
  }
  return untilDay;
}

/** Whether the history that was read ends too long ago to tell whether people are active. */
export function isHistoryStale({ asOfDay, untilDay }: AskedDays): boolean {
  return asOfDay - untilDay > historyAgeMax;
}
