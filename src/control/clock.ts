import type { ControlEvents } from "./control-store.ts";

const toleratedStepMs = 25 * 3_600_000;

/**
 * @package Describes why the machine's clock cannot be trusted. `undefined` means that it can be trusted.
 *
 * If the clock has stepped back by more than 25 hours, an administrator must confirm that the new time is right. A smaller step
 * needs no action, because the clock soon catches up.
 */
export function describeClockFault(times: { nowMs: number; latestMs: number }): string | undefined {
  const stepMs = times.latestMs - times.nowMs;
  if (stepMs <= toleratedStepMs) return undefined;
  const [now, latest] = [times.nowMs, times.latestMs].map((ms) => new Date(ms).toISOString());
  const hours = Math.round(stepMs / 3_600_000);
  return `the clock says ${now}, but calls were counted at ${latest}, ${hours} hours later; calls keep counting there until an administrator accepts the clock (roster clock accept)`;
}

/** @package Returns a function that reports each step back of the clock once. `latestMs` is the time of the last counted call. */
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
