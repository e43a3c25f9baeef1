/** Limits the time of saved searches. All together, they run for a tenth of the time; each account has the same limit. */

/** How long the searches of one account may run after each change of the pool. */
const accountMsMax = 1000;
/** How many times longer the pause after a run is than the run itself. */
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
