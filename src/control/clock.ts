import type { ControlEvents } from "./control-store.ts";

const toleratedStepMs = 25 * 3_600_000;

/**
 * @package What is wrong with the clock, for people; `undefined` when it can be trusted.
 *
 * When the clock steps back, calls stay in the later window, so nothing is counted into a closed one. Time heals a
 * step of up to 25 hours; beyond that the earlier clock was wrong, and an administrator must say which is right.
 */
export function describeClockFault(times: { nowMs: number; latestMs: number }): string | undefined {
  const stepMs = times.latestMs - times.nowMs;
  if (stepMs <= toleratedStepMs) return undefined;
  const [now, latest] = [times.nowMs, times.latestMs].map((ms) => new Date(ms).toISOString());
  const hours = Math.round(stepMs / 3_600_000);
  return `the clock says ${now}, but calls were counted at ${latest}, ${hours} hours later; calls keep counting there until an administrator accepts the clock (roster clock accept)`;
}

/** @package Reports each step back once, when it is called with the clock and the latest instant that calls were counted at. */
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
