import type { Assessment } from "../contract/people/assessment.ts";
import { computeScore } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import { roleMatchMin } from "../contract/people/profile-analysis.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { buildCard } from "./card.ts";
import { cutFactsAsOf, type FactsAsOf, isSilent } from "./facts-as-of.ts";
import type { Judgement, RoleScore } from "./judgement.ts";
import { selectFrequencyLabel, selectLevel } from "./labels.ts";
import { type Model, readOperatorModel, readShippedModel } from "./model.ts";
import { buildRankingFeatures } from "./ranking-features.ts";
import { buildAnalysis } from "./report.ts";
import { measureCadence, scoreActivity } from "./scores/activity.ts";
import { describeAssistance, type LeftOut, removeUnknown } from "./scores/assistance.ts";
import { interpolateOpenCurve, roundHalfUp } from "./scores/curve.ts";
import { measureExperience } from "./scores/experience.ts";
import { isRelevant, readLexicon } from "./scores/lexicon.ts";
import { scoreProfile } from "./scores/profile.ts";
import { collectActiveMonths, listFading } from "./scores/recency.ts";
import { type RoleScores, scoreRoles } from "./scores/roles.ts";
import {
  compareSkills,
  isProductName,
  type SkillScore,
  scaleSkills,
  scoreSkills,
  type Tools,
} from "./scores/skills.ts";
import { scoreTechStack } from "./scores/tech-stack.ts";

export { type Model, readOperatorModel, readShippedModel };

/** What scoring needs to know about a developer's place. */
export interface PlaceFacts {
  readonly id: string;
  readonly fullName: string;
}

interface AssessmentInput {
  readonly facts: Facts;
  /** The places that the profile's location names. */
  readonly places: readonly PlaceFacts[];
}

/** The day for which a developer is judged, such as `2026-05-17`, in UTC. Evidence of later days is not counted. */
export type AsOf = string;

/** Judges one developer. The result depends only on the facts and the as-of day. */
export type Assessor = (subject: AssessmentInput, asOf: AsOf) => Assessment;

/**
 * Creates an assessor. Tables that depend only on the vocabulary are prepared here.
 * @param model the operator's model, from `readOperatorModel`. The default is the built-in model.
 */
export function createAssessor(
  vocabulary: Vocabulary,
  model: Model = readShippedModel(),
): Assessor {
  const lexicon = readLexicon(vocabulary);
  const basis = { vocabulary, model, lexicon, fading: listFading(model) };

  function judge({ facts, places }: AssessmentInput, asOf: AsOf): Judgement {
    const counted = cutFactsAsOf(facts, asOf);
    const activeMonths = collectActiveMonths(counted.evidence);
    const tools = { ...basis, activeMonths };
    const found = scoreSkills(counted, tools);
    const matches = scoreRoles(counted, found, tools);
    const skills = addFields(found, matches, tools);
    const general = skills.filter(({ skill }) => !isProductName(skill));
    const roles = matches.map((match): RoleScore => {
      const relevant = general.filter(({ skill }) => isRelevant(lexicon, match.role.id, skill.id));
      return { ...match, skills: relevant, techStack: scoreTechStack(relevant, model) };
    });
    const experience = measureExperience(counted);
    const cadence = measureCadence(counted, model);
    const profile = scoreProfile(
      counted,
      { skills: general, experience, places: places.length },
      model,
    );
    const activity = scoreActivity(counted, cadence, model);
    const named = roles.find(({ match }) => match >= roleMatchMin);
    const whole = scoreTechStack(general, model);
    const techStack = named?.techStack ?? whole;
    const confidence = computeConfidence(counted, model);
    const commits = counted.commits?.total ?? 0;
    const score = computeScore(profile.score, techStack.score, activity.score);
    const left = removeUnknown(counted, model);
    const low = left ? scoreWithout(left, named?.skills ?? general, { tools, profile }) : score;
    return {
      counted,
      placeNames: places.map(({ fullName }) => fullName),
      placeIds: places.map(({ id }) => id),
      skills,
      roles,
      experience,
      cadence,
      frequency: selectFrequencyLabel(cadence?.perMonth, isSilent(counted), model),
      profile,
      activity,
      techStack,
      score,
      assistance: describeAssistance(counted, left, { low: Math.min(low, score), high: score }),
      level: selectLevel({ techStack: whole.score, commits, confidence, experience }, model),
      confidence,
    };
  }

  return (subject, asOf) => {
    const judgement = judge(subject, asOf);
    return {
      facts: subject.facts,
      analysis: buildAnalysis(judgement, model),
      card: buildCard(judgement, model),
      standing: buildRankingFeatures(judgement, basis),
    };
  };
}

/** Computes what the score would be without the commits that an assistant may have written. */
function scoreWithout(
  { counted, counting }: LeftOut,
  skills: readonly SkillScore[],
  { tools, profile }: { readonly tools: Tools; readonly profile: Judgement["profile"] },
): number {
  const { model } = tools;
  const techStack = scoreTechStack(scaleSkills(skills, counting, tools), model);
  const activity = scoreActivity(counted, measureCadence(counted, model), model);
  return computeScore(profile.score, techStack.score, activity.score);
}

/** Computes from 0 to 1 how reliable the figures are: n / (n + 20) for n commits, times the share of known data. */
function computeConfidence(counted: FactsAsOf, { confidence }: Model): number {
  const n = counted.commits?.total ?? 0;
  const { profile } = counted.facts;
  const { coverage } = confidence;
  let covered = 0;
  if (counted.commits) covered += coverage.commits;
  if (counted.evidence.length > 0) covered += coverage.evidence;
  if (profile.createdAt !== undefined) covered += coverage.account;
  if (profile.bio !== undefined || profile.location !== undefined) covered += coverage.profile;
  const hasStars = counted.repositories.some(({ stars }) => stars !== undefined);
  if (profile.followers !== undefined || hasStars) covered += coverage.standing;
  return roundHalfUp((n / (n + confidence.halfCommits)) * covered, 2);
}

/**
 * Adds the field of each clearly matching role as a skill. The skill is at least as strong as the match.
 * @returns skills, strongest first.
 */
function addFields(
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
