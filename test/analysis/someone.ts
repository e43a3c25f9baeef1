import { createAssessor, type PlaceFacts, readShippedModel } from "../../src/analysis/analysis.ts";
import { formatMonth, toMonthIndex } from "../../src/analysis/calendar.ts";
import type { Assessment } from "../../src/contract/people/assessment.ts";
import type { CommitFacts, Evidence, Facts } from "../../src/contract/people/facts.ts";
import { smallVocabulary } from "./small-vocabulary.ts";

export const asOf = "2026-11-21";
export const berlin: PlaceFacts = { id: "city-berlin", fullName: "Berlin, Germany" };

/** Invented facts: empty but for what the test is about. */
export function someone(about: Partial<Facts> = {}): Facts {
  const none = { profile: {}, emails: [], repositories: [], evidence: [] };
  return { login: "ann", source: "demo", ...none, ...about };
}

export function commits(about: Partial<CommitFacts> = {}): CommitFacts {
  const volume = about.volume ?? {};
  return {
    total: Math.round(Object.values(volume).reduce((sum, each) => sum + each, 0)),
    volume,
    semantic: { eligible: 0, matches: 0 },
    quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
    ...about,
  };
}

export function evidence(
  kind: Evidence["kind"],
  name: string,
  months: Record<string, number>,
): Evidence {
  const total = Object.values(months).reduce((sum, each) => sum + each, 0);
  return { kind, name, commits: Math.ceil(total), months };
}

/** So many months ending with the given one, each with the same amount. */
export function monthsUpTo(last: string, count: number, amount: number): Record<string, number> {
  const months = Array.from({ length: count }, (_, back) => formatMonth(toMonthIndex(last) - back));
  return Object.fromEntries(months.map((month) => [month, amount]));
}

const shipped = readShippedModel();
/** Medians of single roles are measured anew with each population; without them, tests can say what a match must be. */
const model = { ...shipped, roles: { ...shipped.roles, medians: {} } };
const assess = createAssessor(smallVocabulary, model);

export function judged(
  facts: Facts,
  on: { readonly places?: readonly PlaceFacts[]; readonly asOf?: string } = {},
): Assessment {
  return assess({ facts, places: on.places ?? [] }, on.asOf ?? asOf);
}

/** The strength of a skill in the assessment; 0 without evidence. */
export function strength(assessment: Assessment, concept: string): number {
  return assessment.standing.concepts.find((each) => each.concept === concept)?.strength ?? 0;
}
