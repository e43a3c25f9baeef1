import type { Window } from "../control-store.ts";

export interface Windows {
  readonly month: Window;
  readonly day: Window;
}

/** @package The windows an instant lies in. UTC, whatever the machine's time zone is (decision 21). */
export function getWindows(instantMs: number): Windows {
  const at = new Date(instantMs);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const iso = at.toISOString();
  return {
    month: {
      name: iso.slice(0, 7),
      startsMs: Date.UTC(year, month, 1),
      endsMs: Date.UTC(year, month + 1, 1),
    },
    day: {
      name: iso.slice(0, 10),
      startsMs: Date.UTC(year, month, day),
      endsMs: Date.UTC(year, month, day + 1),
    },
  };
}

const monthsKept = 13;

/** @package Rows whose window sorts before this are old enough to go; months and days compare alike. */
export function pruneBefore(instantMs: number): string {
  const at = new Date(instantMs);
  const oldest = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - monthsKept, 1);
  return new Date(oldest).toISOString().slice(0, 7);
}

/** @package Time is remembered to the minute, so that remembering costs one write a minute. */
export function toMinute(instantMs: number): number {
  return Math.floor(instantMs / 60_000) * 60_000;
}

const toleratedStepMs = 25 * 3_600_000;

/**
 * @package What is wrong with the clock, for people; `undefined` when it can be trusted.
 *
 * A clock that steps back stays in the later window, so nothing is counted into a closed one. Up to 25 hours
 * that heals by itself; beyond it the start had a wrong clock, and an administrator must say which is right.
 */
export function describeClockFault(times: { nowMs: number; latestMs: number }): string | undefined {
  const stepMs = times.latestMs - times.nowMs;
  if (stepMs <= toleratedStepMs) return undefined;
  const [now, latest] = [times.nowMs, times.latestMs].map((ms) => new Date(ms).toISOString());
  const hours = Math.round(stepMs / 3_600_000);
  return `the clock says ${now}, but calls were counted at ${latest}, ${hours} hours later; calls keep counting there until an administrator accepts the clock (roster clock accept)`;
}
