import type { Generation } from "../generation/generation.ts";
import { walkOrdinals } from "../generation/postings.ts";
import { createRoleScoreCount } from "../role-scores.ts";
import type { RoleScoreCounts } from "../search-index.ts";

/** @package */
export function countRoleScores(generation: Generation, role: string): RoleScoreCounts {
  const { bases } = generation.columns;
  const { add, finish } = createRoleScoreCount();
  walkOrdinals(generation.postings(`role:${role}`), (ordinal, techStack = 0) =>
    add(bases[ordinal] as number, techStack),
  );
  return finish();
}
