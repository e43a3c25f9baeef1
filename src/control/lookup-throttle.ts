import type { Caller } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";
import { toNetworkKey } from "../network/ip-address.ts";
import { createWindowCounts } from "./window-counts.ts";

/** Behind one address there may be an office with several accounts. */
const accountsPerNetwork = 5;

/**
 * @package
 * @returns a function that counts one look-up. Beyond the limit it counts nothing and throws Problem quota_exceeded.
 *   The command line's own account has no limits (decision 24).
 */
export function createLookupThrottle(now: () => Date, perMinute: number) {
  const byAccount = createWindowCounts(now, 60);
  const byNetwork = createWindowCounts(now, 60);
  return (caller: Pick<Caller, "accountId" | "address" | "credential">): void => {
    const { accountId, address, credential } = caller;
    if (credential.kind === "operator") return;
    const own = byAccount.add(accountId, 1);
    if (own.count > perMinute) {
      throw createRefusal("account", perMinute, byAccount.add(accountId, -1).leftSeconds);
    }
    if (address === undefined) return;
    const network = toNetworkKey(address);
    const perNetwork = perMinute * accountsPerNetwork;
    if (byNetwork.add(network, 1).count <= perNetwork) return;
    byAccount.add(accountId, -1);
    throw createRefusal("address", perNetwork, byNetwork.add(network, -1).leftSeconds);
  };
}

function createRefusal(limited: string, perMinute: number, seconds: number): Problem {
  return new Problem("quota_exceeded", {
    message: `Too many look-ups: one ${limited} has ${perMinute} a minute. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
