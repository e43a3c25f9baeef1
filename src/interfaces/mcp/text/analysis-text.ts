import { cleanForModel, quoteForModel } from "../../../contract/foreign-text.ts";
import type { ProfileAnalysis, Term } from "../../../contract/people/profile-analysis.ts";
import { joinKnown } from "./join-known.ts";

/** More stand in the structured content. */
const rolesMax = 5;
const skillsMax = 12;
const summaryLettersMax = 1000;

/** @package The judgement, and the terms that make each score. */
export function formatAnalysis(analysis: ProfileAnalysis): string[] {
  const { profile, proficiency, scores, summary, explanation, repositories, emails } = analysis;
  const { role, score, scores: components } = scores;
  const roles = analysis.roleMatch
    .slice(0, rolesMax)
    .map((each) => `${each.displayName} ${each.score}`);
  const skills = repositories.skills.slice(0, skillsMax);
  return [
    joinKnown([
      cleanForModel(profile.login),
      `${proficiency.level}, score ${score} as ${cleanForModel(role) || "no role"}`,
      `${proficiency.experienceYears} years`,
      `confidence ${analysis.confidence}`,
    ]),
    cleanForModel(summary.text, summaryLettersMax),
    list("Roles", roles),
    list(
      "Skills",
      skills.map(({ skill, strength }) => `${cleanForModel(skill)} ${strength}`),
    ),
    list(
      "E-mail",
      emails.emails.map(({ address }) => quoteForModel(address)),
    ),
    list(`Profile ${components.profile}`, explanation.profile.map(termText)),
    list(`Tech stack ${components.techStack}`, explanation.techStack.map(termText)),
    list(`Activity ${components.activity}`, explanation.activity.map(termText)),
    ...analysis.badges.map(
      ({ name, reason }) => `Badge ${cleanForModel(name)}: ${quoteForModel(reason)}`,
    ),
    ...summary.caveats.map((caveat) => `Caveat: ${quoteForModel(caveat)}`),
    `Judged as of ${cleanForModel(analysis.asOf)} by model ${cleanForModel(analysis.modelVersion)}.`,
  ];
}

function list(title: string, entries: readonly string[]): string {
  return entries.length > 0 ? `${title}: ${entries.join(", ")}` : "";
}

function termText({ term, points, cap }: Term): string {
  return `${cleanForModel(term)} ${points} of ${cap}`;
}
