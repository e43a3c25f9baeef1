import type { Model } from "../model.ts";
import { type ComponentPart, type ScoreComponent, sumComponent } from "./component.ts";
import { interpolateUnitCurve } from "./curve.ts";
import type { SkillScore } from "./skills.ts";

/**
 * 50 % of the score: the strongest skills with falling weights, and a little for breadth.
 *
 * @param skills those that count for the role, strongest first.
 */
export function scoreTechStack(
  skills: readonly SkillScore[],
  { techStack }: Model,
): ScoreComponent {
  const parts: ComponentPart[] = techStack.fallingWeights.map((weight, at) => {
    const judged = skills[at];
    return {
      term: judged?.skill.name ?? "no further skill",
      value: judged?.strength ?? 0,
      weight,
      evidence: judged?.evidence ?? [],
    };
  });
  const inHand = skills.filter(({ strength }) => strength >= techStack.breadthStrengthMin).length;
  parts.push({
    term: "breadth",
    value: interpolateUnitCurve(inHand, techStack.breadthMedian),
    weight: techStack.breadthWeight,
    evidence: [`${inHand} skills of strength ${techStack.breadthStrengthMin} or more`],
  });
  const { score, terms } = sumComponent(parts);
  return { score, terms: terms.filter(({ points }) => points > 0) };
}
