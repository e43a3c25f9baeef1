/** How fast work goes, and how long the rest takes. Nothing is said until it is known: a wrong number is worse than none. */
import type { Pace, Step } from "./progress.ts";

/** The rate is that of the last 20 seconds. */
const windowMs = 20_000;
const samplesApartMs = 250;
const measuredMsMin = 1000;
/** While the total still changes, the time left is unknown. */
const steadyMs = 3000;

/** @returns a function that measures the pace after each step. Another unit, or a lower count, begins anew. */
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
