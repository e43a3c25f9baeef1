import type { Term } from "../../contract/people/profile-analysis.ts";
import { roundHalfUp } from "./curve.ts";

/**
 * One part of a component before weights are settled. A part whose value nobody can know is left
 * out, and the others take over its weight in proportion: missing evidence is no bad mark.
 */
export interface ComponentPart {
  readonly term: string;
  /** 0 to 100; absent when no source can know it. */
  readonly value: number | undefined;
  readonly weight: number;
  readonly evidence: readonly string[];
}

/**
 * A whole-number score and all the terms that add up to it, largest first.
 */
export interface ScoreComponent {
  readonly score: number;
  readonly terms: readonly Term[];
}

const termsShown = 5;

/**
 * Adds up weighted parts. The points of all terms together are the score before it is rounded.
 */
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
export function toTerm(of: {
  readonly term: string;
  readonly value: number;
  readonly share: number;
  readonly evidence: readonly string[];
}): Term {
  return {
    term: of.term,
    value: roundHalfUp(of.value, 1),
    weight: roundHalfUp(of.share, 4),
    points: roundHalfUp(of.value * of.share, 2),
    cap: roundHalfUp(100 * of.share, 2),
    evidence: [...of.evidence],
  };
}

/** @package */
export function sortTerms(a: Term, b: Term): number {
  return b.points - a.points || b.cap - a.cap || (a.term < b.term ? -1 : 1);
}

/**
 * What is shown of a component: its five largest terms.
 */
export function selectLargestTerms(terms: readonly Term[]): Term[] {
  return terms.slice(0, termsShown);
}
