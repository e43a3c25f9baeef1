/**
 * `bun node-child.ts URL CLIENTS KEY...`: a node's accounts and quota on PostgreSQL, called by so many clients until it is
 * killed. A line for each call that goes out, `sent N`, and one for its end: `counted N USED LIMIT MONTH`, `refused N` (nothing was
 * counted), `unknown N`, or `wrong` and what should never be; `away N` for one that did not go out; N is the place of the key.
 */
import { writeSync } from "node:fs";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { isFault } from "../../src/contract/fault.ts";
import { Problem } from "../../src/contract/problem.ts";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { createQuota } from "../../src/control/quota.ts";

const [url = "", clients = "1", ...keys] = process.argv.slice(2);
const now = () => new Date();
const control = await openPostgresControlStore({ url, connectionsMax: 4 });
const accounts = await openAccounts(control, { now });
const terms = { countsInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
const quota = createQuota(control, { now, ...terms });
// At once, so that what was said is known even if the next instant is the last.
const say = (...words: readonly unknown[]) => void writeSync(1, `${words.join(" ")}\n`);
let turn = Number(process.pid);

async function callOnce(place: number): Promise<void> {
  const identity = await accounts.authenticate(keys[place] as string).catch((error) => {
    if (isFault(error, "database_away")) say("away", place);
    else say("wrong", error);
  });
  if (!identity) return Bun.sleep(20);
  say("sent", place);
  try {
    const usage = await quota.charge({ ...identity, requestId: "req_1" });
    say("counted", place, usage.quota.used, usage.quota.limit, usage.quota.month);
  } catch (thrown) {
    const isRefused = thrown instanceof Problem && thrown.code === "quota_exceeded";
    if (isRefused || isFault(thrown, "database_away")) say("refused", place);
    else if (isFault(thrown, "outcome_unknown")) say("unknown", place);
    else say("wrong", thrown);
  }
}

async function callOnAndOn(): Promise<never> {
  for (;;) {
    turn += 1;
    await callOnce(turn % keys.length);
  }
}

await Promise.all(Array.from({ length: Number(clients) }, callOnAndOn));
