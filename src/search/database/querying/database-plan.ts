import type { SearchRequest } from "../../../contract/requests.ts";
import type { Lists } from "../../generation/lists.ts";
import { type QueryPlan, resolveQuery } from "../../resolve-query.ts";
import type { SearchParts } from "../../search-parts.ts";
import type { Clause } from "../../select.ts";
import type { BlockList } from "../blocks/block-list.ts";

/** @package A plan with the clauses of all its conditions. */
export interface DatabasePlan extends QueryPlan<BlockList> {
  readonly clauses: readonly Clause<BlockList>[];
}

/** @package The parts of a plan that decide which developers are found and in which order. */
export type RankedClauses = Pick<DatabasePlan, "clauses" | "ranking" | "named"> &
  Partial<Pick<DatabasePlan, "experience">>;

/** @package @returns undefined when the location names no known place. */
export function resolvePlan(
  query: SearchRequest,
  parts: Pick<SearchParts, "places" | "vocabulary">,
  lists: Lists<BlockList>,
): DatabasePlan | undefined {
  const plan = resolveQuery(query, parts, lists);
  if (!plan) return undefined;
  const clauses = plan.conditions.flatMap((condition) => condition.clauses);
  return { ...plan, clauses };
}

/** @package Returns the lists that affect the scores. */
export function listScoring({
  ranking: { skills, role },
}: Pick<DatabasePlan, "ranking">): readonly BlockList[] {
  return role ? [...skills, role] : skills;
}
