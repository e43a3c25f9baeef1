/** Callers over HTTP, and the oracle that hears what they are told. */
import { type Accounts, openAccounts } from "../../src/accounts/accounts.ts";
import type { ControlStore } from "../../src/control/control-store.ts";
import { openQuota } from "./office.ts";
import { openOracle } from "./oracle.ts";

const clients = 24;
const now = () => new Date();
const emails = ["ada@example.com", "ben@example.com"] as const;
export const callLimit = 1000;

/** @returns the keys of two accounts: one with `callLimit` calls a month, one without a limit. */
export async function createCallers(control: ControlStore): Promise<readonly string[]> {
  const accounts = await openAccounts(control, { now });
  const create = async (email: string, callsPerMonth: number | "unlimited") => {
    const limits = { callsPerDay: "unlimited", callsPerMonth } as const;
    return (await accounts.create({ email, plan: "pro", ...limits })).key;
  };
  return [await create(emails[0], callLimit), await create(emails[1], "unlimited")];
}

/** Callers that ask all nodes in turn until they are stopped. */
export function startCallers(addresses: readonly string[], keys: readonly string[]) {
  const oracle = openOracle();
  const totals = { acknowledged: 0, overLimit: 0, away: 0, unknown: 0 };
  const notCounted = new Map<string, number>();
  let isStopped = false;
  const callOnce = async (turn: number) => {
    const place = turn % keys.length;
    const email = emails[place] as string;
    oracle.sent(email);
    // Every account at every node.
    const address = addresses[Math.floor(turn / keys.length) % addresses.length];
    const url = `${address}/v1/users/nobody-here`;
    // A new connection for each call: fetch repeats a call that a kept connection has lost.
    const headers = { "x-api-key": keys[place] as string, connection: "close" };
    const answer = await fetch(url, {
      headers,
      keepalive: false,
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined);
    const body = await answer?.json().catch(() => undefined);
    const quota = (body as { meta?: { quota?: Quota } } | undefined)?.meta?.quota;
    if (answer?.status === 429 || answer?.status === 503) {
      notCounted.set(email, (notCounted.get(email) ?? 0) + 1);
      totals[answer.status === 429 ? "overLimit" : "away"] += 1;
    } else if (quota && answer?.status === 404) {
      totals.acknowledged += 1;
      oracle.acknowledged(email, quota);
    } else if (!answer || !body || answer.status === 500) {
      // An answer 500 also names the usage, but acknowledges no call.
      totals.unknown += 1;
      // A node that is dead answers at once.
      await Bun.sleep(20);
    } else oracle.violations.push(`${answer.status} ${JSON.stringify(body)}`);
  };
  const call = async (client: number) => {
    for (let turn = client; !isStopped; turn += clients + 1) await callOnce(turn);
  };
  const calling = Promise.all(Array.from({ length: clients }, (_, client) => call(client)));
  return {
    ...{ violations: oracle.violations, totals },
    /** @returns what is not as the callers were told; empty when all is. */
    stop: async (control: ControlStore): Promise<readonly string[]> => {
      isStopped = true;
      await calling;
      const accounts = await openAccounts(control, { now });
      for (const [place, email] of emails.entries()) {
        const used = await readUsage(control, accounts, keys[place] as string);
        oracle.compare(email, { ...used, refused: notCounted.get(email) ?? 0 });
        if (place === 0 && used.used > callLimit) oracle.violations.push(`${used.used} counted`);
      }
      return oracle.violations;
    },
  };
}

async function readUsage(control: ControlStore, accounts: Accounts, key: string) {
  const quota = openQuota(control, now);
  const { accountId = "" } = (await accounts.authenticate(key)) ?? {};
  return (await quota.usage({ accountId })).quota;
}

/** Waits until something is done, however long it takes. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await Bun.sleep(5);
}

interface Quota {
  readonly used: number;
  readonly limit: number;
  readonly month: string;
}
