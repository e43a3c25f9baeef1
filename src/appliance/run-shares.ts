/** Limits the time of saved searches: together they run a tenth of the time, and each account has an equal limit. */

/** The time limit of one account after each change of the pool. */
const accountMsMax = 1000;
/** A pause is this many times as long as the run before it. */
const pausesPerRun = 9;
const pauseMsMin = 20;

/** @package */
export function createRunShares() {
  const usedMs = new Map<string, number>();
  const readUsed = (accountId: string) => usedMs.get(accountId) ?? 0;
  return {
    hasTime: (accountId: string) => readUsed(accountId) < accountMsMax,
    /** Records a run's duration. @returns how long to wait before the next run. */
    noteRun(accountId: string, ms: number): number {
      usedMs.set(accountId, readUsed(accountId) + ms);
      return Math.max(pauseMsMin, pausesPerRun * ms);
    },
  };
}
