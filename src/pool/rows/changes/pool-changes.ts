import type { PoolChanges } from "../../changes.ts";
import type { PoolContext } from "../pool-context.ts";
import { hasExpired, pruneDepartures } from "./departures.ts";
import { readChanges } from "./read-changes.ts";

/** @param cleanUp removes the old bytes of deleted logins. */
export function createPoolChanges(
  { read, change }: PoolContext,
  now: () => Date,
  cleanUp: () => unknown,
): PoolChanges {
  return {
    list: (asked) => read((rows) => readChanges(rows, asked)),
    async prune(keepDays) {
      // Usually nothing has expired, and then nothing is written.
      if (!(await read((rows) => hasExpired(rows, now(), keepDays)))) return;
      await change((rows) => pruneDepartures(rows, now(), keepDays));
      await cleanUp();
    },
  };
}
