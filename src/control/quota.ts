import type { Caller } from "../contract/caller.ts";
import type { QuotaUsage } from "../contract/envelope.ts";
import { plans } from "../contract/limits.ts";
import { Problem, toProblem } from "../contract/problem.ts";
import { toNetworkKey } from "../network/ip-address.ts";
import {
  type AccountUsage,
  type ChargedCall,
  type ChargeTerms,
  type ControlStore,
  isExhausted,
  type WindowCount,
} from "./control-store.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createWindowCounts } from "./window-counts.ts";

export type { RepeatableCall } from "./control-store.ts";
export { repeatableMs } from "./windows.ts";

/** Limits how often accounts may call. Calls are counted exactly and durably. */
export type Quota = ReturnType<typeof createQuota>;

export type Usage = ReturnType<typeof toUsage> & {
  /** Whether the call was not counted, because it repeats a counted call. */
  readonly isRepeat?: true | undefined;
};

export type WindowUsage = ReturnType<typeof toWindowUsage>;

interface QuotaOptions {
  readonly now: () => Date;
  /** Returns the terms in force. They may change. */
  readonly terms: () => {
    readonly countInvalid: boolean;
    /** The days that the free plan lasts after the account's creation. `undefined` means that it has no end (decision 25). */
    readonly trialDays: number | undefined;
    /** The number of free requests that one account may make in a minute (decision 32). */
    readonly lookupsPerMinute: number;
  };
}

export function createQuota(control: ControlStore, options: QuotaOptions) {
  const { now } = options;
  const terms = (): ChargeTerms => {
    const { trialDays: days } = options.terms();
    return { plans, trial: days === undefined ? undefined : { plan: "free", days } };
  };
  const commits = createGroupCommit(async (callers: readonly (Caller & ChargedCall)[]) => {
    const present = callers.filter(({ isGone }) => !isGone?.());
    const outcomes = present.length === 0 ? [] : await control.charge(present, now(), terms());
    // Outcomes exist only for the callers who are still connected.
    let at = 0;
    return callers.map((caller) => (caller === present[at] ? outcomes[at++] : undefined));
  });
  const readUsage = async ({ accountId }: Pick<Caller, "accountId">, at: Date) => {
    const [usage] = await control.usages([accountId], at, terms());
    if (!usage) throw new Problem("unauthorized");
    return usage;
  };
  return {
    /** Whether malformed calls count too (decision 21). */
    countsInvalid: () => options.terms().countInvalid,
    /**
     * Refuses a call before any work is done. `charge` makes the final decision.
     * @throws Problem `quota_exceeded` if no call is left or the trial is over.
     */
    refuseIfExhausted: async (caller: Pick<Caller, "accountId">) => {
      const at = now();
      const usage = await readUsage(caller, at);
      const refusal = findQuotaRefusal(usage, at);
      if (refusal) throw refusal;
    },
    /**
     * Counts a call in the account's month and day (decisions 21 to 25). A refused call is not counted.
     * @returns the usage, which includes this call.
     * @throws Problem `quota_exceeded` if no call is left. @throws Problem `unauthorized` if the credential was revoked.
     */
    charge: async (call: Caller & ChargedCall): Promise<Usage> => {
      const outcome = await commits.add(call);
      if (!outcome) throw new Problem("invalid_request", { message: goneMessage, status: 499 });
      const { result } = outcome;
      if (result === "counted") return toUsage(outcome.usage, now());
      if (result === "repeated") return { ...toUsage(outcome.usage, now()), isRepeat: true };
      if (result === "unauthorized") throw new Problem("unauthorized");
      if (result === "other-request") {
        throw new Problem("invalid_request", { message: keyMessage, status: 422 });
      }
      if (result === "failed") throw toProblem(outcome.cause);
      throw (
        findQuotaRefusal(outcome.usage, now(), call.calls) ??
        new Error("a call was refused with calls left")
      );
    },
    /**
     * Counts a request that costs no call. Accounts and networks have a limit per minute (decision 32).
     * @returns a function that takes the count back, for a request that costs a call after all.
     * @throws Problem `quota_exceeded` beyond the limit.
     */
    throttle: createLookupThrottle(now, () => options.terms().lookupsPerMinute),
    /** Returns the current usage. No call is counted. @throws Problem `unauthorized` for an unknown account. */
    usage: async (caller: Pick<Caller, "accountId">): Promise<Usage> => {
      const at = now();
      return toUsage(await readUsage(caller, at), at);
    },
    /** Records that an administrator has confirmed the machine's clock after it stepped back. */
    acceptClock: async () => {
      const at = now();
      if ((await control.clockFault(at)) === undefined) return;
      const clock = { action: "clock.accepted", subject: "clock", detail: {} } as const;
      await control.acceptClock({ ...clock, at, actor: "operator" });
    },
    /** Commits all pending calls. Await it before closing the store. */
    drain: commits.drain,
  };
}

const keyMessage =
  "this Idempotency-Key was sent with another request in the last ten minutes; send a new key";

/** Only the log shows this message, because the caller has left. */
const goneMessage = "the connection ended before the answer";

function toUsage({ month, day, trialEndsMs }: AccountUsage, now: Date) {
  const { used, limit = unlimitedOnTheWire, window } = month;
  return {
    /** The usage in the format of the API. */
    quota: { used, limit, month: window.name } satisfies QuotaUsage,
    month: toWindowUsage(month, now),
    day: toWindowUsage(day, now),
    /** The end of the trial. `undefined` means that the plan is not a trial (decision 25). */
    trialEndsAt: trialEndsMs === undefined ? undefined : new Date(trialEndsMs),
  };
}

/** The number that means "unlimited" to existing clients (decision 22). */
export const unlimitedOnTheWire = -1;

function toWindowUsage({ used, limit, window }: WindowCount, now: Date) {
  return {
    used,
    /** The greatest number of calls. `undefined` means unlimited. */
    limit,
    /** The first instant of the next UTC month or day. */
    resetsAt: new Date(window.endsMs),
    /** Whole seconds until `resetsAt`, rounded up. */
    resetSeconds: countSecondsUntil(window.endsMs, now),
    windowSeconds: (window.endsMs - window.startsMs) / 1000,
  };
}

/**
 * Describes to the caller why no call is left. `undefined` means that a call is left.
 *
 * `Retry-After` leads to the end of the exhausted month or day. If both are exhausted, the later end counts (decision 23).
 */
function findQuotaRefusal(usage: AccountUsage, now: Date, calls = 1): Problem | undefined {
  const { trialEndsMs, month, day } = usage;
  if (trialEndsMs !== undefined && trialEndsMs <= usage.atMs) return refuseTrial(trialEndsMs);
  const windows = Object.entries({ monthly: month, daily: day });
  const exhausted = windows.filter(([, count]) => isExhausted(count, calls));
  if (exhausted.length === 0) return undefined;
  const endsMs = Math.max(...exhausted.map(([, { window }]) => window.endsMs));
  return new Problem("quota_exceeded", {
    message: exhausted.map(([name, count]) => describeWindow(name, count, calls)).join(" "),
    retryAfterSeconds: countSecondsUntil(endsMs, now),
  });
}

/** Returns whole seconds, rounded up, at least 1. */
function countSecondsUntil(instantMs: number, now: Date): number {
  return Math.max(1, Math.ceil((instantMs - now.getTime()) / 1000));
}

/** Returns the refusal after a trial has ended (decision 25). */
function refuseTrial(endedMs: number): Problem {
  const message = `The trial of the free plan ended at ${formatInstant(endedMs)}; ask the administrator for another plan.`;
  return new Problem("quota_exceeded", { message, retryAfterSeconds: 86_400 });
}

function describeWindow(name: string, count: WindowCount, calls: number): string {
  const { used, limit = 0, window } = count;
  const resets = formatInstant(window.endsMs);
  if (!isExhausted(count)) {
    return `This costs ${calls} calls, and the ${name} call quota has ${limit - used} of ${limit} left; it resets at ${resets}.`;
  }
  return `The ${name} call quota is exceeded: ${used} of ${limit} calls are used; it resets at ${resets}.`;
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/** A network may make this many times as many look-ups as one account, because the accounts of an office can share an address. */
const accountsPerNetwork = 5;

/**
 * @returns a function that counts one look-up, or throws Problem `quota_exceeded`. Each call of this function returns
 * another function, which takes the count back. The operator has no limit (decision 24).
 */
function createLookupThrottle(now: () => Date, getLimit: () => number) {
  const byAccount = createWindowCounts(now, 60);
  const byNetwork = createWindowCounts(now, 60);
  return (caller: Pick<Caller, "accountId" | "address" | "credential">): (() => void) => {
    const { accountId, address, credential } = caller;
    if (credential.kind === "operator") return () => {};
    const perMinute = getLimit();
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
  const message = `Too many look-ups: one ${limited} may make ${perMinute} a minute. Try again in ${seconds} seconds.`;
  return new Problem("quota_exceeded", { message, retryAfterSeconds: seconds });
}
