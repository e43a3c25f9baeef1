/**
 * Charges one account from eight sides at once, so many calls in all, and says `used` of each on a line of its own
 * once the charge is acknowledged. Ends without closing, as a machine does that loses its power.
 */
import { writeSync } from "node:fs";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import { createQuota } from "../../../src/control/quota.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";

const [path, key, calls, instant] = process.argv.slice(2) as [string, string, string, string];
const now = () => new Date(instant);
const control = openSqliteControlStore(path);
const identity = await (await openAccounts(control, { now })).authenticate(key);
if (!identity) throw new Error("the key is not accepted");
const quota = createQuota(control, {
  now,
  countsInvalid: false,
  trialDays: undefined,
  lookupsPerMinute: 120,
});
let left = Number(calls);

async function chargeOnAndOn(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const usage = await quota.charge({
      ...(identity as NonNullable<typeof identity>),
      requestId: "req_1",
    });
    writeSync(1, `${usage.quota.used}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, chargeOnAndOn));
process.kill(process.pid, "SIGKILL");
