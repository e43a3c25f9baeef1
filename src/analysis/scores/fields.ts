/** Adds skills that follow from a role. A data scientist gets the skill data science. */
import { interpolateOpenCurve } from "./curve.ts";
import type { RoleScores } from "./roles.ts";
import { compareSkills, type SkillScore, type Tools } from "./skills.ts";

/**
 * Adds the field of each clearly matching role as a skill. The skill is at least as strong as the match.
 * @returns skills, strongest first.
 */
export function addFields(
  skills: readonly SkillScore[],
  roles: readonly RoleScores[],
  { vocabulary, model }: Pick<Tools, "vocabulary" | "model">,
): readonly SkillScore[] {
  const byId = new Map(skills.map((score) => [score.skill.id, score]));
  for (const { role, match } of roles) {
    if (role.field === undefined || match < model.skills.fieldRoleMin) continue;
    const known = byId.get(role.field);
    const skill = known?.skill ?? vocabulary.skillById(role.field);
    const strength = toStrength(match);
    if (!skill || (known && known.strength >= strength)) continue;
    const evidence = [...(known?.evidence ?? []), `${role.displayName} ${match}`];
    byId.set(skill.id, { ...(known ?? without), skill, strength, isOfRole: true, evidence });
  }
  return [...byId.values()].sort(compareSkills);
}

/** Converts a role's match to a skill's strength. 50 stays 50, and 92 becomes 78. */
function toStrength(match: number): number {
  const amount = -Math.log2(1 - Math.min(match, 99.5) / 100);
  return Math.round(interpolateOpenCurve(amount, 1));
}

const without: Omit<SkillScore, "skill" | "strength" | "isOfRole" | "evidence"> = {
  ...{ wordsStrength: 0, commits: 0, forRoles: { presence: 0, commits: 0 } },
  ...{ isAuthored: false, pieces: [], cap: 100 },
};
