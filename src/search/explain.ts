/**
 * Explains why a developer is in a search result or not. It uses the plan, selection and ranking of a search, and looks up each
 * condition in the same lists.
 */
import type { RankingFeatures } from "../contract/people/assessment.ts";
import { bestRoleMatchMin, roleMatchMin } from "../contract/people/profile-analysis.ts";
import type { SearchRequest } from "../contract/requests.ts";
import type { RankedRow } from "../pool/pool.ts";
import { toHit } from "./answer.ts";
import type { Generation } from "./generation/generation.ts";
import { getLists } from "./generation/lists.ts";
import { getStrength, hasOrdinal } from "./generation/postings.ts";
import { findPlacing } from "./rank-page.ts";
import {
  type QueryCondition,
  type QueryPlan,
  resolveNowhere,
  resolveQuery,
} from "./resolve-query.ts";
import type { SearchExplanation, Verdict } from "./search-index.ts";
import type { SearchParts } from "./search-parts.ts";
import { selectByPlan } from "./select.ts";

/** @package */
export function explainPlacing(
  generation: Generation,
  { rowId, standing }: RankedRow,
  query: SearchRequest,
  parts: Pick<SearchParts, "places" | "vocabulary">,
): SearchExplanation {
  const { login } = standing;
  const plan = resolveQuery(query, parts, getLists(generation));
  if (!plan) {
    const { locationSuggestions } = resolveNowhere(query, parts, generation);
    return explainNowhere(standing, query, parts, locationSuggestions);
  }
  const selected = selectByPlan(plan, generation);
  const total = selected.count;
  const ordinal = generation.columns.rowIds.indexOf(rowId);
  if (ordinal < 0) return explainAbsence(standing, total);
  const isIn = hasOrdinal(selected, ordinal);
  const experienceTenths = generation.columns.experience[ordinal] as number;
  const verdicts = listVerdicts({ plan, query, ordinal, standing, experienceTenths, parts });
  if (!isIn) return { login, isIn, verdicts, total };
  const placing = findPlacing(selected, plan.ranking, generation, ordinal);
  const { score, profile, techStack, activity } = toHit(placing, plan, generation);
  const rank = placing.before + 1;
  return { login, isIn, verdicts, total, placing: { score, profile, techStack, activity, rank } };
}

/** @package Explains a query whose location names no known place. */
export function explainNowhere(
  standing: RankingFeatures,
  { location }: SearchRequest,
  parts: Pick<SearchParts, "places">,
  locationSuggestions: string[],
): SearchExplanation {
  const has = placesOf(standing, parts);
  const asked = `"${location}", which names no place with anybody in it`;
  const verdicts: Verdict[] = [{ field: "location", holds: false, asked, has }];
  return { login: standing.login, isIn: false, verdicts, total: 0, locationSuggestions };
}

/** @package Explains that a developer is not in the index. */
export function explainAbsence(standing: RankingFeatures, total: number): SearchExplanation {
  return { login: standing.login, isIn: false, verdicts: [notIndexed(standing)], total };
}

function notIndexed({ searchable }: RankingFeatures): Verdict {
  return searchable
    ? {
        field: "index",
        holds: false,
        asked: "in the index",
        has: "not yet; the index is behind the pool",
      }
    : { field: "class", holds: false, asked: "a human", has: "a bot, an assistant or nobody" };
}

interface JudgingContext {
  readonly plan: Pick<QueryPlan, "conditions" | "experience" | "place" | "role">;
  readonly query: SearchRequest;
  readonly ordinal: number;
  readonly standing: RankingFeatures;
  /** The developer's years on the platform, in tenths, as the index has them. */
  readonly experienceTenths: number;
  readonly parts: Pick<SearchParts, "places" | "vocabulary">;
}

/** @package Tells for each condition whether a person in the index fulfills it. */
export function listVerdicts(context: JudgingContext): readonly Verdict[] {
  return context.plan.conditions.map((condition) => judge(condition, context));
}

function judge(condition: QueryCondition, context: JudgingContext): Verdict {
  const { field, clauses } = condition;
  const { ordinal, plan, experienceTenths } = context;
  const { tenthsMin, tenthsMax } = plan.experience;
  const isListed = clauses.every((clause) => clause.some((list) => hasOrdinal(list, ordinal)));
  const holds =
    isListed &&
    (field !== "minExperienceYears" || experienceTenths >= tenthsMin) &&
    (field !== "maxExperienceYears" || experienceTenths <= tenthsMax);
  return { field, holds, ...inWords(condition, context) };
}

function inWords(
  { field, named }: QueryCondition,
  { plan, query, standing, ordinal, parts }: JudgingContext,
): Pick<Verdict, "asked" | "has"> {
  switch (field) {
    case "location":
      return { asked: plan.place.fullName, has: placesOf(standing, parts) };
    case "role": {
      const match = standing.roles.find(({ role }) => role === plan.role?.id)?.match ?? 0;
      return {
        asked: `${plan.role?.displayName}, with a match of at least ${roleMatchMin}, or ${bestRoleMatchMin} as the best role`,
        has: `match ${match}`,
      };
    }
    case "isHireable":
      return {
        asked: "flagged hireable",
        has: standing.hireable ? "flagged hireable" : "not flagged hireable",
      };
    case "minExperienceYears":
      return {
        asked: `at least ${query.minExperienceYears} years`,
        has: `${standing.experienceTenths / 10} years`,
      };
    case "maxExperienceYears":
      return {
        asked: `at most ${query.maxExperienceYears} years`,
        has: `${standing.experienceTenths / 10} years`,
      };
    case "company":
      return { asked: query.company ?? "", has: standing.company ?? "no company is known" };
    case "activeSince":
      return {
        asked: `active on ${query.activeSince} or later`,
        has: standing.lastActive ? `last active on ${standing.lastActive}` : "no day is known",
      };
    default: {
      const names = (named ?? []).map(({ name }) => name).join(", ");
      const has = (named ?? []).map(({ name, concept, holders }) => {
        if (!hasOrdinal(holders, ordinal)) return describeLack(name, concept, standing);
        const strength = getStrength(holders, ordinal);
        return strength > 0 ? `${name} ${strength}` : name;
      });
      const isStrict = field === "skills" && query.strictSkills;
      return { asked: `${isStrict ? "all" : "any"} of ${names}`, has: has.join(", ") };
    }
  }
}

/** Describes what is missing. A weak skill is described with its strength. */
function describeLack(
  name: string,
  concept: string | undefined,
  { weakConcepts }: RankingFeatures,
): string {
  const weak = weakConcepts.find((one) => one.concept === concept);
  return weak ? `${name} ${weak.strength}, too little to match` : `lacks ${name}`;
}

function placesOf(
  { places: ids }: RankingFeatures,
  { places }: Pick<SearchParts, "places">,
): string {
  const names = ids.map((id) => places.byId(id)?.fullName ?? id);
  return names.length > 0 ? names.join("; ") : "no known place";
}
