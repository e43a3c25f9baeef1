import type { Card } from "../../contract/people/developer.ts";
import type { ProfileAnalysis } from "../../contract/people/profile-analysis.ts";
import { monthText } from "../calendar.ts";
import { largest } from "../component.ts";
import { rounded } from "../curve.ts";
import { frequencyLabel, levelOf } from "../labels.ts";
import type { Model } from "../model.ts";
import { starsOf } from "../scores/profile.ts";
import { badgesOf } from "./badges.ts";
import { cardOf } from "./card.ts";
import { commitQuality } from "./commit-quality.ts";
import { publishedEmails } from "./emails.ts";
import { type Judgement, noRole } from "./judgement.ts";
import {
  contributions,
  languageShares,
  topContributions,
  topRepositories,
} from "./repositories.ts";
import { summaryOf } from "./summary.ts";

/** The analysis has room for more repositories than a card. */
const repositoriesMax = 10;

/** Puts a judgement into the two shapes that are stored and shown. */
export function report(
  judgement: Judgement,
  model: Model,
): { readonly analysis: ProfileAnalysis; readonly card: Card } {
  return { analysis: analysisOf(judgement, model), card: cardOf(judgement, model) };
}

function analysisOf(judgement: Judgement, model: Model): ProfileAnalysis {
  const { counted, roles, experience, score, confidence } = judgement;
  return {
    proficiency: {
      level: levelOf(score, confidence, model),
      score,
      experienceYears: experience.tenths / 10,
    },
    emails: { emails: publishedEmails(counted.facts.emails) },
    roleMatch: roles.map(({ role, match }) => ({
      role: role.id,
      displayName: role.displayName,
      score: match,
    })),
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
    commitQuality: commitQuality(counted, model),
    repositories: repositoriesOf(judgement, model),
    activity: activityOf(judgement, model),
    badges: badgesOf(judgement, model),
    summary: summaryOf(judgement, model),
    confidence,
    explanation: {
      profile: largest(judgement.profile.terms),
      techStack: largest(judgement.techStack.terms),
      activity: largest(judgement.activity.terms),
      roleMatch: largest(roles[0]?.terms ?? []),
    },
    modelVersion: model.modelVersion,
    asOf: counted.asOf,
  };
}

function profileOf({ counted, placeNames, experience }: Judgement): ProfileAnalysis["profile"] {
  const { facts } = counted;
  const { name, bio, company, location, blog, profileUrl, hireable, followers, createdAt } =
    facts.profile;
  return {
    login: facts.login,
    ...(name !== undefined && { name }),
    ...(bio !== undefined && { bio }),
    ...(company !== undefined && { company }),
    ...(location !== undefined && { location }),
    places: [...placeNames],
    ...(blog !== undefined && { blog }),
    ...(profileUrl !== undefined && { profileUrl }),
    ...(hireable !== undefined && { hireable }),
    ...(followers !== undefined && { followers }),
    ...(createdAt !== undefined && { createdAt }),
    experienceSource: experience.source,
    derivedLogin: facts.derivedLogin ?? false,
    class: facts.class ?? "human",
    source: facts.source,
  };
}

function repositoriesOf(
  { counted, skills }: Judgement,
  model: Model,
): ProfileAnalysis["repositories"] {
  const stars = starsOf(counted);
  return {
    owned: counted.repositories.filter(({ owned }) => owned).length,
    contributedTo: contributions(counted).length,
    ...(stars !== undefined && { stars }),
    top: topRepositories(counted, repositoriesMax),
    contributions: topContributions(counted, model, repositoriesMax),
    languages: languageShares(counted),
    skills: skills.map(({ skill, strength, evidence }) => ({
      skill: skill.name,
      type: skill.type,
      strength,
      evidence: [...evidence],
    })),
  };
}

function activityOf({ counted, cadence }: Judgement, model: Model): ProfileAnalysis["activity"] {
  const { commits, asOfMonth, later } = counted;
  const told = counted.facts.commits;
  const months = (cadence?.volume ?? []).map((amount, at) => ({
    month: monthText(asOfMonth - 1 - at),
    commits: rounded(amount, 2),
  }));
  const excluded: Record<string, number> = {};
  for (const reason of Object.keys(told?.excluded ?? {}).sort()) {
    excluded[reason] = told?.excluded?.[reason] ?? 0;
  }
  if (later.commits > 0) excluded["future"] = (excluded["future"] ?? 0) + later.commits;
  return {
    totalCommits: commits?.total ?? 0,
    commitsPerMonth: cadence?.perMonth ?? 0,
    frequencyLabel: frequencyLabel(cadence?.perMonth, model),
    activeMonths: cadence?.activeMonths ?? 0,
    ...(commits?.first !== undefined && { firstCommit: commits.first }),
    ...(commits?.last !== undefined && { lastCommit: commits.last }),
    months: months.reverse(),
    ...(told?.coAuthored !== undefined && { coAuthored: told.coAuthored }),
    ...(told?.reviews !== undefined && { reviews: told.reviews }),
    ...(told?.mergedElsewhere !== undefined && { mergedElsewhere: told.mergedElsewhere }),
    excluded,
  };
}
