import type { Facts } from "../contract/facts/facts.ts";
import type { Assessment } from "../contract/people/assessment.ts";

/** What analysis is told of a place: it may not ask places/ itself. */
export interface KnownPlace {
  readonly id: string;
  readonly fullName: string;
}

export interface Subject {
  readonly facts: Facts;
  /** The profile's location, resolved. */
  readonly places: readonly KnownPlace[];
}

/** The day everything is judged as of, YYYY-MM-DD in UTC; later evidence is flagged and not counted. */
export type AsOf = string;

/** Judges one developer: pure, no clock, no I/O. Same facts and as-of, same bytes. */
export type Assess = (subject: Subject, asOf: AsOf) => Assessment;
