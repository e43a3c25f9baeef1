import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import type { Judgement } from "./judgement.ts";
import { selectQualityLabel, selectTierLabel } from "./labels.ts";
import type { Model } from "./model.ts";
import { listContributions } from "./repositories.ts";
import { formatMonths } from "./scores/activity.ts";
import { shrinkShare } from "./scores/curve.ts";
import { isProductName } from "./scores/skills.ts";

type Badge = ProfileAnalysis["badges"][number];

/** @returns why the developer earns the badge, such as `120 commits to tests`. Undefined means that the badge is not earned. */
type Rule = (judgement: Judgement, model: Model) => string | undefined;

/** Lists the badges that a developer has earned, in a fixed order. Badges do not change scores. */
export function awardBadges(judgement: Judgement, model: Model): Badge[] {
  const earned: Badge[] = [];
  for (const [id, name, rule] of rules) {
    const reason = rule(judgement, model);
    if (reason !== undefined) earned.push({ id, name, reason });
  }
  return earned;
}

const rules: readonly (readonly [id: string, name: string, rule: Rule])[] = [
  ["polyglot", "Polyglot", polyglot],
  ["specialist", "Specialist", specialist],
  ["conventional-committer", "Conventional committer", conventional],
  ["clear-messages", "Clear messages", clearMessages],
  ["steady-hand", "Steady hand", steadyHand],
  ["prolific", "Prolific", prolific],
  ["veteran", "Veteran", veteran],
  ["maintainer", "Maintainer", maintainer],
  ["flagship-contributor", "Flagship contributor", flagshipContributor],
  ["collaborator", "Collaborator", collaborator],
  ["documentarian", "Documentarian", documentarian],
  ["tester", "Tester", tester],
];

function polyglot({ skills }: Judgement, { badges }: Model): string | undefined {
  const languages = skills.filter(
    ({ skill, strength }) => skill.type === "language" && strength >= badges.polyglotStrengthMin,
  );
  if (languages.length < badges.polyglotLanguages) return undefined;
  const names = languages.slice(0, 6).map(({ skill }) => skill.name);
  return `${languages.length} languages of strength ${badges.polyglotStrengthMin} or more: ${names.join(", ")}`;
}

function specialist({ skills }: Judgement, { badges }: Model): string | undefined {
  const best = skills.find(({ skill }) => !isProductName(skill));
  if (!best || best.strength < badges.specialistStrengthMin) return undefined;
  return `${best.skill.name} at strength ${best.strength} of 100`;
}

function conventional({ counted }: Judgement, model: Model): string | undefined {
  const { eligible = 0, matches = 0 } = counted.commits?.semantic ?? {};
  if (eligible < model.labels.semanticEligibleMin) return undefined;
  const share = shrinkShare(
    { share: Math.min(1, matches / eligible), n: eligible },
    { mean: model.population.semantic, weight: model.population.weight },
  );
  if (share < model.badges.conventionalShareMin) return undefined;
  return `${matches} of ${eligible} subjects follow Conventional Commits`;
}

function clearMessages({ counted }: Judgement, model: Model): string | undefined {
  const judged = counted.commits?.quality;
  if (!judged || selectQualityLabel(judged, model) !== "Excellent") return undefined;
  return `${judged.good} of ${judged.n} messages are good`;
}

function steadyHand({ cadence }: Judgement, { badges, activity }: Model): string | undefined {
  const steadiest = cadence?.steadiest;
  if (!steadiest || steadiest.activeMonths < badges.steadyMonthsMin) return undefined;
  return `commits in ${steadiest.activeMonths} of ${activity.windowMonths} months, ${formatMonths(steadiest)}`;
}

function prolific({ cadence }: Judgement, { badges }: Model): string | undefined {
  if (!cadence || cadence.perMonth < badges.prolificPerMonthMin) return undefined;
  return `${cadence.perMonth} commits per month in ${formatMonths(cadence.perMonthOf)}`;
}

function veteran({ experience }: Judgement, { badges }: Model): string | undefined {
  const years = experience.tenths / 10;
  if (years < badges.veteranYearsMin) return undefined;
  return `${years} years since ${experience.since}`;
}

function maintainer({ counted }: Judgement, { badges }: Model): string | undefined {
  for (const { name, owned, fork, commits, stars, authors } of counted.repositories) {
    if (!owned || fork || commits === 0) continue;
    if (stars !== undefined && stars >= badges.maintainerStarsMin) {
      return `${name} has ${stars} stars`;
    }
    if (stars === undefined && authors !== undefined && authors >= badges.maintainerAuthorsMin) {
      return `${name} has ${authors} authors`;
    }
  }
  return undefined;
}

function flagshipContributor({ counted }: Judgement, model: Model): string | undefined {
  for (const repository of listContributions(counted)) {
    const commits = repository.commits ?? 0;
    if (commits < model.badges.flagshipCommitsMin) continue;
    if (selectTierLabel(repository, model) === "Flagship")
      return `${commits} commits to ${repository.name}`;
  }
  return undefined;
}

function collaborator({ counted }: Judgement, { badges }: Model): string | undefined {
  const { reviews = 0, mergedElsewhere = 0, coAuthored = 0 } = counted.facts.commits ?? {};
  if (reviews + mergedElsewhere + coAuthored < badges.collaborationsMin) return undefined;
  return `${reviews} reviews, ${mergedElsewhere} changes merged elsewhere, ${coAuthored} shared commits`;
}

function documentarian(judgement: Judgement, { badges }: Model): string | undefined {
  const commits = pathCommits(judgement, "docs", "prose");
  return commits >= badges.documentarianCommitsMin
    ? `${commits} commits to documentation`
    : undefined;
}

function tester(judgement: Judgement, { badges }: Model): string | undefined {
  const commits = pathCommits(judgement, "test", "e2e-test");
  return commits >= badges.testerCommitsMin ? `${commits} commits to tests` : undefined;
}

/** Returns the largest number of commits to one of the classes. The sum would count some commits twice. */
function pathCommits({ counted }: Judgement, ...classes: string[]): number {
  const pieces = counted.evidence.filter(
    ({ kind, name }) => kind === "path" && classes.includes(name),
  );
  return pieces.reduce((most, { commits }) => Math.max(most, commits), 0);
}
