import type { Caller } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";
import { toNetworkKey } from "../network/ip-address.ts";
import { createWindowCounts } from "./window-counts.ts";

/** A network may make this many times as many look-ups as one account, because the accounts of an office can share an address. */
const accountsPerNetwork = 5;

/**
 * @package @returns a function that counts one look-up, or throws Problem `quota_exceeded`. Each call of this function returns
 * another function, which takes the count back. The operator has no limit (decision 24).
 */
export function createLookupThrottle(now: () => Date, perMinute: number) {
  const byAccount = createWindowCounts(now, 60);
  const byNetwork = createWindowCounts(now, 60);
  return (caller: Pick<Caller, "accountId" | "address" | "credential">): (() => void) => {
    const { accountId, address, credential } = caller;
    if (credential.kind === "operator") return () => {};
    const own = byAccount.add(accountId, 1);
    if (own.count > perMinute) {
      throw createRefusal("account", perMinute, byAccount.add(accountId, -1).leftSeconds);
    }
    const network = address === undefined ? undefined : toNetworkKey(address);
    const takeBack = () => {
      byAccount.add(accountId, -1);
      if (network !== undefined) byNetwork.add(network, -1);
    };
    const perNetwork = perMinute * accountsPerNetwork;
    if (network === undefined || byNetwork.add(network, 1).count <= perNetwork) return takeBack;
    takeBack();
    throw createRefusal("address", perNetwork, byNetwork.add(network, 0).leftSeconds);
  };
}

function createRefusal(limited: string, perMinute: number, seconds: number): Problem {
  return new Problem("quota_exceeded", {
    message: `Too many look-ups: one ${limited} may make ${perMinute} a minute. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}
