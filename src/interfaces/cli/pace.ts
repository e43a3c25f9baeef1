/** Measures the rate of work and estimates the time left. Unreliable values are left out. */
import type { Pace, Step } from "./progress.ts";

/** The time over which the rate is measured. */
const windowMs = 20_000;
const samplesApartMs = 250;
const measuredMsMin = 1000;
/** The time left is shown only when the total has been the same for this long. */
const steadyMs = 3000;

/** @returns a function that measures the pace after each step. A new unit or a smaller count starts the measurement again. */
export function createPaceMeter(clock = () => performance.now()): (step: Step) => Pace {
  let samples: { readonly at: number; readonly done: number }[] = [];
  let totalAt = clock();
  let last: Step | undefined;
  return (step) => {
    const at = clock();
    const { done, total, unit, isTotalGrowing = false } = step;
    const isAnother = last !== undefined && (last.unit !== unit || last.done > done);
    if (isAnother) samples = [];
    if (isAnother || last?.total !== total) totalAt = at;
    last = step;
    if (at - (samples.at(-1)?.at ?? 0) >= samplesApartMs || samples.length === 0) {
      samples.push({ at, done });
    }
    while (samples[1] && at - samples[1].at >= windowMs) samples.shift();
    const [oldest = { at, done }] = samples;
    if (at - oldest.at < measuredMsMin) return {};
    const rate = (1000 * (done - oldest.done)) / (at - oldest.at);
    const rounded = rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
    const isSteady = !isTotalGrowing && at - totalAt >= steadyMs;
    if (!isSteady || total === undefined || done >= total || rate === 0) return { rate: rounded };
    return { rate: rounded, secondsLeft: Math.max(1, Math.round((total - done) / rate)) };
  };
}
