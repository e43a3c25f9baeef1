import { createRoleScoreCount } from "../../role-scores.ts";
import type { RoleScoreCounts } from "../../search-index.ts";
import type { SearchedIndex } from "../generation-in-use.ts";
import { resolveLists } from "./find-in-database.ts";
import { walkBlocks } from "./walk-blocks.ts";

/** A role with more people is not counted, because counting would take too long. */
const peopleMax = 200_000;

/** @returns "too many" if the role has more people than the limit. */
export async function countRoleScoresInDatabase(
  index: SearchedIndex,
  id: string,
): Promise<RoleScoreCounts | "too many"> {
  const role = await resolveLists(index, (lists) => lists.postings(`role:${id}`));
  if (role.count > peopleMax) return "too many";
  const { add, finish } = createRoleScoreCount();
  const plan = { clauses: [[role]], ranking: { skills: [], role }, named: [] };
  await walkBlocks(index, plan, {
    threshold: 0,
    size: Number.POSITIVE_INFINITY,
    offer: ({ base, techStack }) => add(base, techStack),
  });
  return finish();
}
