/**
 * Judges everybody anew from the facts that the pool holds: after another model, a better vocabulary,
 * or simply later. Facts and their sources stay as they are.
 */
import type { Assessment } from "../contract/people/assessment.ts";
import type { ProfileAnalysis, Term } from "../contract/people/profile-analysis.ts";
import type { Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";

export interface RescoreOptions {
  readonly pool: Pick<Pool, "logins" | "findFacts" | "findAnalyses" | "beginImport">;
  /** As of the one day that everybody is judged as of. */
  readonly judge: Judge;
  /** False only looks: nothing is written, and no other import is kept waiting. */
  readonly write: boolean;
  /** Moves reported at most; the sums are over all. */
  readonly movesMax: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface RescoreReport {
  readonly judged: number;
  /** Of these, with another score, level or best role. */
  readonly moved: number;
  readonly unchanged: number;
  /** Of the score, over everybody judged. */
  readonly meanAbsoluteMove: number;
  readonly levelsChanged: number;
  readonly rolesChanged: number;
  /** Largest first, then by login. */
  readonly moves: readonly ScoreMove[];
  /** The pool's revision afterwards; absent when nothing was written. */
  readonly revision?: number;
}

/** A short transaction, and a moment for a signal after each. */
const batchSize = 100;

/**
 * Judges everybody, and shows all of it at one moment, or nothing.
 *
 * @throws the signal's reason when it is aborted, Fault while another import runs; the pool is as before.
 */
export async function rescore(request: RescoreOptions): Promise<RescoreReport> {
  const { pool, write } = request;
  if (!write) return judgeAll(request, async () => {});
  const staged = await pool.beginImport("rescore");
  try {
    const report = await judgeAll(request, (batch) => staged.put(batch));
    return { ...report, revision: (await staged.commit()).revision };
  } finally {
    await staged.abort();
  }
}

/**
 * The latest day that anybody in the pool was judged as of: judging as of it again shows what another model
 * does, and not what time did meanwhile.
 *
 * @returns undefined for an empty pool.
 */
export async function findLastAsOf(
  pool: Pick<Pool, "logins" | "findAnalyses">,
): Promise<string | undefined> {
  let last: string | undefined;
  const logins = await pool.logins();
  for (let from = 0; from < logins.length; from += batchSize) {
    for (const analysis of await pool.findAnalyses(logins.slice(from, from + batchSize))) {
      const asOf = analysis?.asOf;
      if (asOf !== undefined && (last === undefined || asOf > last)) last = asOf;
    }
  }
  return last;
}

async function judgeAll(
  request: RescoreOptions,
  put: (batch: readonly Assessment[]) => Promise<unknown>,
): Promise<RescoreReport> {
  const { pool, judge, movesMax, signal, onProgress } = request;
  const sums = openSums(movesMax);
  // The login list is taken whole: a read left open while the same connection writes is no snapshot.
  const logins = await pool.logins();
  for (let from = 0; from < logins.length; from += batchSize) {
    const batch: Assessment[] = [];
    const some = logins.slice(from, from + batchSize);
    const [held, analyses] = await Promise.all([pool.findFacts(some), pool.findAnalyses(some)]);
    for (const [at, facts] of held.entries()) {
      const before = analyses[at];
      // Forgotten since the list was taken.
      if (!facts || !before) continue;
      const assessment = judge(facts);
      sums.add(compareAssessments(before, assessment.analysis));
      batch.push(assessment);
    }
    await put(batch);
    onProgress?.({ done: Math.min(from + batchSize, logins.length), total: logins.length });
    await Bun.sleep(0);
    signal?.throwIfAborted();
  }
  return sums.report();
}

/** Keeps no more moves than are reported, however many people there are. */
function openSums(movesMax: number) {
  const counts = { judged: 0, moved: 0, levelsChanged: 0, rolesChanged: 0, tenths: 0 };
  let moves: ScoreMove[] = [];
  const keepLargest = () => {
    moves = moves.sort(largestFirst).slice(0, movesMax);
  };
  return {
    add(move: ScoreMove | undefined): void {
      counts.judged += 1;
      if (!move) return;
      counts.moved += 1;
      if (move.level.from !== move.level.to) counts.levelsChanged += 1;
      if (move.role.from !== move.role.to) counts.rolesChanged += 1;
      counts.tenths += Math.round(10 * size(move));
      moves.push(move);
      if (moves.length >= 2 * movesMax + 1000) keepLargest();
    },
    report(): RescoreReport {
      keepLargest();
      const { tenths, ...shown } = counts;
      const mean = counts.judged === 0 ? 0 : tenths / 10 / counts.judged;
      return {
        ...shown,
        unchanged: counts.judged - counts.moved,
        meanAbsoluteMove: Math.round(mean * 1000) / 1000,
        moves,
      };
    },
  };
}

function size({ score }: ScoreMove): number {
  return Math.abs(score.to - score.from);
}

function largestFirst(a: ScoreMove, b: ScoreMove): number {
  return size(b) - size(a) || (a.login < b.login ? -1 : 1);
}

/** What another model or day makes of one developer, beside what is shown now. */
export interface ScoreMove {
  readonly login: string;
  readonly score: ScoreChange<number>;
  readonly level: ScoreChange<string>;
  /** The best role. */
  readonly role: ScoreChange<string>;
  /** The term that changed the score most; absent when none did. */
  readonly because: TermChange | undefined;
}

interface ScoreChange<T> {
  readonly from: T;
  readonly to: T;
}

interface TermChange {
  readonly component: "profile" | "techStack" | "activity";
  readonly term: string;
  /** Points of the overall score, signed; of a term that one side does not show, what it is at least. */
  readonly points: number;
}

/** Decision 16, as `overallScore`. */
const shares = { profile: 0.15, techStack: 0.5, activity: 0.35 } as const;

/**
 * @package
 * @returns undefined when score, level and best role stay as they are.
 */
export function compareAssessments(
  before: ProfileAnalysis,
  after: ProfileAnalysis,
): ScoreMove | undefined {
  const score = { from: before.scores.score, to: after.scores.score };
  const level = { from: before.proficiency.level, to: after.proficiency.level };
  const role = { from: before.scores.role, to: after.scores.role };
  if (score.from === score.to && level.from === level.to && role.from === role.to) return undefined;
  return { login: after.profile.login, score, level, role, because: largestChange(before, after) };
}

function largestChange(before: ProfileAnalysis, after: ProfileAnalysis): TermChange | undefined {
  let largest: TermChange | undefined;
  for (const component of ["profile", "techStack", "activity"] as const) {
    const old = before.explanation[component];
    const now = after.explanation[component];
    for (const term of new Set([...old, ...now].map(({ term }) => term))) {
      const points = rounded(shares[component] * difference(old, now, term));
      if (points !== 0 && Math.abs(points) > Math.abs(largest?.points ?? 0)) {
        largest = { component, term, points };
      }
    }
  }
  return largest;
}

function difference(old: readonly Term[], now: readonly Term[], term: string): number {
  const pointsIn = (terms: readonly Term[]) => terms.find((each) => each.term === term)?.points;
  const [from, to] = [pointsIn(old), pointsIn(now)];
  return (to ?? unshown(now, from ?? 0)) - (from ?? unshown(old, to ?? 0));
}

/** Five terms are shown: a sixth has at most the fifth's points, so it is taken as near the other side as that allows. */
function unshown(shown: readonly Term[], other: number): number {
  const smallest = shown.length < termsShown ? 0 : (shown.at(-1)?.points ?? 0);
  return Math.min(other, smallest);
}

/** As the contract of an analysis limits it. */
const termsShown = 5;

function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
