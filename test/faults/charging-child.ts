/**
 * Waits until its input ends, then charges one account by eight callers at once, a given number of times or until a refusal.
 * Prints each acknowledged `used` and the code of a refusal. Ends without closing, like a machine that loses power.
 */
import { writeSync } from "node:fs";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { openQuota } from "./office.ts";

const [path = "", key = "", instant = "", calls = "Infinity"] = process.argv.slice(2);
const now = () => new Date(instant);
const control = openSqliteControlStore(path);
const identity = await (await openAccounts(control, { now })).authenticate(key);
if (!identity) throw new Error("the key is not accepted");
const quota = openQuota(control, now);
const caller = { ...identity, requestId: "req_1" };
let left = Number(calls);

async function chargeOnAndOn(): Promise<void> {
  while (left-- > 0) {
    const startedMs = performance.now();
    try {
      writeSync(1, `${(await quota.charge(caller)).quota.used}\n`);
    } catch (refusal) {
      writeSync(1, `${(refusal as { code: string }).code}\n`);
      return;
    }
    // SQLite's lock is not fair: without a pause as long as a call the first process in would have it to the end.
    await Bun.sleep(Math.max(1, performance.now() - startedMs));
  }
}

writeSync(1, "ready\n");
await Bun.stdin.text();
await Promise.all(Array.from({ length: 8 }, chargeOnAndOn));
process.kill(process.pid, "SIGKILL");
