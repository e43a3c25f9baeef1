/**
 * The answer of `analyze_profile`. The API document defines some of its fields. Roster's additions are `confidence`,
 * `explanation`, `assistance`, `modelVersion` and `asOf`.
 */
import {
  createAddressSchema,
  createAmountSchema,
  createComponentSchema,
  createCountSchema,
  createCountsSchema,
  createForeignTextListSchema,
  createForeignTextSchema,
  createPercentageSchema,
  createSentenceSchema,
  createSentencesSchema,
  createShareSchema,
  createTextListSchema,
  createTextSchema,
} from "../field-schemas.ts";
import { formatCount, formatCounted } from "../format.ts";
import {
  createComponent,
  createDaySchema,
  createDescribedObject,
  createEnumSchema,
  createRowsSchema,
  type Static,
  Type,
} from "../schema.ts";
import { Assistance, CreditOfOthers } from "./assistance.ts";
import {
  frequencyLabels,
  overallScoreSchema,
  qualityLabels,
  TopContribution,
  TopRepository,
} from "./developer.ts";
import { authorClasses } from "./facts.ts";
import { analysisFields, createAnalysisSchemas } from "./profile-fields.ts";

const Month = Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." });

/** The least match with which a search by role finds a developer (decision 11). */
export const roleMatchMin = 25;

/** The least match with which a search finds a developer by their best role. */
export const bestRoleMatchMin = 10;

/** @param at the place of the role among the developer's roles, best first. */
export function isFoundByRole(match: number, at: number): boolean {
  return match >= (at === 0 ? bestRoleMatchMin : roleMatchMin);
}

/** The strength of a skill that is not in the vocabulary and was found as a word (decision 12). */
export const wordStrength = 30;

/** The levels of a developer, lowest first. "Little Evidence" means that too little is known (decision 48). */
export const levels = [
  "Little Evidence",
  "Beginner",
  "Intermediate",
  "Advanced",
  "Expert",
] as const;

/** One term of a score: its computation and its evidence. */
export const Term = createComponent("ScoreTerm", {
  term: createTextSchema("Such as volume."),
  value: Type.Number({ description: "0 to 100." }),
  weight: Type.Number({ description: "Share of the component, 0 to 1." }),
  points: Type.Number({ description: "value x weight: what it adds." }),
  cap: Type.Number({ description: "The most it can add." }),
  evidence: createSentencesSchema("Repositories, counts and facts behind it."),
});
export type Term = Static<typeof Term>;

const Terms = (of: string) =>
  Type.Array(Term, { maxItems: 5, description: `The five largest of ${of}.` });

const SkillDetail = createComponent("Skill", {
  skill: createTextSchema("Display name."),
  type: createEnumSchema(
    ["language", "framework", "library", "platform", "tool", "domain"],
    "Kind of skill.",
  ),
  strength: createComponentSchema("0 to 100."),
  evidence: createSentencesSchema("What speaks for it, most commits first."),
});

const ActivityYear = createComponent("ActivityYear", {
  from: createTextSchema("YYYY-MM."),
  to: createTextSchema("YYYY-MM."),
  commits: createAmountSchema("Counted."),
  activeMonths: Type.Integer({ description: "Of these." }),
});

export const ProfileAnalysis = createComponent("ProfileAnalysis", {
  proficiency: createDescribedObject("Overall level, and the score for the best role.", {
    level: createEnumSchema(
      levels,
      "Of skill and body of work; Little Evidence where too little was read.",
    ),
    score: overallScoreSchema,
    experienceYears: createAmountSchema("As platform_experience."),
  }),
  emails: createDescribedObject("Published addresses only.", {
    emails: createRowsSchema("Primary first.", {
      address: createAddressSchema("The address."),
      sources: createTextListSchema("Where it was seen, e.g. profile, commits."),
      isPrimary: Type.Boolean({ description: "The one shown as email." }),
    }),
  }),
  roleMatch: createRowsSchema("Best first; roles without any evidence are left out.", {
    role: createTextSchema("Id of the role, as search takes it."),
    displayName: createTextSchema("Name of the role."),
    score: createComponentSchema("Match for the role, 0 to 100."),
  }),
  scores: createDescribedObject("The scores that the profile shows.", {
    role: createTextSchema("The role these scores are for: the best match."),
    score: overallScoreSchema,
    scores: createDescribedObject("The three components.", {
      profile: createComponentSchema("15 % of the score."),
      techStack: createComponentSchema("50 % of the score."),
      activity: createComponentSchema("35 % of the score."),
    }),
    matchingKeywords: Type.Optional(
      createTextListSchema("Alias of the profile's matching_keywords."),
    ),
  }),
  profile: createDescribedObject("Who this is, and how that is known.", {
    login: createTextSchema("Platform username."),
    ...createAnalysisSchemas(analysisFields.beforePlaces),
    otherNames: Type.Optional(createForeignTextListSchema("One.", "Other names.")),
    places: createTextListSchema("The location, resolved: full place names."),
    ...createAnalysisSchemas(analysisFields.afterPlaces),
    experienceSource: createEnumSchema(
      ["forge", "first commit", "none"],
      "Where platform_experience comes from.",
    ),
    derivedLogin: Type.Boolean({ description: "True when no forge account is known." }),
    class: createEnumSchema(authorClasses, "Only humans appear in search."),
    source: createTextSchema("Where the facts come from."),
  }),
  commitQuality: createDescribedObject("How well commits are described.", {
    label: createEnumSchema(
      qualityLabels,
      "From the share of good messages; below 20 messages none.",
    ),
    n: createCountSchema("Messages judged."),
    good: createCountSchema("They tell why and what."),
    share: Type.Optional(createShareSchema("good / n.")),
    lowerBound: Type.Optional(createShareSchema("Wilson lower bound, 95 %.")),
    withBody: createCountSchema("Messages with more than a subject."),
    withReference: createCountSchema("Messages that name an issue or document."),
    withReason: createCountSchema("With a reason in words."),
    semantic: createDescribedObject("Conventional subjects; no percentage below 10 eligible.", {
      eligible: createCountSchema("Commits that could have a conventional subject."),
      matches: createCountSchema("Of these, with one."),
      percentage: Type.Optional(createPercentageSchema("100 x matches / eligible.")),
    }),
  }),
  repositories: createDescribedObject("What the work was on.", {
    owned: createCountSchema("Repositories of the developer's own."),
    contributedTo: createCountSchema("Repositories of others with own commits."),
    stars: Type.Optional(createCountSchema("Of owned ones, when known.")),
    top: Type.Array(TopRepository, { description: "Own ones, by commits." }),
    contributions: Type.Array(TopContribution, { description: "Others', by commits." }),
    ended: Type.Optional(
      createRowsSchema("Repositories whose data ends while the person worked there.", {
        repository: createForeignTextSchema("Its name."),
        until: createDaySchema("Day of the newest commit read."),
      }),
    ),
    languages: createRowsSchema("Most lines first.", {
      language: createForeignTextSchema("Name as Linguist writes it."),
      lines: createCountSchema("Own changed lines, capped per commit."),
      commits: createCountSchema("Own counted commits with it."),
      share: createShareSchema("Of the person's own changed lines."),
    }),
    skills: Type.Array(SkillDetail, { description: "Strongest first." }),
  }),
  activity: createDescribedObject("How much, how steadily, with whom.", {
    totalCommits: createCountSchema("Counted commits, over all years; with excluded all written."),
    commitsPerMonth: createAmountSchema("As commits_per_month."),
    frequencyLabel: createEnumSchema(frequencyLabels, "As commit_frequency_label."),
    until: Type.Optional(createDaySchema("Data ends here, before asOf.")),
    activeMonths: Type.Integer({
      minimum: 0,
      maximum: 12,
      description: "In the 12 months with most of them.",
    }),
    current: Type.Optional(ActivityYear),
    bestYear: Type.Optional(ActivityYear),
    scoreUses: Type.Optional(
      createEnumSchema(["current", "bestYear"], "The larger, bestYear times 0.9."),
    ),
    firstCommit: Type.Optional(createDaySchema("Author date of the first counted commit.")),
    lastCommit: Type.Optional(createDaySchema("Author date of the last counted commit.")),
    months: createRowsSchema("The last 36 full months, oldest first.", {
      month: Month,
      commits: createAmountSchema("A commit shared by k people is 1/k."),
    }),
    coAuthored: Type.Optional(createCountSchema("Commits shared with another human, when known.")),
    reviews: Type.Optional(createCountSchema("Reviews given, when known.")),
    mergedElsewhere: Type.Optional(createCountSchema("Changes merged into others' repositories.")),
    credits: Type.Optional(
      Type.Array(CreditOfOthers, { description: "Others' commits whose trailers name them." }),
    ),
    excluded: createCountsSchema("Written and not counted, by reason."),
  }),
  badges: createRowsSchema("Each earned by a fixed rule.", {
    id: createTextSchema("Id of the rule."),
    name: createTextSchema("Name of the badge."),
    reason: createSentenceSchema("The figure that earned it."),
  }),
  summary: createDescribedObject("The analysis in words.", {
    text: createTextSchema("Plain sentences for a person."),
    strengths: createSentencesSchema("What stands out, strongest first."),
    caveats: createSentencesSchema("Thin evidence, derived figures, flags."),
  }),
  confidence: createShareSchema("n / (n + 20) x data coverage."),
  explanation: createDescribedObject("Why each score is what it is.", {
    profile: Terms("the profile score"),
    techStack: Terms("the tech-stack score"),
    activity: Terms("the activity score"),
    roleMatch: Terms("the best role's match"),
  }),
  assistance: Type.Optional(Assistance),
  modelVersion: createTextSchema("Of the constants."),
  asOf: createDaySchema("UTC day of judging; later commits are not counted."),
});
export type ProfileAnalysis = Static<typeof ProfileAnalysis>;

/** Lists the roles that texts name besides the best one, best first. */
export function listNamedRoles({
  roleMatch,
}: Pick<ProfileAnalysis, "roleMatch">): ProfileAnalysis["roleMatch"] {
  return roleMatch.filter(({ score }) => score >= roleMatchMin);
}

/** Formats a role as `Backend Developer, 23 of 100 (weak)`. */
export function formatRole({ displayName, score }: ProfileAnalysis["roleMatch"][number]): string {
  const word = score < roleMatchMin ? "weak" : score < 50 ? "fair" : "strong";
  return `${displayName}, ${score} of 100 (${word})`;
}

/** Describes the first role and the most work behind it: `Backend Developer, 23 of 100 (weak): Go in 41 of 120 commits`. */
export function describeFirstRole({
  roleMatch: [best],
  explanation,
  activity: { totalCommits },
}: Pick<ProfileAnalysis, "roleMatch" | "activity" | "explanation">): string {
  if (!best) return "No role has any evidence";
  const known = explanation.roleMatch.filter(({ points }) => points > 0);
  const worked = known.flatMap(({ term, evidence }) => {
    const commits = evidence.map(readCommits).find(Boolean);
    return commits ? { term, commits: Number(commits.replaceAll(",", "")) } : [];
  });
  const counted = worked
    .sort((a, b) => b.commits - a.commits)
    .map(({ term, commits }) => `${term} in ${formatCount(commits)}`);
  const others = known.map(({ term, evidence }) => `${term}: ${evidence.at(-1)}`);
  const why = (counted.length > 0 ? counted : others).slice(0, 2).join(", ");
  const all = formatCounted(totalCommits, "commit");
  return `${formatRole(best)}${why && ": "}${why}${counted.length > 0 ? ` of ${all}` : ""}`;
}

/** Reads the number of commits at the beginning of a sentence of evidence, such as `2,392`. */
export function readCommits(sentence: string): string | undefined {
  return /^([\d,]+) commits?\b/.exec(sentence)?.[1];
}
