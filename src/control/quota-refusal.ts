import { Problem } from "../contract/problem.ts";
import type { AccountUsage, WindowCount } from "./control-store.ts";

/**
 * @package Why this usage allows no further call, in the caller's words; `undefined` when it does.
 *
 * `Retry-After` is the end of the exhausted window, of the later one when both are (decision 23). The
 * monthly text is the API document's statement; it goes on with our figures.
 */
export function findQuotaRefusal(usage: AccountUsage, now: Date): Problem | undefined {
  const { trialEndsMs } = usage;
  if (trialEndsMs !== undefined && trialEndsMs <= usage.atMs) return trialIsOver(trialEndsMs);
  const spent: [string, WindowCount][] = [];
  if (isSpent(usage.month)) spent.push(["monthly", usage.month]);
  if (isSpent(usage.day)) spent.push(["daily", usage.day]);
  if (spent.length === 0) return undefined;
  const endsMs = Math.max(...spent.map(([, { window }]) => window.endsMs));
  return new Problem("quota_exceeded", {
    message: spent.map(([name, count]) => sentence(name, count)).join(" "),
    retryAfterSeconds: countSecondsUntil(endsMs, now),
  });
}

/** @package Whole, rounded up, never 0: a client that waits so long finds the next window open. */
export function countSecondsUntil(instantMs: number, now: Date): number {
  return Math.max(1, Math.ceil((instantMs - now.getTime()) / 1000));
}

const dayS = 86_400;

/** Nothing resets a trial, so the day is only how often asking again makes sense (decision 25). */
function trialIsOver(endedMs: number): Problem {
  const ended = instant(endedMs);
  return new Problem("quota_exceeded", {
    message: `The trial of the free plan ended at ${ended}; ask the administrator for another plan.`,
    retryAfterSeconds: dayS,
  });
}

function isSpent({ used, limit }: WindowCount): boolean {
  return limit !== undefined && used >= limit;
}

function sentence(name: string, { used, limit, window }: WindowCount): string {
  const resets = instant(window.endsMs);
  return `The ${name} call quota is exceeded: ${used} of ${limit} calls are used; it resets at ${resets}.`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
