import { formatCounted } from "../../contract/format.ts";
import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import type { SkillScore } from "./skills.ts";

/**
 * Scores the tech stack, which is 50 % of the score. The strongest skills count most, and breadth adds a little.
 * @param skills the skills that count for the role, strongest first.
 */
export function scoreTechStack(skills: readonly SkillScore[], model: Model): ScoreComponent {
  const strengths = skills.map(({ strength }) => strength);
  const { score, listTerms } = sumComponent(techStackParts(strengths, model, skills));
  return { score, listTerms: () => listTerms().filter(({ points }) => points > 0) };
}

/** Computes the score of skills. @param strengths the strengths of the skills, strongest first. */
export function scoreStrengths(strengths: readonly number[], model: Model): number {
  return sumComponent(techStackParts(strengths, model)).score;
}

/** @param named the skills that have these strengths, for the texts of the terms. */
function techStackParts(
  strengths: readonly number[],
  { techStack }: Model,
  named: readonly SkillScore[] = [],
): ComponentPart[] {
  const parts: ComponentPart[] = techStack.fallingWeights.map((weight, at) => ({
    term: named[at]?.skill.name ?? "no further skill",
    value: strengths[at] ?? 0,
    weight,
    evidence: named[at]?.evidence ?? [],
  }));
  let strong = 0;
  for (const strength of strengths) if (strength >= techStack.breadthStrengthMin) strong++;
  parts.push({
    term: "breadth",
    value: interpolateUnitCurve(strong, techStack.breadthMedian),
    weight: techStack.breadthWeight,
    evidence: [
      `${formatCounted(strong, "skill")} of strength ${techStack.breadthStrengthMin} or more`,
    ],
  });
  return parts;
}
