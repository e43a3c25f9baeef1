import type { ProfileAnalysis, Term } from "../contract/people/profile-analysis.ts";

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

export interface ScoreChange<T> {
  readonly from: T;
  readonly to: T;
}

export interface TermChange {
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
