import type { Card } from "../contract/people/developer.ts";
import type { Facts } from "../contract/people/facts.ts";
import { isFoundByRole, type ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import {
  profileOnlyFields,
  searchFields,
  selectAnswerFields,
} from "../contract/people/profile-fields.ts";
import { type FactsAsOf, noCommitsYet } from "./facts-as-of.ts";
import type { Judgement } from "./judgement.ts";
import { selectQualityLabel } from "./labels.ts";
import type { Model } from "./model.ts";
import { selectTopContributions, selectTopRepositories } from "./repositories.ts";
import { computeWilsonLowerBound, roundHalfUp } from "./scores/curve.ts";

const repositoriesMax = 5;

/** Builds the card of a developer. Every answer shows the same card. */
export function buildCard(judgement: Judgement, model: Model): Card {
  const { counted, cadence, frequency, experience, skills } = judgement;
  const { facts, history } = counted;
  const { profile } = facts;
  const last = counted.commits?.last;
  const email = listPublishedEmails(facts.emails).find(({ isPrimary }) => isPrimary)?.address;
  const semantic = computeSemanticPercentage(counted, model);
  return {
    login: facts.login,
    platform_experience: experience.tenths / 10,
    ...(email !== undefined && { email }),
    ...selectAnswerFields(profile, searchFields),
    ...(last !== undefined && { last_active_date: last }),
    commits_per_month: cadence?.perMonth ?? 0,
    commit_frequency_label: frequency,
    ...(history.isStale && { activity_until: history.until }),
    ...(semantic !== undefined && { semantic_commit_percentage: semantic }),
    commit_message_quality_label: describeCommitQuality(counted, model).label,
    top_repositories: selectTopRepositories(counted, repositoriesMax),
    top_oss_contributions: selectTopContributions(counted, model, repositoriesMax),
    ...selectAnswerFields(profile, profileOnlyFields),
    score: judgement.score,
    profile_score: judgement.profile.score,
    tech_stack_score: judgement.techStack.score,
    activity_score: judgement.activity.score,
    keywords: skills.map(({ skill }) => skill.name),
    roleKeywords: roleKeywords(judgement, model),
  };
}

function roleKeywords({ roles }: Judgement, { roles: model }: Model): Record<string, string[]> {
  const keywords: Record<string, string[]> = {};
  for (const [at, { role, match, skills }] of roles.entries()) {
    if (!isFoundByRole(match, at)) continue;
    keywords[role.id] = skills.slice(0, model.keywordsMax).map(({ skill }) => skill.name);
  }
  return keywords;
}

/** Lists published addresses. The primary address is from the profile if possible, and from commits only as a last choice. */
export function listPublishedEmails(emails: Facts["emails"]) {
  const published = emails.filter((email) => email.published);
  const primary =
    published.find(({ sources }) => sources.includes("profile")) ??
    published.find(({ sources }) => sources.some((source) => source !== "commits")) ??
    published[0];
  return published.map((email) => ({
    address: email.address,
    sources: [...email.sources],
    isPrimary: email === primary,
  }));
}

export function describeCommitQuality(
  counted: FactsAsOf,
  model: Model,
): ProfileAnalysis["commitQuality"] {
  const { quality: judged, semantic } = counted.commits ?? noCommitsYet;
  const percentage = computeSemanticPercentage(counted, model);
  const { n, good, withBody, withReference, withReason } = judged;
  return {
    ...{ label: selectQualityLabel(judged, model), n, good },
    ...(n > 0 && {
      share: roundHalfUp(Math.min(1, good / n), 4),
      lowerBound: roundHalfUp(computeWilsonLowerBound(good, n), 4),
    }),
    ...{ withBody, withReference, withReason },
    semantic: {
      eligible: semantic.eligible,
      matches: semantic.matches,
      ...(percentage !== undefined && { percentage }),
    },
  };
}

/**
 * Computes the percentage of conventional commit subjects, such as `fix: typo`. Undefined means that there are too few subjects.
 */
function computeSemanticPercentage(counted: FactsAsOf, { labels }: Model): number | undefined {
  const semantic = counted.commits?.semantic;
  if (!semantic || semantic.eligible < labels.semanticEligibleMin) return undefined;
  return roundHalfUp((100 * Math.min(semantic.matches, semantic.eligible)) / semantic.eligible, 1);
}
