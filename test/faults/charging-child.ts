/**
 * Says when it is ready, waits until its input ends, then charges one account from many sides at once until
 * it is refused, all at one instant, and prints each `used` it was given.
 */
import { openAccounts } from "../../src/accounts/accounts.ts";
import { createQuota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

const [path, key, instant] = process.argv.slice(2) as [string, string, string];
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
const caller = { ...identity, requestId: "req_1" };
const used: number[] = [];

async function chargeUntilRefused(): Promise<string> {
  for (;;) {
    const startedMs = performance.now();
    try {
      used.push((await quota.charge(caller)).quota.used);
      // SQLite's lock is not fair: without a pause as long as a call the first process in would have it to the end.
      await Bun.sleep(Math.max(1, performance.now() - startedMs));
    } catch (refusal) {
      return (refusal as { code: string }).code;
    }
  }
}

process.stdout.write("ready\n");
await Bun.stdin.text();
const ends = await Promise.all(Array.from({ length: 8 }, chargeUntilRefused));
process.stdout.write(JSON.stringify({ used, ends: [...new Set(ends)] }));
