import type { ControlEvents } from "./control-store.ts";

const toleratedStepMs = 25 * 3_600_000;

/**
 * @package Describes what is wrong with the clock; `undefined` if it can be trusted.
 *
 * If the clock steps back, calls are still counted in the later window, so nothing is counted in a closed window. A step of up to
 * 25 hours heals with time. After a larger step the earlier clock was wrong, and an administrator must confirm the right time.
 */
export function describeClockFault(times: { nowMs: number; latestMs: number }): string | undefined {
  const stepMs = times.latestMs - times.nowMs;
  if (stepMs <= toleratedStepMs) return undefined;
  const [now, latest] = [times.nowMs, times.latestMs].map((ms) => new Date(ms).toISOString());
  const hours = Math.round(stepMs / 3_600_000);
  return `the clock says ${now}, but calls were counted at ${latest}, ${hours} hours later; calls keep counting there until an administrator accepts the clock (roster clock accept)`;
}

/**
 * @package Reports each step back once. Call the result with the current time and the latest instant that calls were counted at.
 */
export function createClockWatch(events: ControlEvents): (nowMs: number, latestMs: number) => void {
  let reportedMs: number | undefined;
  return (nowMs, latestMs) => {
    const seconds = Math.round((latestMs - nowMs) / 1000);
    if (seconds <= 0) {
      reportedMs = undefined;
    } else if (reportedMs !== latestMs) {
      reportedMs = latestMs;
      events.clockSteppedBack?.({ seconds, fault: describeClockFault({ nowMs, latestMs }) });
    }
  };
}
