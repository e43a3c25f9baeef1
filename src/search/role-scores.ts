/** Counts people by their score for a role. */
import type { RoleScoreCounts } from "./search-index.ts";
import { plainWeighing } from "./weighing.ts";

/** @package Counts people by their overall score for the role. */
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

/** @package Caches the counts of each generation for as long as the generation exists. */
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
