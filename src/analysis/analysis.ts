import type { Facts } from "../contract/facts/facts.ts";
import type { Assessment } from "../contract/people/assessment.ts";
import { overallScore } from "../contract/people/score.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { countedAsOf } from "./counted.ts";
import { type Model, readOperatorModel, shippedModel } from "./model.ts";
import type { JudgedRole, Judgement } from "./report/judgement.ts";
import { report } from "./report/report.ts";
import { isRelevant, readLexicon } from "./roles/lexicon.ts";
import { judgeRoles } from "./roles/roles.ts";
import { activityScore } from "./scores/activity.ts";
import { cadenceOf } from "./scores/cadence.ts";
import { confidenceOf } from "./scores/confidence.ts";
import { experienceOf } from "./scores/experience.ts";
import { profileScore } from "./scores/profile.ts";
import { techStackScore } from "./scores/tech-stack.ts";
import { workedMonths } from "./skills/recency.ts";
import { judgeSkills, type SkillJudgement } from "./skills/skills.ts";
import { standingOf } from "./standing.ts";

export { type Model, readOperatorModel, shippedModel };

/** What analysis is told of a place: it may not ask places/ itself. */
export interface KnownPlace {
  readonly id: string;
  readonly fullName: string;
}

export interface Subject {
  readonly facts: Facts;
  /** The profile's location, resolved. */
  readonly places: readonly KnownPlace[];
}

/** The day everything is judged as of, YYYY-MM-DD in UTC; later evidence is flagged and not counted. */
export type AsOf = string;

/** Judges one developer: pure, no clock, no I/O. Same facts and as-of, same bytes. */
export type Assess = (subject: Subject, asOf: AsOf) => Assessment;

/**
 * Makes the judge. What depends on the vocabulary alone is prepared here, once.
 *
 * @param model read by `readOperatorModel` when an operator brings one; the built-in one otherwise.
 */
export function createAssess(vocabulary: Vocabulary, model: Model = shippedModel()): Assess {
  const lexicon = readLexicon(vocabulary);

  function judge({ facts, places }: Subject, asOf: AsOf): Judgement {
    const counted = countedAsOf(facts, asOf);
    const worked = workedMonths(counted.evidence);
    const skills = judgeSkills(counted, worked, { vocabulary, model });
    const roles = judgeRoles(counted, skills, { vocabulary, model, lexicon, worked }).map((role) =>
      withTechStack(role, skills),
    );
    const experience = experienceOf(counted);
    const cadence = cadenceOf(counted, model);
    const profile = profileScore(counted, { skills, experience, places: places.length }, model);
    const activity = activityScore(counted, cadence, model);
    const techStack = roles[0]?.techStack ?? techStackScore(skills, model);
    return {
      counted,
      placeNames: places.map(({ fullName }) => fullName),
      placeIds: places.map(({ id }) => id),
      skills,
      roles,
      experience,
      cadence,
      profile,
      activity,
      techStack,
      score: overallScore(profile.score, techStack.score, activity.score),
      confidence: confidenceOf(counted, model),
    };
  }

  function withTechStack(
    judged: ReturnType<typeof judgeRoles>[number],
    skills: readonly SkillJudgement[],
  ): JudgedRole {
    const counting = skills.filter(({ skill }) => isRelevant(lexicon, judged.role.id, skill.id));
    return { ...judged, skills: counting, techStack: techStackScore(counting, model) };
  }

  return (subject, asOf) => {
    const judgement = judge(subject, asOf);
    const { analysis, card } = report(judgement, model);
    return { facts: subject.facts, analysis, card, standing: standingOf(judgement, vocabulary) };
  };
}
