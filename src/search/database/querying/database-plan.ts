import type { QueryPlan } from "../../resolve-query.ts";
import type { BlockList } from "../blocks/block-list.ts";

/** @package */
export type DatabasePlan = QueryPlan<BlockList>;

/** @package The parts of a plan that decide which developers are found and in which order. */
export type RankedClauses = Pick<DatabasePlan, "clauses" | "ranking" | "named"> &
  Partial<Pick<DatabasePlan, "experience">>;

/** @package Returns the lists that affect the scores. */
export function listScoring({
  ranking: { skills, role },
}: Pick<DatabasePlan, "ranking">): readonly BlockList[] {
  return role ? [...skills, role] : skills;
}
