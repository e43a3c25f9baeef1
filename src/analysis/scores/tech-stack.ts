import { type Component, component, type Part } from "../component.ts";
import { unitCurve } from "../curve.ts";
import type { Model } from "../model.ts";
import type { SkillJudgement } from "../skills/skills.ts";

/**
 * 50 % of the score: the strongest skills with falling weights, and a little for breadth.
 *
 * @param skills those that count for the role, strongest first.
 */
export function techStackScore(skills: readonly SkillJudgement[], { techStack }: Model): Component {
  const parts: Part[] = techStack.fallingWeights.map((weight, at) => {
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
    value: unitCurve(inHand, techStack.breadthMedian),
    weight: techStack.breadthWeight,
    evidence: [`${inHand} skills of strength ${techStack.breadthStrengthMin} or more`],
  });
  const { score, terms } = component(parts);
  return { score, terms: terms.filter(({ points }) => points > 0) };
}
