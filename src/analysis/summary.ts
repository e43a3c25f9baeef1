import {
  formatCount,
  formatCounted,
  formatDate,
  formatRate,
  formatScore,
  formatShare,
  formatShortMonth,
  formatSpan,
  formatYears,
} from "../contract/format.ts";
import { formatCommitCounts } from "../contract/people/commit-counts.ts";
import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import { countUncounted } from "./facts-as-of.ts";
import type { Judgement } from "./judgement.ts";
import { selectQualityLabel } from "./labels.ts";
import type { Model } from "./model.ts";
import type { Cadence } from "./scores/activity.ts";
import { listByWork } from "./scores/skills.ts";

/**
 * Writes the summary of a developer in plain sentences: the first role, what the person did most, and where to be careful.
 * @param role the first role with its evidence.
 */
export function writeSummary(
  judgement: Judgement,
  model: Model,
  role: string,
): ProfileAnalysis["summary"] {
  return {
    text: text(judgement, model, role),
    strengths: strengths(judgement, model),
    caveats: caveats(judgement, model),
  };
}

function text(judgement: Judgement, model: Model, role: string): string {
  const { score, level, experience } = judgement;
  const sentences = [`${level === "Little Evidence" ? "Little evidence" : level}. ${role}.`];
  const work = describeSkills(judgement, model);
  if (work.length > 0) sentences.push(`Most work: ${work.join("; ")}.`);
  sentences.push(
    `The score is ${formatScore(score)} of 100: experience and breadth ${judgement.profile.score}, tech stack ${judgement.techStack.score}, activity ${judgement.activity.score}.`,
    ...describeWork(judgement),
  );
  if (experience.source !== "none") {
    const what = experience.source === "forge" ? "on the platform" : "since the first commit";
    sentences.push(`${formatYears(experience.tenths / 10)} ${what}.`);
  }
  return sentences.join(" ");
}

/** Describes the skills with most work: `Rust: 2,392 commits, 236,141 lines in acme/engine`. */
function describeSkills({ skills }: Judgement, model: Model): string[] {
  return listByWork(skills, model)
    .slice(0, 3)
    .map(({ skill, evidence }) => `${skill.name}: ${evidence[0]}`);
}

function describeWork({ counted, cadence, frequency }: Judgement): string[] {
  const { commits, history } = counted;
  if (!commits || !cadence) return [];
  const { total, last = "" } = commits;
  const { perMonth, perMonthOf, bestYear, scoreUses } = cadence;
  const end = history.isStale ? `, as of ${formatDate(history.until)}, when the data ends` : "";
  const when = frequency === "Inactive" && last ? `; last active ${formatShortMonth(last)}` : "";
  const sentences = [
    `${formatCommitCounts({ totalCommits: total, excluded: countUncounted(counted) })}.`,
    `Current activity: ${formatRate(perMonth)}, ${formatSpan(perMonthOf)} (${frequency}${end}${when}).`,
  ];
  if (scoreUses === "bestYear" && total > 0) {
    const best = formatCounted(Math.round(bestYear.commits), "commit");
    sentences.push(
      `The activity score uses the best of the last three years: ${best}, ${formatSpan(bestYear)}.`,
    );
  }
  return sentences;
}

/** Describes the current year, or the steadiest earlier year. Undefined means that no year was steady. */
function describeSteadiness(
  { current, steadiest }: Cadence,
  { badges: { steadyMonthsMin }, activity: { windowMonths } }: Model,
): string | undefined {
  const tell = ({ activeMonths, ...span }: Cadence["current"]) =>
    `commits in ${activeMonths} of ${windowMonths} months, ${formatSpan(span)}`;
  if (current.activeMonths >= steadyMonthsMin) return `Steady: ${tell(current)}`;
  if (steadiest.activeMonths < steadyMonthsMin) return undefined;
  return `Was steady for a year: ${tell(steadiest)}`;
}

function strengths(judgement: Judgement, model: Model): string[] {
  const { cadence, counted, roles } = judgement;
  const found = describeSkills(judgement, model);
  const steady = cadence && describeSteadiness(cadence, model);
  if (steady) found.push(steady);
  const judged = counted.commits?.quality;
  const label = judged && selectQualityLabel(judged, model);
  if (judged && (label === "Excellent" || label === "Good")) {
    found.push(
      `${label} commit messages: ${formatCount(judged.good)} of ${formatCount(judged.n)} are good`,
    );
  }
  const others = roles.slice(1).filter(({ match }) => match >= 50);
  if (others.length > 0) {
    found.push(`Also fits: ${others.map(({ role }) => role.displayName).join(", ")}`);
  }
  return found;
}

function caveats(judgement: Judgement, model: Model): string[] {
  const { counted, confidence, experience, assistance, level } = judgement;
  const { facts, commits, later } = counted;
  const found: string[] = [];
  if (facts.class && facts.class !== "human") {
    const why = facts.classReason ? `: ${facts.classReason}` : "";
    found.push(`Classed as ${facts.class}${why}; not found by search`);
  }
  if (!commits) found.push("No source looked at commits");
  else if (commits.total < model.roles.commitsMin) {
    found.push(
      `Only ${formatCounted(commits.total, "counted commit")}: no role match above ${model.roles.thinCap}`,
    );
  }
  if (assistance && assistance.commits > 0) found.push(...assistance.evidence.slice(0, 1));
  if (confidence < model.labels.levelConfidenceMin) {
    found.push(`Evidence is thin (confidence ${formatShare(confidence)}): no level is named`);
  } else if (level === "Little Evidence") {
    found.push("Roster may have read only a small part of the work: no level is named");
  }
  if (experience.source === "first commit") {
    found.push("Experience is derived from the first commit, as no forge account is known");
  }
  found.push(...describeEnd(counted));
  if (facts.derivedLogin) found.push("The login is derived from an e-mail address");
  if (later.commits > 0 || later.evidence > 0 || later.repositories > 0) {
    found.push(
      `Dated after ${formatDate(counted.asOf)} and not counted: ${formatCounted(later.commits, "commit")}, ` +
        `${formatCounted(later.evidence, "piece")} of evidence, ${formatCounted(later.repositories, "repository", "repositories")}`,
    );
  }
  const { createdAt } = facts.profile;
  if (createdAt !== undefined && createdAt.slice(0, 10) > counted.asOf) {
    found.push(`The account is dated after ${formatDate(counted.asOf)}`);
  }
  return found;
}

const endedMax = 3;

/** Says on which day the known history ends. Nobody knows what the person did afterwards. */
function describeEnd({ history: { until, isStale, ended } }: Judgement["counted"]): string[] {
  const named = ended
    .slice(0, endedMax)
    .map(({ repository, until: day }) => `${repository} ${formatDate(day)}`);
  if (ended.length > endedMax) named.push(`and ${ended.length - endedMax} more`);
  const where = named.length > 0 ? `: ${named.join(", ")}` : "";
  if (isStale) return [`Data ends ${formatDate(until)}; later work may exist${where}`];
  return ended.length > 0
    ? [`Data of some repositories ends early; later work may exist${where}`]
    : [];
}
