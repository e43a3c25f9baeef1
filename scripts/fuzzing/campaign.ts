/**
 * Tries one case after another until the time is over. fast-check makes the cases from a seed and shrinks a failing one
 * to the smallest that still fails.
 */
import fc from "fast-check";

/** What is fuzzed. A `Case` must be plain data that alone determines what is done. */
export interface Target<Case> {
  readonly cases: fc.Arbitrary<Case>;
  /** @throws an Error that says what failed. */
  tryCase(one: Case): Promise<void>;
  /** @returns how to repeat the case by hand. */
  reproduce(one: Case): string;
  /** @returns the bytes that the program holds now, or the most that it held during the last case. */
  memory(): number;
  /** Whether one process serves all cases, so that its memory must not grow. */
  readonly isLasting: boolean;
  /** @returns what was seen, such as the number of answers by status. */
  notes(): string;
  /** Checks what must be true at the end. @returns what is not. */
  end(): Promise<readonly string[]>;
}

/** @param folder empty; removed afterwards. */
export type OpenTarget = (folder: string) => Promise<Target<unknown>>;

export function defineTarget<Case>(target: Target<Case>): Target<unknown> {
  return target as Target<unknown>;
}

interface Bounds {
  readonly seed: number;
  readonly milliseconds: number;
  readonly casesMax?: number;
}

interface Finding {
  readonly what: string;
  /** The seed of the round in which it was found. A run with this seed finds it in its first round. */
  readonly seed: number;
  /** The number of the case within the round. */
  readonly number: number;
  times: number;
  readonly reproduction?: string;
}

export interface Summary {
  readonly cases: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  readonly peakMegabytes: number;
  readonly endMegabytes: number;
  readonly notes: string;
}

const casesPerRound = 500;
const findingsMax = 20;
/** Shrinking stops after this time; the case is then small enough. */
const shrinkingMs = 20_000;

export async function runCampaign(
  open: OpenTarget,
  folder: string,
  bounds: Bounds,
): Promise<Summary> {
  const target = await open(folder);
  const started = Date.now();
  const memory = watchMemory(target);
  const findings = new Map<string, Finding>();
  let cases = 0;
  try {
    for (let round = 0; findings.size < findingsMax; round += 1) {
      const left = started + bounds.milliseconds - Date.now();
      const runs = Math.min(casesPerRound, (bounds.casesMax ?? Infinity) - cases);
      if (left <= 0 || runs <= 0) break;
      // Far apart, so that runs with neighbouring seeds share no round.
      const seed = (bounds.seed ^ Math.imul(round, 0x9e3779b9)) | 0;
      cases += await runRound(target, { seed, runs, milliseconds: left }, findings, memory.look);
    }
  } finally {
    memory.stop();
  }
  const seconds = (Date.now() - started) / 1000;
  const whole = [...(await target.end()), ...memory.complaints()];
  const atEnd = whole.map((what) => ({ what, seed: bounds.seed, number: cases, times: 1 }));
  const { peakMegabytes, endMegabytes } = memory.megabytes();
  const all = [...findings.values(), ...atEnd];
  return { cases, seconds, findings: all, peakMegabytes, endMegabytes, notes: target.notes() };
}

interface Round {
  readonly seed: number;
  readonly runs: number;
  readonly milliseconds: number;
}

/** @returns how many cases were tried until something new was found or the round ended. */
async function runRound(
  target: Target<unknown>,
  { seed, runs, milliseconds }: Round,
  findings: Map<string, Finding>,
  look: () => void,
): Promise<number> {
  let until = Date.now() + milliseconds;
  let tried = 0;
  let failing: string | undefined;
  const property = fc.asyncProperty(target.cases, async (one) => {
    if (Date.now() > until) return;
    if (failing === undefined) tried += 1;
    const fault = await faultOf(target, one);
    look();
    if (fault === undefined) return;
    const known = findings.get(signatureOf(fault));
    if (known) known.times += 1;
    // A smaller case must show the same fault.
    if (known || (failing !== undefined && failing !== signatureOf(fault))) return;
    if (failing === undefined) until = Date.now() + shrinkingMs;
    failing = signatureOf(fault);
    throw new Error(fault);
  });
  const found = await fc.check(property, { seed, numRuns: runs });
  const smallest = found.counterexample?.[0];
  if (found.failed && smallest !== undefined) {
    const what = (found.errorInstance as Error).message;
    const reproduction = target.reproduce(smallest);
    findings.set(signatureOf(what), { what, seed, number: tried, times: 1, reproduction });
  }
  return tried;
}

async function faultOf(target: Target<unknown>, one: unknown): Promise<string | undefined> {
  try {
    await target.tryCase(one);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 500);
  }
}

/**
 * Drops numbers, paths and quoted texts, which differ between cases with the same fault, but keeps a status at the
 * beginning.
 */
function signatureOf(fault: string): string {
  return fault.replace(/"[^"]*"|\/\S*|(?<!^)\b\d+/g, "*").slice(0, 160);
}

const minute = 60_000;
const growthMax = 1.2;

/**
 * Compares peak memory after the first minute with that of the first minute. Runs shorter than two minutes are not held
 * to it.
 */
function watchMemory(target: Target<unknown>) {
  const started = Date.now();
  let last = 0;
  let early = 0;
  let late = 0;
  const look = () => {
    last = target.memory();
    if (Date.now() - started < minute) early = Math.max(early, last);
    else late = Math.max(late, last);
  };
  const timer = setInterval(look, 500);
  const inMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return {
    look,
    stop: () => {
      look();
      clearInterval(timer);
    },
    megabytes: () => {
      return { peakMegabytes: inMegabytes(Math.max(early, late)), endMegabytes: inMegabytes(last) };
    },
    complaints: () => {
      const isHeld = target.isLasting && Date.now() - started >= 2 * minute;
      if (!isHeld || late <= early * growthMax) return [];
      const [before, after] = [inMegabytes(early), inMegabytes(late)];
      return [`memory grew from ${before} MB in the first minute to ${after} MB`];
    },
  };
}
