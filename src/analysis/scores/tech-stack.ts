import { formatCounted } from "../../contract/format.ts";
import type { Model } from "../model.ts";
import { type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import type { SkillScore } from "./skills.ts";

/**
 * Scores the tech stack, which is 50 % of the score. The strongest skills count most, and breadth adds a little.
 * @param skills the skills that count for the role, strongest first.
 */
export function scoreTechStack(
  skills: readonly SkillScore[],
  { techStack }: Model,
): ScoreComponent {
  const parts = techStack.fallingWeights.map((weight, at) => ({
    term: skills[at]?.skill.name ?? "no further skill",
    value: skills[at]?.strength ?? 0,
    weight,
    evidence: skills[at]?.evidence ?? [],
  }));
  const least = techStack.breadthStrengthMin;
  const strong = skills.filter(({ strength }) => strength >= least).length;
  const breadth = {
    term: "breadth",
    value: interpolateUnitCurve(strong, techStack.breadthMedian),
    weight: techStack.breadthWeight,
    evidence: [`${formatCounted(strong, "skill")} of strength ${least} or more`],
  };
  const { score, listTerms } = sumComponent([...parts, breadth]);
  return { score, listTerms: () => listTerms().filter(({ points }) => points > 0) };
}
