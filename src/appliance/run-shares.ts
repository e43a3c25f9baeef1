/** How much time the runs of saved searches take: a tenth of all, and for each account as much as for the others. */

/** Of one account, for one change of the pool. */
const accountMsMax = 1000;
/** Pauses are so many times as long as the run before them. */
const pausesPerRun = 9;
const pauseMsMin = 20;

/** @package */
export function createRunShares() {
  const usedMs = new Map<string, number>();
  const readUsed = (accountId: string) => usedMs.get(accountId) ?? 0;
  return {
    hasTime: (accountId: string) => readUsed(accountId) < accountMsMax,
    /** @returns how long to wait before the next run. */
    noteRun(accountId: string, ms: number): number {
      usedMs.set(accountId, readUsed(accountId) + ms);
      return Math.max(pauseMsMin, pausesPerRun * ms);
    },
  };
}
