import type { Term } from "../../contract/people/profile-analysis.ts";
import { roundHalfUp } from "./curve.ts";

/**
 * A weighted part of a score. A part with an unknown value is left out, and the other parts share its weight. So missing evidence
 * does not lower the score.
 */
export interface ComponentPart {
  readonly term: string;
  /** The value, from 0 to 100. Undefined means that no source knows the value. */
  readonly value: number | undefined;
  readonly weight: number;
  readonly evidence: readonly string[];
}

/** A score from 0 to 100, rounded to a whole number. */
export interface ScoreComponent {
  readonly score: number;
  /** Lists the terms that add up to the score, largest first. */
  listTerms(): readonly Term[];
}

export function sumComponent(parts: readonly ComponentPart[]): ScoreComponent {
  let known = 0;
  for (const part of parts) if (part.value !== undefined) known += part.weight;
  let sum = 0;
  for (const { value, weight } of parts) if (value !== undefined) sum += value * (weight / known);
  return {
    score: Math.min(100, Math.max(0, roundHalfUp(sum, 0))),
    listTerms: () =>
      parts
        .flatMap(({ term, value, weight, evidence }) =>
          value === undefined ? [] : [toTerm({ term, value, share: weight / known, evidence })],
        )
        .sort(sortTerms),
  };
}

type WeighedPart = Omit<ComponentPart, "value" | "weight"> & Record<"value" | "share", number>;

export function toTerm({ term, value, share, evidence }: WeighedPart): Term {
  return {
    term,
    value: roundHalfUp(value, 1),
    weight: roundHalfUp(share, 4),
    points: roundHalfUp(value * share, 2),
    cap: roundHalfUp(100 * share, 2),
    evidence: [...evidence],
  };
}

export function sortTerms(a: Term, b: Term): number {
  return b.points - a.points || b.cap - a.cap || (a.term < b.term ? -1 : 1);
}

/** Selects the five largest terms of a component. An answer shows no more. */
export function selectLargestTerms(terms: readonly Term[]): Term[] {
  return terms.slice(0, 5);
}
