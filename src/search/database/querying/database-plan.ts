import type { SearchRequest } from "../../../contract/requests.ts";
import type { Lists } from "../../generation/lists.ts";
import { type QueryPlan, resolveQuery } from "../../resolve-query.ts";
import type { SearchParts } from "../../search-parts.ts";
import type { Clause, ExperienceRange } from "../../select.ts";
import type { BlockList } from "../blocks/block-list.ts";

/** @package A plan in which all conditions, including experience, are clauses of lists. */
export interface DatabasePlan extends QueryPlan<BlockList> {
  readonly clauses: readonly Clause<BlockList>[];
}

/** @package The parts of a plan that decide which developers are found and in which order. */
export type RankedClauses = Pick<DatabasePlan, "clauses" | "ranking" | "named">;

/** @package @returns undefined when the location names no known place. */
export function resolvePlan(
  query: SearchRequest,
  parts: Pick<SearchParts, "places" | "vocabulary">,
  lists: Lists<BlockList>,
): DatabasePlan | undefined {
  const plan = resolveQuery(query, parts, lists);
  if (!plan) return undefined;
  const clauses = plan.conditions.flatMap((condition) => condition.clauses);
  return { ...plan, clauses: [...clauses, ...listExperience(plan.experience, lists)] };
}

/** Lists what the conditions of the plan leave open: tenths of years, and the maximum. */
function listExperience(
  { tenthsMin, tenthsMax }: ExperienceRange,
  { postings }: Pick<Lists<BlockList>, "postings">,
): readonly Clause<BlockList>[] {
  const clauses: Clause<BlockList>[] = [];
  const [least, most] = [Math.floor(tenthsMin / 10), Math.floor(tenthsMax / 10)];
  if (tenthsMin % 10 > 0) {
    clauses.push([postings(`years:${least + 1}`), postings(`tenths:${tenthsMin % 10}`)]);
  }
  if (tenthsMax === Number.POSITIVE_INFINITY) return clauses;
  clauses.push([postings(`under:${most + 1}`)]);
  if (tenthsMax % 10 < 9) {
    const fewer = most > 0 ? [postings(`under:${most}`)] : [];
    clauses.push([...fewer, postings(`fraction:${tenthsMax % 10}`)]);
  }
  return clauses;
}

/** @package Returns the lists that affect the scores. */
export function listScoring({
  ranking: { skills, role },
}: Pick<DatabasePlan, "ranking">): readonly BlockList[] {
  return role ? [...skills, role] : skills;
}
