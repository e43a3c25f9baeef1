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
  term: createTextSchema("Name of the term, such as volume."),
  value: Type.Number({ description: "Value of the term, 0 to 100." }),
  weight: Type.Number({ description: "Weight of the term in the score, 0 to 1." }),
  points: Type.Number({ description: "Points that the term adds: value x weight." }),
  cap: Type.Number({ description: "Most points that the term can add." }),
  evidence: createSentencesSchema("Facts behind the value."),
});
export type Term = Static<typeof Term>;

const Terms = (of: string) =>
  Type.Array(Term, { maxItems: 5, description: `Up to five largest terms of ${of}.` });

const SkillDetail = createComponent("Skill", {
  skill: createTextSchema("Name of the skill."),
  type: createEnumSchema(
    ["language", "framework", "library", "platform", "tool", "domain"],
    "Kind of skill.",
  ),
  strength: createComponentSchema("Strength of the skill, 0 to 100."),
  evidence: createSentencesSchema("Evidence of the skill, most commits first."),
});

const ActivityYear = createComponent("ActivityYear", {
  from: createTextSchema("First month, YYYY-MM."),
  to: createTextSchema("Last month, YYYY-MM."),
  commits: createAmountSchema("Counted commits."),
  activeMonths: Type.Integer({ description: "Months with commits." }),
});

export const ProfileAnalysis = createComponent("ProfileAnalysis", {
  proficiency: createDescribedObject("Overall level, and score for the best role.", {
    level: createEnumSchema(
      levels,
      "Level of skill and work; Little Evidence means that too little is known.",
    ),
    score: overallScoreSchema,
    experienceYears: createAmountSchema("Same as platform_experience."),
  }),
  emails: createDescribedObject("Published e-mail addresses.", {
    emails: createRowsSchema("The addresses, primary first.", {
      address: createAddressSchema("E-mail address."),
      sources: createTextListSchema("Sources of the address, e.g. profile, commits."),
      isPrimary: Type.Boolean({ description: "Whether it is the address in the field email." }),
    }),
  }),
  roleMatch: createRowsSchema("Roles with evidence, best match first.", {
    role: createTextSchema("Id of the role, for searches."),
    displayName: createTextSchema("Name of the role."),
    score: createComponentSchema("Match for the role, 0 to 100."),
  }),
  scores: createDescribedObject("The scores of the profile.", {
    role: createTextSchema("Best matching role; the scores are for it."),
    score: overallScoreSchema,
    scores: createDescribedObject("The three components.", {
      profile: createComponentSchema("Profile score, 0 to 100; 15 % of the score."),
      techStack: createComponentSchema("Tech-stack score, 0 to 100; 50 % of the score."),
      activity: createComponentSchema("Activity score, 0 to 100; 35 % of the score."),
    }),
    matchingKeywords: Type.Optional(
      createTextListSchema("Alias of the profile's matching_keywords."),
    ),
  }),
  profile: createDescribedObject("Who the developer is, and where the facts come from.", {
    login: createTextSchema("Username on the platform."),
    ...createAnalysisSchemas(analysisFields.beforePlaces),
    otherNames: Type.Optional(
      createForeignTextListSchema("A name.", "Other names of the developer."),
    ),
    places: createTextListSchema("Full names of the places in location."),
    ...createAnalysisSchemas(analysisFields.afterPlaces),
    experienceSource: createEnumSchema(
      ["forge", "first commit", "none"],
      "Source of platform_experience.",
    ),
    derivedLogin: Type.Boolean({
      description: "Whether the login was derived, because no forge account is known.",
    }),
    class: createEnumSchema(authorClasses, "Kind of author; searches find only humans."),
    source: createTextSchema("Source of the facts."),
  }),
  commitQuality: createDescribedObject("Quality of commit messages.", {
    label: createEnumSchema(
      qualityLabels,
      "Quality of commit messages; Insufficient Data below 20 messages.",
    ),
    n: createCountSchema("Number of commit messages judged."),
    good: createCountSchema(
      "Good messages: four words or more, and a reason, a reference or a body.",
    ),
    share: Type.Optional(createShareSchema("Share of good messages: good / n.")),
    lowerBound: Type.Optional(createShareSchema("Lower bound of share (95 % Wilson interval).")),
    withBody: createCountSchema("Messages with text below the subject."),
    withReference: createCountSchema("Messages that name an issue or document."),
    withReason: createCountSchema("Messages that give a reason in words."),
    semantic: createDescribedObject("Commits with a conventional subject, such as feat: or fix:.", {
      eligible: createCountSchema("Commits with a judged subject."),
      matches: createCountSchema("Commits with a conventional subject."),
      percentage: Type.Optional(
        createPercentageSchema("Percent of eligible commits that match; absent below 10 eligible."),
      ),
    }),
  }),
  repositories: createDescribedObject("Repositories, languages and skills of the work.", {
    owned: createCountSchema("Number of own repositories."),
    contributedTo: createCountSchema(
      "Number of others' repositories with commits of the developer.",
    ),
    stars: Type.Optional(createCountSchema("Stars of own repositories, if known.")),
    top: Type.Array(TopRepository, { description: "Own repositories, most commits first." }),
    contributions: Type.Array(TopContribution, {
      description: "Repositories of others, most commits first.",
    }),
    ended: Type.Optional(
      createRowsSchema("Repositories with data that ends while the developer was active.", {
        repository: createForeignTextSchema("Name of the repository."),
        until: createDaySchema("Day of the newest known commit."),
      }),
    ),
    languages: createRowsSchema("Programming languages, most lines first.", {
      language: createForeignTextSchema("Name of the language, as on GitHub."),
      lines: createCountSchema("Lines the developer changed, limited per commit."),
      commits: createCountSchema("Counted commits with this language."),
      share: createShareSchema("Share of all lines the developer changed."),
    }),
    skills: Type.Array(SkillDetail, { description: "Skills, strongest first." }),
  }),
  activity: createDescribedObject("Commits, regularity, and work with others.", {
    totalCommits: createCountSchema("Counted commits of all years; excluded lists the others."),
    commitsPerMonth: createAmountSchema("Same as commits_per_month."),
    frequencyLabel: createEnumSchema(frequencyLabels, "Same as commit_frequency_label."),
    until: Type.Optional(createDaySchema("Last day of data, if long before asOf.")),
    activeMonths: Type.Integer({
      minimum: 0,
      maximum: 12,
      description: "Most months with commits in any 12 months, 0 to 12.",
    }),
    current: Type.Optional(ActivityYear),
    bestYear: Type.Optional(ActivityYear),
    scoreUses: Type.Optional(
      createEnumSchema(
        ["current", "bestYear"],
        "Year that counts for the score: current, or bestYear times 0.9 if larger.",
      ),
    ),
    firstCommit: Type.Optional(createDaySchema("Day of the first counted commit.")),
    lastCommit: Type.Optional(createDaySchema("Day of the last counted commit.")),
    months: createRowsSchema("The last 36 full months, oldest first.", {
      month: Month,
      commits: createAmountSchema("Counted commits; one with k authors counts 1/k for each."),
    }),
    coAuthored: Type.Optional(createCountSchema("Commits with a human co-author, if known.")),
    reviews: Type.Optional(createCountSchema("Reviews given to others, if known.")),
    mergedElsewhere: Type.Optional(
      createCountSchema("Changes merged into repositories of others."),
    ),
    credits: Type.Optional(
      Type.Array(CreditOfOthers, {
        description: "Credit that others gave the developer, such as reviews.",
      }),
    ),
    excluded: createCountsSchema("Number of commits that do not count, by reason."),
  }),
  badges: createRowsSchema("Badges, each earned by a fixed rule.", {
    id: createTextSchema("Id of the badge."),
    name: createTextSchema("Name of the badge."),
    reason: createSentenceSchema("Reason for the badge, in figures."),
  }),
  summary: createDescribedObject("The analysis in words.", {
    text: createTextSchema("Summary in a few sentences."),
    strengths: createSentencesSchema("Strengths, strongest first."),
    caveats: createSentencesSchema("Warnings, such as little evidence."),
  }),
  confidence: createShareSchema(
    "Confidence in the scores, 0 to 1: n / (n + 20) for n commits, times data coverage.",
  ),
  explanation: createDescribedObject("Explanation of each score by its largest terms.", {
    profile: Terms("the profile score"),
    techStack: Terms("the tech-stack score"),
    activity: Terms("the activity score"),
    roleMatch: Terms("the match for the best role"),
  }),
  assistance: Type.Optional(Assistance),
  modelVersion: createTextSchema("Version of the scoring model."),
  asOf: createDaySchema("Day of the analysis (UTC); later commits do not count."),
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
