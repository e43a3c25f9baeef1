import { plain, quoted } from "../../../contract/foreign-text.ts";
import type { ProfileAnalysis, Term } from "../../../contract/people/profile-analysis.ts";
import { facts } from "./facts.ts";

/** More stand in the structured content. */
const rolesMax = 5;
const skillsMax = 12;
const summaryLettersMax = 1000;

/** @package The judgement, and the terms that make each score. */
export function analysisLines(analysis: ProfileAnalysis): string[] {
  const { profile, proficiency, scores, summary, explanation, repositories, emails } = analysis;
  const { role, score, scores: components } = scores;
  const roles = analysis.roleMatch
    .slice(0, rolesMax)
    .map((each) => `${each.displayName} ${each.score}`);
  const skills = repositories.skills.slice(0, skillsMax);
  return [
    facts([
      plain(profile.login),
      `${proficiency.level}, score ${score} as ${plain(role) || "no role"}`,
      `${proficiency.experienceYears} years`,
      `confidence ${analysis.confidence}`,
    ]),
    plain(summary.text, summaryLettersMax),
    list("Roles", roles),
    list(
      "Skills",
      skills.map(({ skill, strength }) => `${plain(skill)} ${strength}`),
    ),
    list(
      "E-mail",
      emails.emails.map(({ address }) => quoted(address)),
    ),
    list(`Profile ${components.profile}`, explanation.profile.map(termText)),
    list(`Tech stack ${components.techStack}`, explanation.techStack.map(termText)),
    list(`Activity ${components.activity}`, explanation.activity.map(termText)),
    ...analysis.badges.map(({ name, reason }) => `Badge ${plain(name)}: ${quoted(reason)}`),
    ...summary.caveats.map((caveat) => `Caveat: ${quoted(caveat)}`),
    `Judged as of ${plain(analysis.asOf)} by model ${plain(analysis.modelVersion)}.`,
  ];
}

function list(title: string, entries: readonly string[]): string {
  return entries.length > 0 ? `${title}: ${entries.join(", ")}` : "";
}

function termText({ term, points, cap }: Term): string {
  return `${plain(term)} ${points} of ${cap}`;
}
