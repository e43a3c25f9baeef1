/** Decision 45: up to when it can be said who is still there. Days are UTC days since 1970. */
import { historyAgeMax } from "../contract/people/history-end.ts";
import type { KnownRepository } from "../pool/pool.ts";

/** As-of, or the end of what was read of the repositories: nobody has left by what was not read. @package */
export function findUntilDay(repositories: readonly KnownRepository[], asOfDay: number): number {
  const last = Math.max(...repositories.map(({ lastDay }) => lastDay));
  // Where no commit has a day, nobody does.
  return last > 0 ? Math.min(asOfDay, last) : asOfDay;
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
