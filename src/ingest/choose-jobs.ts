import { availableParallelism } from "node:os";

/** The most repositories that are read at once by default. More would not be faster. */
const jobsMax = 4;

/** Returns the number of repositories that are read at once by default. */
export function chooseJobs(): number {
  return Math.min(jobsMax, availableParallelism());
}
