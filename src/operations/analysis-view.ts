/** The text of an answer of `analyze_profile`. The command `explain` shows it too. */

import { cleanForModel, quoteForModel } from "../contract/foreign-text.ts";
import {
  formatCount,
  formatCounted,
  formatDate,
  formatScore,
  formatShare,
  formatYears,
} from "../contract/format.ts";
import { formatCreditedWork } from "../contract/people/credit-facts.ts";
import {
  listNamedRoles,
  type ProfileAnalysis,
  type Term,
} from "../contract/people/profile-analysis.ts";
import { joinKnown, type ViewPart, type ViewRows } from "./view.ts";

const rolesMax = 5;
const skillsMax = 12;
const summaryLettersMax = 1000;

export function viewAnalysis(analysis: ProfileAnalysis): ViewPart[] {
  const { scores, explanation } = analysis;
  const { profile, techStack, activity } = scores.scores;
  return [
    { lines: () => listFindings(analysis) },
    viewTerms(`experience and breadth ${profile}`, explanation.profile),
    viewTerms(`tech stack ${techStack}`, explanation.techStack),
    viewTerms(`activity ${activity}`, explanation.activity),
    { lines: () => listReasons(analysis) },
  ];
}

function listFindings(analysis: ProfileAnalysis): string[] {
  const { profile, proficiency, scores, summary, repositories, emails } = analysis;
  const roles = listNamedRoles(analysis);
  const skills = repositories.skills.slice(0, skillsMax);
  const as = roles[0] ? ` as ${cleanForModel(roles[0].role)}` : "";
  return [
    joinKnown([
      cleanForModel(profile.login),
      `${proficiency.level}, score ${formatScore(scores.score)}${as}`,
      formatYears(proficiency.experienceYears),
      `confidence ${formatShare(analysis.confidence)}`,
    ]),
    cleanForModel(summary.text, summaryLettersMax),
    formatList(
      "Other roles",
      roles.slice(1, rolesMax).map((each) => `${each.displayName} ${each.score}`),
    ),
    formatList(
      "Skills",
      skills.map(({ skill, strength }) => `${cleanForModel(skill)} ${strength}`),
    ),
    formatList(
      "E-mail",
      emails.emails.map(({ address }) => quoteForModel(address)),
    ),
  ];
}

function listReasons({ badges, summary, asOf, modelVersion, ...about }: ProfileAnalysis) {
  return [
    ...badges.map(({ name, reason }) => `Badge ${cleanForModel(name)}: ${quoteForModel(reason)}`),
    ...listAssistance(about),
    ...summary.caveats.map((caveat) => `Caveat: ${quoteForModel(caveat)}`),
    `Judged as of ${formatDate(asOf)} by model ${cleanForModel(modelVersion)}.`,
  ];
}

/** Lists the commits with help from AI assistants, and the commits of others that name the person. */
export function listAssistance({
  assistance,
  activity,
}: Pick<ProfileAnalysis, "assistance" | "activity">): string[] {
  return [
    ...(assistance?.evidence ?? []).map((sentence) => `${cleanForModel(sentence)}.`),
    ...(activity.credits ?? []).map(
      ({ kind, count, first, last }) =>
        `${creditTexts[kind]} ${formatCount(count)} ${formatCreditedWork(kind, count)} of others, ${formatDate(first)} to ${formatDate(last)}.`,
    ),
  ];
}

/** Explains why the score is a range: most assistance by AI leaves no mark. */
export function explainRange({ assistance }: Pick<ProfileAnalysis, "assistance">): string[] {
  if (!assistance || assistance.unknown === 0) return [];
  const { unmarked, unknown, scoreLow, scoreHigh } = assistance;
  return [
    `Most assistance leaves no mark. Of ${formatCounted(Math.round(unmarked), "commit")} without a mark or note, up to ${formatCount(Math.round(unknown))} may be assisted. ` +
      `Without them the score would be ${formatScore(scoreLow)} instead of ${formatScore(scoreHigh)}.`,
  ];
}

const creditTexts = {
  ...{ reviewed: "Reviewed", tested: "Tested", reported: "Reported the reason of" },
  ...{ signedOff: "Signed off", acked: "Acknowledged" },
  ...{ approved: "Approved", changesRequested: "Asked for changes to" },
} as const;

export function viewTerms(title: string, terms: readonly Term[]): ViewRows {
  const named = `${title[0]?.toUpperCase()}${title.slice(1)}`;
  return {
    lines: () => [
      formatList(
        named,
        terms.map(({ term, points, cap }) => `${cleanForModel(term)} ${points} of ${cap}`),
      ),
    ],
    table: {
      title,
      headings: ["  term", "value", "weight", "points", "at most", "because of"],
      rows: () =>
        terms.map(({ term, value, weight, points, cap, evidence }) => [
          `  ${term}`,
          ...[value, weight, points, cap].map(String),
          evidence.join("; "),
        ]),
    },
  };
}

function formatList(title: string, entries: readonly string[]): string {
  return entries.length > 0 ? `${title}: ${entries.join(", ")}` : "";
}
