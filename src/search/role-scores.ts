/** How the scores of the people of a role lie. Both engines share it. */
import type { RoleScoreCounts } from "./search-index.ts";
import { plainWeighing } from "./weighing.ts";

/** @package Counts people by the overall score, with the tech stack that they have for the role. */
export function createRoleScoreCount() {
  const people = new Uint32Array(1001);
  let total = 0;
  return {
    add(base: number, techStack: number): void {
      const { toTenths, tenthsPerTechPoint } = plainWeighing;
      const tenths = toTenths(base) + tenthsPerTechPoint * techStack;
      people[tenths] = (people[tenths] as number) + 1;
      total++;
    },
    finish: (): RoleScoreCounts => ({ total, people }),
  };
}

/**
 * Keeps what was counted in each generation for as long as the generation is in use: nothing in it changes.
 *
 * @package
 */
export function createRoleScoreCache<Generation extends object, Counted>() {
  const cached = new WeakMap<Generation, Map<string, Promise<Counted>>>();
  return (generation: Generation, role: string, count: () => Promise<Counted>) => {
    const ofRoles = cached.getOrInsertComputed(generation, () => new Map());
    return ofRoles.getOrInsertComputed(role, () =>
      count().catch((error) => {
        ofRoles.delete(role);
        throw error;
      }),
    );
  };
}
