import { availableParallelism } from "node:os";

/**
 * The most repositories read at once. One thread processes the output of all git processes and does 0.43 of the work, so it
 * serves fewer than three git processes. Each process takes 60 to 90 MB.
 */
const jobsMax = 4;

/** Returns how many repositories are read at once by default: one for each processor, up to the limit. */
export function chooseJobs(): number {
  return Math.min(jobsMax, availableParallelism());
}
