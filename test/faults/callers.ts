/** Callers over HTTP, and the oracle that hears what they are told. */
import { openOracle } from "./oracle.ts";

const clients = 24;
export const emails = ["ada@example.com", "ben@example.com"] as const;

/** Callers that ask all nodes in turn until they are stopped. */
export function startCallers(addresses: readonly string[], keys: readonly string[]) {
  const oracle = openOracle();
  const totals = { acknowledged: 0, refused: 0, unknown: 0 };
  const notCounted = new Map<string, number>();
  let isStopped = false;
  const callOnce = async (turn: number) => {
    const place = turn % keys.length;
    const email = emails[place] as string;
    oracle.sent(email);
    const url = `${addresses[turn % addresses.length]}/v1/users/nobody-here`;
    const headers = { "x-api-key": keys[place] as string };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) }).catch(
      () => undefined,
    );
    const body = await answer?.json().catch(() => undefined);
    const quota = (body as { meta?: { quota?: Quota } } | undefined)?.meta?.quota;
    if (answer?.status === 429 || answer?.status === 503) {
      notCounted.set(email, (notCounted.get(email) ?? 0) + 1);
      totals.refused += 1;
    } else if (quota && answer?.status === 404) {
      totals.acknowledged += 1;
      oracle.acknowledged(email, quota);
    } else if (!answer || !body || answer.status === 500) {
      // A fault tells the usage as it is, too: that is no acknowledgement.
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
    ...{ oracle, totals, notCounted },
    stop: async () => {
      isStopped = true;
      await calling;
    },
  };
}

interface Quota {
  readonly used: number;
  readonly limit: number;
  readonly month: string;
}
