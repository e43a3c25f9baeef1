import { computeOverallScore } from "../contract/people/developer.ts";
import type { Generation } from "./generation/generation.ts";
import { hasOrdinal } from "./generation/postings.ts";
import type { Placing } from "./rank-page.ts";
import type { QueryPlan } from "./resolve-query.ts";
import type { SearchHit } from "./search-index.ts";

/**
 * Adds to a placing what the answer shows.
 *
 * @package
 */
export function toHit(
  { ordinal, techStack }: Placing,
  { named }: QueryPlan,
  { columns }: Generation,
): SearchHit {
  const profile = columns.profile[ordinal] as number;
  const activity = columns.activity[ordinal] as number;
  return {
    rowId: columns.rowIds[ordinal] as number,
    score: computeOverallScore(profile, techStack, activity),
    profile,
    techStack,
    activity,
    evidence: named.filter(({ holders }) => hasOrdinal(holders, ordinal)).map(({ name }) => name),
  };
}
