import { availableParallelism } from "node:os";

/** The most repositories that are read at once by default. More would not be faster. */
const jobsMax = 4;

export function chooseJobs(): number {
  return Math.min(jobsMax, availableParallelism());
}
