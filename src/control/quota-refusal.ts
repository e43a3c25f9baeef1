import { Problem } from "../contract/problem.ts";
import { type AccountUsage, isExhausted, type WindowCount } from "./control-store.ts";

/**
 * @package Describes to the caller why no call is left. `undefined` means that a call is left.
 *
 * `Retry-After` leads to the end of the exhausted month or day. If both are exhausted, the later end counts (decision 23).
 */
export function findQuotaRefusal(usage: AccountUsage, now: Date): Problem | undefined {
  const { trialEndsMs } = usage;
  if (trialEndsMs !== undefined && trialEndsMs <= usage.atMs) return refuseTrial(trialEndsMs);
  if (!isExhausted(usage.month) && !isExhausted(usage.day)) return undefined;
  const exhausted: [string, WindowCount][] = [];
  if (isExhausted(usage.month)) exhausted.push(["monthly", usage.month]);
  if (isExhausted(usage.day)) exhausted.push(["daily", usage.day]);
  const endsMs = Math.max(...exhausted.map(([, { window }]) => window.endsMs));
  return new Problem("quota_exceeded", {
    message: exhausted.map(([name, count]) => describeWindow(name, count)).join(" "),
    retryAfterSeconds: countSecondsUntil(endsMs, now),
  });
}

/** @package Returns whole seconds, rounded up, at least 1. */
export function countSecondsUntil(instantMs: number, now: Date): number {
  return Math.max(1, Math.ceil((instantMs - now.getTime()) / 1000));
}

const daySeconds = 86_400;

/** Returns the refusal after a trial has ended (decision 25). */
function refuseTrial(endedMs: number): Problem {
  const ended = formatInstant(endedMs);
  return new Problem("quota_exceeded", {
    message: `The trial of the free plan ended at ${ended}; ask the administrator for another plan.`,
    retryAfterSeconds: daySeconds,
  });
}

function describeWindow(name: string, { used, limit, window }: WindowCount): string {
  const resets = formatInstant(window.endsMs);
  return `The ${name} call quota is exceeded: ${used} of ${limit} calls are used; it resets at ${resets}.`;
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
