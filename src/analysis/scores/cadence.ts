import { toMonthIndex } from "../calendar.ts";
import type { FactsAsOf } from "../facts-as-of.ts";
import type { Model } from "../model.ts";
import { roundHalfUp } from "./curve.ts";
import { findFirstDay } from "./experience.ts";

/** How often somebody commits. All months are full months before as-of. */
export interface Cadence {
  /** `commits_per_month`: over the last window, or a younger history's own length; two decimals. */
  readonly perMonth: number;
  /**
   * Per month of the last window and of the best one in the look-back, exact. Always divided by the whole
   * window: a young history's shorter divisor would let an older commit lower the volume term.
   */
  readonly lastYear: number;
  readonly bestYear: number;
  /** Months with commits within the window that has most of them, and the commits in it. */
  readonly activeMonths: number;
  readonly activeWindowCommits: number;
  /** Volume by month within the look-back, newest first. */
  readonly volume: readonly number[];
}

/** @returns `undefined` when no source looked at commits. */
export function measureCadence(counted: FactsAsOf, { activity }: Model): Cadence | undefined {
  if (!counted.commits) return undefined;
  const { windowMonths, lookBackMonths, youngMonthsMin } = activity;
  const volume = new Array<number>(lookBackMonths).fill(0);
  for (const { age, amount } of counted.commits.volume) {
    // Age 0 is the month of as-of itself: not a full month, so in no window.
    if (age >= 1 && age <= lookBackMonths) volume[age - 1] = (volume[age - 1] ?? 0) + amount;
  }
  let lastCommits = 0;
  let bestCommits = 0;
  let activeMonths = 0;
  let activeWindowCommits = 0;
  for (let start = 0; start + windowMonths <= lookBackMonths; start++) {
    let commits = 0;
    let active = 0;
    for (let at = start; at < start + windowMonths; at++) {
      const month = volume[at] ?? 0;
      commits += month;
      if (month > 0) active++;
    }
    if (start === 0) lastCommits = commits;
    bestCommits = Math.max(bestCommits, commits);
    if (active > activeMonths || (active === activeMonths && commits > activeWindowCommits)) {
      activeMonths = active;
      activeWindowCommits = commits;
    }
  }
  const first = findFirstDay(counted);
  const history = first === undefined ? 0 : counted.asOfMonth - toMonthIndex(first);
  const divisor = Math.min(windowMonths, Math.max(youngMonthsMin, history));
  return {
    perMonth: roundHalfUp(lastCommits / divisor, 2),
    lastYear: lastCommits / windowMonths,
    bestYear: bestCommits / windowMonths,
    activeMonths,
    activeWindowCommits,
    volume,
  };
}
