import type { Caller } from "../contract/caller.ts";
import type { QuotaUsage } from "../contract/envelope.ts";
import { plans } from "../contract/limits.ts";
import { Problem } from "../contract/problem.ts";
import type { AccountUsage, ChargeTerms, ControlStore, WindowCount } from "./control-store.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createLookupThrottle } from "./lookup-throttle.ts";
import { countSecondsUntil, findQuotaRefusal } from "./quota-refusal.ts";

/** Limits how often accounts may call. Calls are counted exactly and durably. */
export type Quota = ReturnType<typeof createQuota>;

export interface Usage {
  /** The usage in the format of the API. */
  readonly quota: QuotaUsage;
  readonly month: WindowUsage;
  readonly day: WindowUsage;
  /** The end of the trial. `undefined` means that the plan is not a trial (decision 25). */
  readonly trialEndsAt: Date | undefined;
}

export type WindowUsage = ReturnType<typeof toWindowUsage>;
interface QuotaOptions {
  readonly now: () => Date;
  readonly countsInvalid: boolean;
  /** The days that the free plan lasts after the account's creation. `undefined` means that it has no end (decision 25). */
  readonly trialDays: number | undefined;
  /** The number of free requests that one account may make in a minute (decision 32). */
  readonly lookupsPerMinute: number;
}

export function createQuota(control: ControlStore, options: QuotaOptions) {
  const { now, countsInvalid, trialDays, lookupsPerMinute } = options;
  const trial = trialDays === undefined ? undefined : { plan: "free", days: trialDays };
  const terms: ChargeTerms = { plans, trial };
  const commits = createGroupCommit(async (callers: readonly Caller[]) => {
    const present = callers.filter(({ isGone }) => !isGone?.());
    const outcomes = present.length === 0 ? [] : await control.charge(present, now(), terms);
    // Outcomes exist only for the callers who are still connected.
    let at = 0;
    return callers.map((caller) => (caller === present[at] ? outcomes[at++] : undefined));
  });
  const readUsage = async ({ accountId }: Pick<Caller, "accountId">, at: Date) => {
    const [usage] = await control.usages([accountId], at, terms);
    if (!usage) throw new Problem("unauthorized");
    return usage;
  };
  return {
    /** Whether malformed calls count too (decision 21). */
    countsInvalid,
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
     * Counts one call in the account's month and day (decisions 21 to 25). A refused call is not counted.
     * @returns the usage, which includes this call.
     * @throws Problem `quota_exceeded` if no call is left. @throws Problem `unauthorized` if the credential was revoked.
     */
    charge: async (caller: Caller): Promise<Usage> => {
      const outcome = await commits.add(caller);
      if (!outcome) throw new Problem("invalid_request", { message: goneMessage, status: 499 });
      if (outcome.result === "counted") return toUsage(outcome.usage, now());
      if (outcome.result === "unauthorized") throw new Problem("unauthorized");
      if (outcome.result === "failed") throw new Problem("internal", { cause: outcome.cause });
      throw (
        findQuotaRefusal(outcome.usage, now()) ?? new Error("a call was refused with calls left")
      );
    },
    /**
     * Counts a request that costs no call. Accounts and networks have a limit per minute (decision 32).
     * @returns a function that takes the count back, for a request that costs a call after all.
     * @throws Problem `quota_exceeded` beyond the limit.
     */
    throttle: createLookupThrottle(now, lookupsPerMinute),
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

/** Only the log shows this message, because the caller has left. */
const goneMessage = "the connection ended before the answer";

function toUsage({ month, day, trialEndsMs }: AccountUsage, now: Date): Usage {
  return {
    quota: { used: month.used, limit: month.limit ?? unlimitedOnTheWire, month: month.window.name },
    month: toWindowUsage(month, now),
    day: toWindowUsage(day, now),
    trialEndsAt: trialEndsMs === undefined ? undefined : new Date(trialEndsMs),
  };
}

/** The number that means "unlimited" to existing clients (decision 22). */
const unlimitedOnTheWire = -1;

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
