/** How fast work goes, and how long the rest takes: said only once enough is known, because a wrong number is worse than none. */
import type { Pace, Step } from "./progress.ts";

type Clock = () => number;

/** @returns tells the pace after each step. Another unit, or a count that goes back, begins anew. */
export function createPaceMeter(clock: Clock = () => performance.now()): (step: Step) => Pace {
  let meter = startMeter(clock());
  let last: Step | undefined;
  return (step) => {
    if (last && (last.unit !== step.unit || last.done > step.done)) meter = startMeter(clock());
    last = step;
    const { rate, secondsLeft } = meter(step, clock());
    return {
      ...(rate !== undefined && {
        rate: rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate),
      }),
      ...(secondsLeft !== undefined && { secondsLeft: Math.max(1, Math.round(secondsLeft)) }),
    };
  };
}

const secondMs = 1000;
/** While the total still moves, nothing is said of the rest. */
const steadyMs = 3 * secondMs;

function startMeter(startedAt: number) {
  const measureRate = createRate();
  const measureParts = createPartTimes(startedAt);
  let total: number | undefined;
  let totalAt = startedAt;
  return (step: Step, at: number): Pace => {
    if (step.total !== total) [total, totalAt] = [step.total, at];
    const rate = measureRate(step.done, at);
    const partsLeft = step.parts && measureParts(step.parts, at);
    if (rate === undefined) return {};
    if (step.isTotalGrowing) return { rate, ...(partsLeft && { secondsLeft: partsLeft }) };
    const isKnown = total !== undefined && step.done < total && at - totalAt >= steadyMs;
    return { rate, ...(isKnown && rate > 0 && { secondsLeft: ((total ?? 0) - step.done) / rate }) };
  };
}

/** A repository of large files says nothing of the next one. */
const rateWindowMs = 20 * secondMs;
const samplesApartMs = 250;

/** @returns undefined within the first second. */
function createRate(): (done: number, at: number) => number | undefined {
  const samples: { readonly at: number; readonly done: number }[] = [];
  return (done, at) => {
    const latest = samples.at(-1);
    if (!latest || at - latest.at >= samplesApartMs) samples.push({ at, done });
    while (samples[1] && at - samples[1].at >= rateWindowMs) samples.shift();
    const [oldest = { at, done }] = samples;
    const measuredMs = at - oldest.at;
    return measuredMs < secondMs ? undefined : ((done - oldest.done) / measuredMs) * secondMs;
  };
}

/** Fewer parts say nothing of the others. */
const partsMin = 10;
const groupsMin = 5;
const measuredMin = 5 * secondMs;
/** Parts that differ so much that the rest may take a quarter more or less are no ground for a number. */
const errorMax = 0.25;

/**
 * How long the other parts take, from the times of those that are done, as far as these are alike: by the standard error of the sum
 * of so many more.
 *
 * @returns seconds.
 */
function createPartTimes(startedAt: number) {
  const groups: { readonly parts: number; readonly ms: number }[] = [];
  let known = 0;
  let knownAt = startedAt;
  return ({ done, total }: NonNullable<Step["parts"]>, at: number): number | undefined => {
    if (done > known) {
      groups.push({ parts: done - known, ms: at - knownAt });
      [known, knownAt] = [done, at];
    }
    const left = total - done;
    if (
      done < partsMin ||
      groups.length < groupsMin ||
      knownAt - startedAt < measuredMin ||
      left === 0
    ) {
      return undefined;
    }
    const mean = (knownAt - startedAt) / done;
    // Parts that were done between two looks are known by their sum.
    const squares = groups.reduce(
      (sum, { parts, ms }) => sum + parts * (ms / parts - mean) ** 2,
      0,
    );
    const variance = squares / (groups.length - 1);
    const error = Math.sqrt(left * variance + (left ** 2 * variance) / done);
    return error <= errorMax * left * mean ? (left * mean) / secondMs : undefined;
  };
}
