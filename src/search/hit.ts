import { overallScore } from "../contract/people/score.ts";
import type { Generation } from "./generation/generation.ts";
import { holds } from "./generation/postings.ts";
import type { Place } from "./rank.ts";
import type { Plan } from "./resolve.ts";
import type { Hit } from "./search.ts";

/**
 * One placing as it is shown.
 *
 * @package
 */
export function asHit(
  { ordinal, techStack }: Place,
  { named }: Plan,
  { columns }: Generation,
): Hit {
  const profile = columns.profile[ordinal] as number;
  const activity = columns.activity[ordinal] as number;
  return {
    rowId: columns.rowIds[ordinal] as number,
    score: overallScore(profile, techStack, activity),
    profile,
    techStack,
    activity,
    evidence: named.filter(({ holders }) => holds(holders, ordinal)).map(({ name }) => name),
  };
}
