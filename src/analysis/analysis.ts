import type { Assessment } from "../contract/people/assessment.ts";
import { computeOverallScore } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { cutFactsAsOf } from "./facts-as-of.ts";
import type { Judgement, RoleScore } from "./judgement.ts";
import { type Model, readOperatorModel, readShippedModel } from "./model.ts";
import { buildRankingFeatures } from "./ranking-features.ts";
import { buildReport } from "./report.ts";
import { measureCadence, scoreActivity } from "./scores/activity.ts";
import { computeConfidence } from "./scores/confidence.ts";
import { measureExperience } from "./scores/experience.ts";
import { isRelevant, readLexicon } from "./scores/lexicon.ts";
import { scoreProfile } from "./scores/profile.ts";
import { collectActiveMonths } from "./scores/recency.ts";
import { scoreRoles } from "./scores/roles.ts";
import { type SkillScore, scoreSkills, scoreTechStack } from "./scores/skills.ts";

export { type Model, readOperatorModel, readShippedModel };

/** What analysis is told of a place: it may not ask places/ itself. */
export interface PlaceFacts {
  readonly id: string;
  readonly fullName: string;
}

interface AssessmentInput {
  readonly facts: Facts;
  /** The profile's location, resolved. */
  readonly places: readonly PlaceFacts[];
}

/** The day everything is judged as of, YYYY-MM-DD in UTC; later evidence is flagged and not counted. */
export type AsOf = string;

/** Judges one developer: pure, no clock, no I/O. Same facts and as-of, same bytes. */
export type Assessor = (subject: AssessmentInput, asOf: AsOf) => Assessment;

/**
 * Makes the judge. What depends on the vocabulary alone is prepared here, once.
 *
 * @param model read by `readOperatorModel` when an operator brings one; the built-in one otherwise.
 */
export function createAssessor(
  vocabulary: Vocabulary,
  model: Model = readShippedModel(),
): Assessor {
  const lexicon = readLexicon(vocabulary);

  function judge({ facts, places }: AssessmentInput, asOf: AsOf): Judgement {
    const counted = cutFactsAsOf(facts, asOf);
    const worked = collectActiveMonths(counted.evidence);
    const skills = scoreSkills(counted, worked, { vocabulary, model });
    const roles = scoreRoles(counted, skills, { vocabulary, model, lexicon, worked }).map((role) =>
      withTechStack(role, skills),
    );
    const experience = measureExperience(counted);
    const cadence = measureCadence(counted, model);
    const profile = scoreProfile(counted, { skills, experience, places: places.length }, model);
    const activity = scoreActivity(counted, cadence, model);
    const techStack = roles[0]?.techStack ?? scoreTechStack(skills, model);
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
      score: computeOverallScore(profile.score, techStack.score, activity.score),
      confidence: computeConfidence(counted, model),
    };
  }

  function withTechStack(
    judged: ReturnType<typeof scoreRoles>[number],
    skills: readonly SkillScore[],
  ): RoleScore {
    const counting = skills.filter(({ skill }) => isRelevant(lexicon, judged.role.id, skill.id));
    return { ...judged, skills: counting, techStack: scoreTechStack(counting, model) };
  }

  return (subject, asOf) => {
    const judgement = judge(subject, asOf);
    const { analysis, card } = buildReport(judgement, model);
    return {
      facts: subject.facts,
      analysis,
      card,
      standing: buildRankingFeatures(judgement, vocabulary),
    };
  };
}
