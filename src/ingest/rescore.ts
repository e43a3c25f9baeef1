import { overallWeights } from "../contract/people/developer.ts";
import {
  listNamedRoles,
  type ProfileAnalysis,
  type Term,
} from "../contract/people/profile-analysis.ts";
import { splitBatches } from "../contract/split-batches.ts";
import type { Pool } from "../pool/pool.ts";
import type { Judge } from "./judge.ts";
import { readStored } from "./read-stored.ts";

export interface RescoreOptions {
  readonly pool: Pick<Pool, "logins" | "findFacts" | "findAnalyses" | "beginImport">;
  readonly judge: Judge;
  /** Whether to store the new analyses. If false, the run only makes a report. */
  readonly write: boolean;
  /** The most developers listed in `moves` of the report. */
  readonly movesMax: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export type RescoreReport = Awaited<ReturnType<typeof rescore>>;

/**
 * Judges every developer again from the stored facts. All new analyses are stored in one transaction, or none is.
 * @returns a report. If the analyses were stored, it contains the pool's new revision.
 * @throws Fault when the signal is aborted, or while another import runs.
 */
export async function rescore(request: RescoreOptions) {
  const { pool, judge, write, signal, onProgress } = request;
  const staged = write ? await pool.beginImport("rescore") : undefined;
  try {
    const sums = createSums(request.movesMax);
    // Reads all logins before the first write, because a write would change the results of an open cursor.
    const logins = await pool.logins();
    for await (const { people, done } of readStored(pool, logins, signal)) {
      const judged = people.map(({ facts, analysis }) => {
        const assessment = judge(facts);
        sums.add(compareAssessments(analysis, assessment.analysis));
        return assessment;
      });
      await staged?.put(judged, judge.basis);
      await staged?.requireRoom(done / logins.length);
      onProgress?.({ done, total: logins.length });
    }
    return { ...sums.report(), ...(staged && { revision: (await staged.commit()).revision }) };
  } finally {
    await staged?.abort();
  }
}

/** Finds the latest day as of which anybody was judged; undefined for an empty pool. */
export async function findLastAsOf(pool: Pick<Pool, "logins" | "findAnalyses">) {
  let last: string | undefined;
  for (const logins of splitBatches(await pool.logins(), 100)) {
    for (const analysis of await pool.findAnalyses(logins)) {
      if (analysis && (!last || analysis.asOf > last)) last = analysis.asOf;
    }
  }
  return last;
}

/** Sums up changes of scores. Keeps only the largest changes, to limit memory. */
function createSums(movesMax: number) {
  /** `moved` is the number of developers whose score, level or best role changed. */
  const counts = { judged: 0, moved: 0, levelsChanged: 0, rolesChanged: 0 };
  let tenths = 0;
  let moves: ScoreMove[] = [];
  const listLargest = () =>
    moves.sort((a, b) => size(b) - size(a) || (a.login < b.login ? -1 : 1)).slice(0, movesMax);
  return {
    add(move: ScoreMove | undefined): void {
      counts.judged += 1;
      if (!move) return;
      counts.moved += 1;
      if (move.level.from !== move.level.to) counts.levelsChanged += 1;
      if (move.role.from !== move.role.to) counts.rolesChanged += 1;
      tenths += Math.round(10 * size(move));
      moves.push(move);
      if (moves.length >= 2 * movesMax + 1000) moves = listLargest();
    },
    /** Reports the mean absolute change of the score, in points, and the largest changes. */
    report() {
      const unchanged = counts.judged - counts.moved;
      const mean = tenths / 10 / Math.max(1, counts.judged);
      const meanAbsoluteMove = Math.round(mean * 1000) / 1000;
      return { ...counts, unchanged, meanAbsoluteMove, moves: listLargest() };
    },
  };
}

function size({ score }: ScoreMove): number {
  return Math.abs(score.to - score.from);
}

/** The change of one developer's score, level and best role, with its main cause. */
export type ScoreMove = NonNullable<ReturnType<typeof compareAssessments>>;

/** @package Compares two analyses. @returns undefined if score, level and best role are equal. */
export function compareAssessments(before: ProfileAnalysis, after: ProfileAnalysis) {
  const score = { from: before.scores.score, to: after.scores.score };
  const level = { from: before.proficiency.level, to: after.proficiency.level };
  const role = { from: bestRole(before), to: bestRole(after) };
  if (score.from === score.to && level.from === level.to && role.from === role.to) return undefined;
  const { login } = after.profile;
  return { login, score, level, role, because: findLargestChange(before, after) };
}

/** Returns the best role; `none` if no role stands out. */
function bestRole(analysis: ProfileAnalysis): string {
  return listNamedRoles(analysis)[0]?.role ?? "none";
}

/**
 * Finds the term that changed the score most. If one analysis does not show the term, the change is a lower bound.
 * @returns the term and its change in points; undefined if nothing changed.
 */
function findLargestChange(before: ProfileAnalysis, after: ProfileAnalysis) {
  const changes = (["profile", "techStack", "activity"] as const).flatMap((component) => {
    const [old, now] = [before.explanation[component], after.explanation[component]];
    return [...new Set([...old, ...now].map(({ term }) => term))].map((term) => {
      const exact = (overallWeights[component] / 100) * difference(old, now, term);
      return { component, term, points: Math.round(exact * 100) / 100 };
    });
  });
  const [largest] = changes.sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  return largest?.points === 0 ? undefined : largest;
}

function difference(old: readonly Term[], now: readonly Term[], term: string): number {
  const pointsIn = (terms: readonly Term[]) => terms.find((each) => each.term === term)?.points;
  const [from, to] = [pointsIn(old), pointsIn(now)];
  return (to ?? estimateHidden(now, from ?? 0)) - (from ?? estimateHidden(old, to ?? 0));
}

/** Estimates the points of a term that an analysis does not show. The result is at most the points of the last term shown. */
function estimateHidden(terms: readonly Term[], other: number): number {
  const smallest = terms.length < termsShown ? 0 : (terms.at(-1)?.points ?? 0);
  return Math.min(other, smallest);
}

/** The most terms of a component that an analysis shows. */
const termsShown = 5;
