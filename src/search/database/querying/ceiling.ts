import { askedShares } from "../../../contract/people/developer.ts";
import { selectWeighing } from "../../weighing.ts";
import type { BlockList } from "../blocks/block-list.ts";
import type { GenerationInUse } from "../generation-in-use.ts";
import type { DatabasePlan } from "./database-plan.ts";

/**
 * Returns a function that gives an upper bound of the scores in a block, in tenths of a point. The function derives the bound
 * from the ceilings of the requested lists.
 * @package
 */
export function createCeiling(
  { getTopBase, getCeiling }: Pick<GenerationInUse, "getTopBase" | "getCeiling">,
  ranking: DatabasePlan["ranking"],
): (block: number, ceilings: ReadonlyMap<string, number>) => number {
  const { skills, role } = ranking;
  const { toTenths, tenthsPerTechPoint } = selectWeighing(ranking);
  // Rounding adds at most half a point to a mean of skills, and another half to a mean of skills and role.
  const roundedUp = tenthsPerTechPoint / 2;
  return (block, ceilings) => {
    const topBase = toTenths(getTopBase(block));
    const ceilingOf = (list: BlockList): number => {
      if (list.kind === "term") return list.few ? topBase : (ceilings.get(list.term) ?? topBase);
      const parts = list.lists.map(ceilingOf);
      return list.kind === "common" ? Math.min(...parts) : Math.max(topBase, ...parts);
    };
    const ofRole = role ? Math.max(topBase, ceilingOf(role)) : getCeiling(block);
    if (skills.length === 0) return ofRole;
    const sum = skills.reduce((all, list) => all + Math.max(topBase, ceilingOf(list)), 0);
    const ofSkills = sum / skills.length + roundedUp;
    if (!role) return ofSkills;
    return askedShares.skills * ofSkills + askedShares.role * ofRole + roundedUp;
  };
}
