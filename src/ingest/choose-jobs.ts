import { availableParallelism } from "node:os";

/** The most repositories read at once. One thread reads the output of all git processes, and two or three keep it busy. */
const jobsMax = 4;

/** Returns how many repositories are read at once by default: one for each processor, up to the limit. */
export function chooseJobs(): number {
  return Math.min(jobsMax, availableParallelism());
}
