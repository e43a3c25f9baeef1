/** Limits the time of saved searches. All searches together run for a tenth of the time. Each account has the same limit. */

/** How long the searches of one account may run after a change of the pool, in milliseconds. */
const accountMsMax = 1000;
/** The pause after a run is this many times longer than the run. */
const pausesPerRun = 9;
const pauseMsMin = 20;

/** @package */
export function createRunShares() {
  const usedMs = new Map<string, number>();
  const readUsed = (accountId: string) => usedMs.get(accountId) ?? 0;
  return {
    hasTime: (accountId: string) => readUsed(accountId) < accountMsMax,
    /** Records a run's duration. @returns how many milliseconds to wait before the next run. */
    noteRun(accountId: string, ms: number): number {
      usedMs.set(accountId, readUsed(accountId) + ms);
      return Math.max(pauseMsMin, pausesPerRun * ms);
    },
  };
}
