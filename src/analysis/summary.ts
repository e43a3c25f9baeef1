import { type ProfileAnalysis, roleMatchMin } from "../contract/people/profile-analysis.ts";
import type { Judgement } from "./judgement.ts";
import { selectFrequencyLabel, selectQualityLabel } from "./labels.ts";
import type { Model } from "./model.ts";

/** Writes the figures in plain sentences: what stands out, and what to be careful with. */
export function writeSummary(judgement: Judgement, model: Model): ProfileAnalysis["summary"] {
  return {
    text: text(judgement, model),
    strengths: strengths(judgement, model),
    caveats: caveats(judgement, model),
  };
}

function text(judgement: Judgement, model: Model): string {
  const { counted, roles, skills, score, level, cadence, experience } = judgement;
  const best = roles.find(({ match }) => match >= roleMatchMin);
  const years = experience.tenths / 10;
  const sentences = [
    best
      ? `${level}, best matched as ${best.role.displayName} (${best.match} of 100).`
      : `${level}; no role stands out.`,
    `The score is ${score} of 100: profile ${judgement.profile.score}, tech stack ${judgement.techStack.score}, activity ${judgement.activity.score}.`,
  ];
  if (skills.length > 0) {
    const names = skills.slice(0, 3).map(({ skill, strength }) => `${skill.name} (${strength})`);
    sentences.splice(best ? 2 : 1, 0, `Strongest evidence: ${names.join(", ")}.`);
  }
  if (cadence && counted.commits) sentences.push(...describeWork(counted.commits, cadence, model));
  if (experience.source !== "none") {
    const what = experience.source === "forge" ? "on the platform" : "since the first commit";
    sentences.push(`${years} years ${what}.`);
  }
  return sentences.join(" ");
}

function describeWork(
  { total, last, volume }: NonNullable<Judgement["counted"]["commits"]>,
  { perMonth }: NonNullable<Judgement["cadence"]>,
  model: Model,
): string[] {
  const counted = `${plural(total, "commit")} counted`;
  const { windowMonths } = model.activity;
  // The month of as-of is in no window, but who commits in it is not away.
  if (total === 0 || volume.some(({ age }) => age <= windowMonths)) {
    const label = selectFrequencyLabel(perMonth, model);
    return [`${counted}, ${perMonth} per month in the last year (${label}).`];
  }
  const when = last === undefined ? "" : `; last active ${last.slice(0, 7)}`;
  return [`${counted}.`, `No commits in the last ${windowMonths} months${when}.`];
}

function strengths({ skills, cadence, counted, roles }: Judgement, model: Model): string[] {
  const found: string[] = [];
  for (const { skill, strength, evidence } of skills.slice(0, 3)) {
    if (strength >= 50) found.push(`${skill.name}: ${evidence[0] ?? `strength ${strength}`}`);
  }
  if (cadence && cadence.activeMonths >= model.badges.steadyMonthsMin) {
    found.push(`Steady: commits in ${cadence.activeMonths} of 12 months`);
  }
  const judged = counted.commits?.quality;
  const label = judged && selectQualityLabel(judged, model);
  if (judged && (label === "Excellent" || label === "Good")) {
    found.push(`${label} commit messages: ${judged.good} of ${judged.n} say why`);
  }
  const others = roles.slice(1).filter(({ match }) => match >= 50);
  if (others.length > 0) {
    found.push(`Also fits: ${others.map(({ role }) => role.displayName).join(", ")}`);
  }
  return found;
}

function caveats(judgement: Judgement, model: Model): string[] {
  const { counted, confidence, experience, assistance } = judgement;
  const { facts, commits, later } = counted;
  const found: string[] = [];
  if (facts.class && facts.class !== "human") {
    const why = facts.classReason ? `: ${facts.classReason}` : "";
    found.push(`Classed as ${facts.class}${why}; not found by search`);
  }
  if (!commits) found.push("No source looked at commits");
  else if (commits.total < model.roles.commitsMin) {
    found.push(
      `Only ${plural(commits.total, "counted commit")}: no role match above ${model.roles.thinCap}`,
    );
  }
  if (assistance && assistance.commits > 0) found.push(...assistance.evidence.slice(0, 1));
  if (confidence < model.labels.levelConfidenceMin) {
    found.push(`Evidence is thin (confidence ${confidence}): no level above Beginner is claimed`);
  }
  if (experience.source === "first commit") {
    found.push("Experience is derived from the first commit, as no forge account is known");
  }
  if (facts.derivedLogin) found.push("The login is derived from an e-mail address");
  if (later.commits > 0 || later.evidence > 0 || later.repositories > 0) {
    found.push(
      `Dated after ${counted.asOf} and not counted: ${plural(later.commits, "commit")}, ` +
        `${plural(later.evidence, "piece")} of evidence, ${plural(later.repositories, "repository", "repositories")}`,
    );
  }
  const { createdAt } = facts.profile;
  if (createdAt !== undefined && createdAt.slice(0, 10) > counted.asOf) {
    found.push(`The account is dated after ${counted.asOf}`);
  }
  return found;
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
