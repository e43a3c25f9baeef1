import type { Term } from "../../contract/people/profile-analysis.ts";
import { roundHalfUp } from "./curve.ts";

/**
 * One part of a component before weights are normalised. A part whose value is unknown is left out, and
 * its weight is shared among the others in proportion: missing evidence does not lower the score.
 */
export interface ComponentPart {
  readonly term: string;
  /** 0 to 100; absent when no source knows it. */
  readonly value: number | undefined;
  readonly weight: number;
  readonly evidence: readonly string[];
}

/** A whole-number score and all the terms that add up to it, largest first. */
export interface ScoreComponent {
  readonly score: number;
  readonly terms: readonly Term[];
}

/** Adds up weighted parts. The points of all terms add up to the score before rounding. */
export function sumComponent(parts: readonly ComponentPart[]): ScoreComponent {
  let known = 0;
  for (const part of parts) if (part.value !== undefined) known += part.weight;
  const terms: Term[] = [];
  let sum = 0;
  for (const { term, value, weight, evidence } of parts) {
    if (value === undefined) continue;
    const share = weight / known;
    sum += value * share;
    terms.push(toTerm({ term, value, share, evidence }));
  }
  return { score: Math.min(100, Math.max(0, roundHalfUp(sum, 0))), terms: terms.sort(sortTerms) };
}

/** @package */
export function toTerm({
  term,
  value,
  share,
  evidence,
}: Pick<Term, "term" | "value"> & {
  readonly share: number;
  readonly evidence: readonly string[];
}): Term {
  return {
    term,
    value: roundHalfUp(value, 1),
    weight: roundHalfUp(share, 4),
    points: roundHalfUp(value * share, 2),
    cap: roundHalfUp(100 * share, 2),
    evidence: [...evidence],
  };
}

/** @package */
export function sortTerms(a: Term, b: Term): number {
  return b.points - a.points || b.cap - a.cap || (a.term < b.term ? -1 : 1);
}

/** The five largest terms, which are all that an answer shows of a component. */
export function selectLargestTerms(terms: readonly Term[]): Term[] {
  return terms.slice(0, 5);
}
