import type { CreditFacts } from "../contract/people/credit-facts.ts";
import { describeFirstRole, type ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import { analysisFields, selectAnalysisFields } from "../contract/people/profile-fields.ts";
import { awardBadges } from "./badges.ts";
import { formatMonth } from "./calendar.ts";
import { describeCommitQuality, listPublishedEmails } from "./card.ts";
import { countUncounted } from "./facts-as-of.ts";
import { type Judgement, noRole } from "./judgement.ts";
import type { Model } from "./model.ts";
import {
  computeLanguageShares,
  listContributions,
  selectTopContributions,
  selectTopRepositories,
} from "./repositories.ts";
import type { ActivityWindow } from "./scores/activity.ts";
import { selectLargestTerms } from "./scores/component.ts";
import { roundHalfUp } from "./scores/curve.ts";
import { countStars } from "./scores/profile.ts";
import { writeSummary } from "./summary.ts";

const repositoriesMax = 10;

export function buildAnalysis(judgement: Judgement, model: Model): ProfileAnalysis {
  const { counted, roles, experience, score, level, confidence } = judgement;
  const roleMatch = roles.map(({ role, match }) => ({
    role: role.id,
    displayName: role.displayName,
    score: match,
  }));
  const explanation = {
    profile: selectLargestTerms(judgement.profile.listTerms()),
    techStack: selectLargestTerms(judgement.techStack.listTerms()),
    activity: selectLargestTerms(judgement.activity.listTerms()),
    roleMatch: selectLargestTerms(roles[0]?.listTerms() ?? []),
  };
  const activity = activityOf(judgement);
  return {
    proficiency: { level, score, experienceYears: experience.tenths / 10 },
    emails: { emails: listPublishedEmails(counted.facts.emails) },
    roleMatch,
    scores: {
      role: roles[0]?.role.id ?? noRole,
      score,
      scores: {
        profile: judgement.profile.score,
        techStack: judgement.techStack.score,
        activity: judgement.activity.score,
      },
    },
    profile: profileOf(judgement),
    commitQuality: describeCommitQuality(counted, model),
    repositories: repositoriesOf(judgement, model),
    activity,
    badges: awardBadges(judgement, model),
    summary: writeSummary(
      judgement,
      model,
      describeFirstRole({ roleMatch, activity, explanation }),
    ),
    confidence,
    explanation,
    ...(judgement.assistance && { assistance: judgement.assistance }),
    modelVersion: model.modelVersion,
    asOf: counted.asOf,
  };
}

function profileOf({ counted, placeNames, experience }: Judgement): ProfileAnalysis["profile"] {
  const { facts } = counted;
  return {
    login: facts.login,
    ...selectAnalysisFields(facts.profile, analysisFields.beforePlaces),
    ...(facts.otherNames && { otherNames: [...facts.otherNames] }),
    places: [...placeNames],
    ...selectAnalysisFields(facts.profile, analysisFields.afterPlaces),
    experienceSource: experience.source,
    derivedLogin: facts.derivedLogin ?? false,
    class: facts.class ?? "human",
    source: facts.source,
  };
}

function repositoriesOf({ counted, skills }: Judgement, model: Model) {
  const stars = countStars(counted);
  const { ended } = counted.history;
  return {
    owned: counted.repositories.filter(({ owned }) => owned).length,
    contributedTo: listContributions(counted).length,
    ...(stars !== undefined && { stars }),
    top: selectTopRepositories(counted, repositoriesMax),
    contributions: selectTopContributions(counted, model, repositoriesMax),
    ...(ended.length > 0 && { ended: ended.slice(0, repositoriesMax) }),
    languages: computeLanguageShares(counted),
    skills: skills.map(({ skill, strength, evidence }) => ({
      skill: skill.name,
      type: skill.type,
      strength,
      evidence: [...evidence],
    })),
  };
}

function activityOf({ counted, cadence, frequency }: Judgement): ProfileAnalysis["activity"] {
  const { commits, asOf, history, untilMonth } = counted;
  const facts = counted.facts.commits;
  const months = (cadence?.volume ?? []).map((amount, at) => ({
    month: formatMonth(untilMonth - 1 - at),
    commits: roundHalfUp(amount, 2),
  }));
  const credits = creditsOf(counted);
  return {
    totalCommits: commits?.total ?? 0,
    commitsPerMonth: cadence?.perMonth ?? 0,
    frequencyLabel: frequency,
    ...(history.until < asOf && { until: history.until }),
    activeMonths: cadence?.steadiest.activeMonths ?? 0,
    ...(cadence && {
      current: describeWindow(cadence.current),
      bestYear: describeWindow(cadence.bestYear),
      scoreUses: cadence.scoreUses,
    }),
    ...(commits?.first !== undefined && { firstCommit: commits.first }),
    ...(commits?.last !== undefined && { lastCommit: commits.last }),
    months: months.reverse(),
    ...(facts?.coAuthored !== undefined && { coAuthored: facts.coAuthored }),
    ...(facts?.reviews !== undefined && { reviews: facts.reviews }),
    ...(facts?.mergedElsewhere !== undefined && { mergedElsewhere: facts.mergedElsewhere }),
    ...(credits.length > 0 && { credits }),
    excluded: countUncounted(counted),
  };
}

function describeWindow({ from, to, commits, activeMonths }: ActivityWindow) {
  return { from, to, commits: roundHalfUp(commits, 2), activeMonths };
}

/** Lists the kinds of credit that the person had received by the as-of day. The counts may include later credits. */
function creditsOf({ facts, asOf }: Judgement["counted"]) {
  const given = Object.entries(facts.credits ?? {}).filter(([, { first }]) => first <= asOf);
  return given.map(([kind, credit]) => ({ kind: kind as keyof CreditFacts, ...credit }));
}
