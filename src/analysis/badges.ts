import { formatCount, formatCounted, formatRate, formatSpan } from "../contract/format.ts";
import type { ProfileAnalysis } from "../contract/people/profile-analysis.ts";
import type { Judgement } from "./judgement.ts";
import type { Model } from "./model.ts";
import { computeLanguageShares } from "./repositories.ts";
import { shrinkShare } from "./scores/curve.ts";

type Badge = ProfileAnalysis["badges"][number];

/** @returns why the developer earns the badge, such as `120 commits to tests`. Undefined means that the badge is not earned. */
type Rule = (judgement: Judgement, model: Model) => string | undefined;

/** Lists the badges that a developer has earned, in a fixed order. Badges do not change scores. */
export function awardBadges(judgement: Judgement, model: Model): Badge[] {
  return rules.flatMap(([id, name, rule]) => {
    const reason = rule(judgement, model);
    return reason === undefined ? [] : [{ id, name, reason }];
  });
}

const rules: readonly (readonly [id: string, name: string, rule: Rule])[] = [
  ["polyglot", "Polyglot", polyglot],
  ["conventional-committer", "Conventional committer", conventional],
  ["steady-hand", "Steady hand", steadyHand],
  ["prolific", "Prolific", prolific],
  ["maintainer", "Maintainer", maintainer],
  ["collaborator", "Collaborator", collaborator],
  [
    "documentarian",
    "Documentarian",
    commitsTo("documentation", ["docs", "prose"], "documentarianCommitsMin"),
  ],
  ["tester", "Tester", commitsTo("tests", ["test", "e2e-test"], "testerCommitsMin")],
];

function polyglot({ counted }: Judgement, { badges }: Model): string | undefined {
  const { polyglotLanguages, polyglotLinesMin } = badges;
  const languages = computeLanguageShares(counted).filter(({ lines }) => lines >= polyglotLinesMin);
  if (languages.length < polyglotLanguages) return undefined;
  const names = languages.slice(0, 6).map(({ language }) => language);
  return `${formatCounted(polyglotLinesMin, "line")} or more in ${languages.length} languages: ${names.join(", ")}`;
}

function conventional({ counted }: Judgement, model: Model): string | undefined {
  const { eligible = 0, matches = 0 } = counted.commits?.semantic ?? {};
  if (eligible < model.labels.semanticEligibleMin) return undefined;
  const share = shrinkShare(
    { share: Math.min(1, matches / eligible), n: eligible },
    { mean: model.population.semantic, weight: model.population.weight },
  );
  if (share < model.badges.conventionalShareMin) return undefined;
  return `${formatCount(matches)} of ${formatCount(eligible)} subjects follow Conventional Commits`;
}

function steadyHand({ cadence }: Judgement, { badges, activity }: Model): string | undefined {
  const steadiest = cadence?.steadiest;
  if (!steadiest || steadiest.activeMonths < badges.steadyMonthsMin) return undefined;
  return `commits in ${steadiest.activeMonths} of ${activity.windowMonths} months, ${formatSpan(steadiest)}`;
}

function prolific({ cadence }: Judgement, { badges }: Model): string | undefined {
  if (!cadence || cadence.perMonth < badges.prolificPerMonthMin) return undefined;
  return `${formatRate(cadence.perMonth)}, ${formatSpan(cadence.perMonthOf)}`;
}

function maintainer({ counted }: Judgement, { badges }: Model): string | undefined {
  for (const { name, owned, fork, commits, stars, authors } of counted.repositories) {
    if (!owned || fork || commits === 0) continue;
    if (stars !== undefined && stars >= badges.maintainerStarsMin) {
      return `${name} has ${formatCounted(stars, "star")}`;
    }
    if (stars === undefined && authors !== undefined && authors >= badges.maintainerAuthorsMin) {
      return `${name} has ${formatCounted(authors, "author")}`;
    }
  }
  return undefined;
}

function collaborator({ counted }: Judgement, { badges }: Model): string | undefined {
  const { reviews = 0, mergedElsewhere = 0, coAuthored = 0 } = counted.facts.commits ?? {};
  if (reviews + mergedElsewhere + coAuthored < badges.collaborationsMin) return undefined;
  const parts = [
    reviews > 0 && formatCounted(reviews, "review"),
    mergedElsewhere > 0 && `${formatCounted(mergedElsewhere, "change")} merged elsewhere`,
    coAuthored > 0 && formatCounted(coAuthored, "shared commit"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** Judges by the largest number of commits to one of the classes, because the sum would count some commits twice. */
function commitsTo(
  what: string,
  classes: readonly string[],
  least: "documentarianCommitsMin" | "testerCommitsMin",
): Rule {
  return ({ counted }, { badges }) => {
    const commits = counted.evidence.flatMap((piece) =>
      piece.kind === "path" && classes.includes(piece.name) ? piece.commits : [],
    );
    const most = Math.max(0, ...commits);
    return most >= badges[least] ? `${formatCounted(most, "commit")} to ${what}` : undefined;
  };
}
