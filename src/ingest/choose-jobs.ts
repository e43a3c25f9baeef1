import { availableParallelism } from "node:os";

/**
 * One thread takes what all git processes say, and has 0.43 of the work of reading real histories: it keeps less than two more
 * processors busy, and each process takes 60 to 90 MB.
 */
const jobsMax = 4;

/** How many repositories are read at a time, unless somebody says so: one for each processor. */
export function chooseJobs(): number {
  return Math.min(jobsMax, availableParallelism());
}
