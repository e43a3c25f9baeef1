/**
 * A developer in answers. A search result and a profile have different forms. Both are written from the `Card` that the pool
 * stores.
 */
import { writeFields } from "../envelope.ts";
import {
  createAddressSchema,
  createAmountSchema,
  createComponentSchema,
  createCountSchema,
  createForeignTextSchema,
  createPercentageSchema,
  createTextListSchema,
  createTextSchema,
} from "../field-schemas.ts";
import {
  createComponent,
  createDaySchema,
  createEnumSchema,
  createObject,
  createRowsSchema,
  type Static,
  Type,
} from "../schema.ts";
import { historyAgeMax } from "./history-end.ts";
import { createAnswerSchemas, profileOnlyFields, searchFields } from "./profile-fields.ts";

export const frequencyLabels = [
  "Inactive",
  "Occasional",
  "Regular",
  "Active",
  "Very Active",
  "Prolific",
  "Unknown",
] as const;
export const qualityLabels = ["Excellent", "Good", "Fair", "Basic", "Insufficient Data"] as const;
export const tierLabels = ["Flagship", "Major", "Established", "Emerging"] as const;

export const overallScoreSchema = createPercentageSchema(
  "0 to 100: 15 % profile, 50 % tech stack, 35 % activity.",
);
const searchScoreSchema = createPercentageSchema(
  "0 to 100. With a role or skills: 6 % profile, 80 % tech stack, 14 % activity; otherwise 15, 50 and 35 %.",
);

export const TopRepository = createComponent("Repository", {
  name: createForeignTextSchema("Repository, with its owner if known."),
  stars: Type.Optional(createCountSchema("Stars on the forge, if known.")),
  language: Type.Optional(createForeignTextSchema("Main programming language.")),
});

export const TopContribution = createComponent("Contribution", {
  repository: createForeignTextSchema("Repository, with its owner if known."),
  tier_label: createEnumSchema(
    tierLabels,
    "Size of the repository: by stars, or by human authors if stars are unknown.",
  ),
  commits: createCountSchema("The developer's counted commits in it."),
  language: Type.Optional(createForeignTextSchema("Main programming language.")),
});

const scoreFields = {
  score: overallScoreSchema,
  profile_score: createComponentSchema("Profile score, 0 to 100."),
  tech_stack_score: createComponentSchema("Tech-stack score for the best role, 0 to 100."),
  activity_score: createComponentSchema("Activity score, 0 to 100."),
};

/** The fields that are the same in search results and profiles. */
const commonFields = {
  platform_experience: createAmountSchema("Years on the platform, to one decimal."),
  email: Type.Optional(createAddressSchema("Public e-mail address.")),
  ...createAnswerSchemas(searchFields),
  last_active_date: Type.Optional(createDaySchema("Day of the last counted commit.")),
  commits_per_month: createAmountSchema(
    "Counted commits a month, on average over the last 12 full months; 0 if unknown.",
  ),
  commit_frequency_label: createEnumSchema(
    frequencyLabels,
    "Commit frequency in words; Inactive means no commit for a year.",
  ),
  activity_until: Type.Optional(
    createDaySchema(`Last day of data, if over ${historyAgeMax} days ago.`),
  ),
  semantic_commit_percentage: Type.Optional(
    createPercentageSchema(
      "Percent of eligible commits with a conventional subject; absent below 10 commits.",
    ),
  ),
  commit_message_quality_label: createEnumSchema(
    qualityLabels,
    "Quality of commit messages, by the share of good ones.",
  ),
  top_repositories: Type.Array(TopRepository, {
    description: "Own repositories, most commits first.",
  }),
  top_oss_contributions: Type.Array(TopContribution, {
    description: "Repositories of others, most commits first.",
  }),
};

const profileOnlySchemas = createAnswerSchemas(profileOnlyFields);
const profileOnlyNames: ReadonlySet<string> = new Set(Object.keys(profileOnlySchemas));

/** A second name for `platform_experience`. Clients of other servers with this API read it (decision 42). */
const experienceAlias = { github_experience: createAmountSchema("Alias of platform_experience.") };
const handleAlias = {
  twitter_username: Type.Optional(createForeignTextSchema("Alias of social_username.")),
};

export const SearchResultItem = createComponent("SearchResult", {
  login: createTextSchema("Username on the platform."),
  ...scoreFields,
  score: searchScoreSchema,
  tech_stack_score: createComponentSchema(
    "Tech-stack score for the requested role and skills, 0 to 100.",
  ),
  ...commonFields,
  ...experienceAlias,
  matching_keywords: createTextSchema("Matching keywords, separated by commas."),
});
export type SearchResultItem = Static<typeof SearchResultItem>;

export const SearchData = createComponent("SearchData", {
  matchedCount: createCountSchema("Number of results on this page."),
  totalCount: createCountSchema("Number of all developers that match."),
  offset: createCountSchema("Number of results skipped before this page."),
  results: Type.Array(SearchResultItem, { description: "Results on this page, best first." }),
  locationSuggestions: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 5,
      description: "Known places with a similar name, if the location is unknown.",
    }),
  ),
  place: Type.Optional(createTextSchema("Full name of the place that was searched.")),
  role: Type.Optional(
    createTextSchema("Role that was searched, if the request named it differently."),
  ),
  roleLanguages: Type.Optional(createTextListSchema("Languages named in the requested role.")),
  roleSeniority: Type.Optional(
    createTextListSchema("Seniority named in the requested role; not a filter."),
  ),
  unknownSkills: Type.Optional(
    createTextListSchema("Requested skills that Roster does not know and nobody has."),
  ),
  nearTerms: Type.Optional(
    createRowsSchema("Suggestions for unknown skills and languages.", {
      asked: createTextSchema("Unknown skill or language."),
      names: createTextListSchema("Similar known names."),
    }),
  ),
  notices: Type.Optional(createTextListSchema("Reasons why a filter finds few or no people.")),
  unknownRepositories: Type.Optional(
    createTextListSchema("Requested repositories in which nobody has worked."),
  ),
  repositorySuggestions: Type.Optional(
    Type.Array(createForeignTextSchema("Name to search for."), {
      maxItems: 5,
      description: "Known repositories with similar names.",
    }),
  ),
});
export type SearchData = Static<typeof SearchData>;

export const Developer = createComponent("Developer", {
  username: Type.String({ description: "Username on the platform." }),
  ...scoreFields,
  ...commonFields,
  ...profileOnlySchemas,
  ...experienceAlias,
  ...handleAlias,
  matching_keywords: createTextListSchema("Skills and languages, strongest first."),
});
export type Developer = Static<typeof Developer>;

/** A developer as the pool stores it for answers: every field that does not depend on the query. */
export const Card = createObject({
  login: Type.String(),
  ...commonFields,
  ...profileOnlySchemas,
  /** Scores for the developer's best role, as the profile shows them. */
  ...scoreFields,
  /** Display names of skills and languages with evidence, strongest first. */
  keywords: Type.Array(Type.String()),
  /** Display names of the strongest skills for each role by which a search finds the developer. */
  roleKeywords: Type.Record(Type.String(), Type.Array(Type.String())),
});
export type Card = Static<typeof Card>;

/** A card in pieces of JSON, from which all answers are joined. */
export interface WrittenCard extends Pick<Card, "keywords" | "roleKeywords"> {
  /** The login as a JSON text, with quotes. */
  readonly login: string;
  /** The fields of a profile that come before `common`. The field `behind` has the fields that come after. */
  readonly ahead: string;
  readonly behind: string;
  readonly common: string;
}

export function writeCard({ login, keywords, roleKeywords, ...rest }: Card): WrittenCard {
  const { score, profile_score, tech_stack_score, activity_score, ...shown } = rest;
  const scores = { score, profile_score, tech_stack_score, activity_score };
  const common: Record<string, unknown> = {};
  const behind: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(shown)) {
    (profileOnlyNames.has(name) ? behind : common)[name] = value;
  }
  common["github_experience"] = shown.platform_experience;
  behind["twitter_username"] = shown.social_username;
  return {
    login: JSON.stringify(login),
    ahead: writeFields({ username: login, ...scores, matching_keywords: keywords }),
    common: writeFields(common),
    behind: writeFields(behind),
    keywords,
    roleKeywords,
  };
}

/** The scores of one search result. */
export interface RankedScores {
  readonly score: number;
  readonly profile: number;
  readonly techStack: number;
  readonly activity: number;
}

/** Joins keywords with commas. Commas within a keyword are removed, so that clients can split the list. */
const joinKeywords = (keywords: readonly string[]) =>
  keywords.map((keyword) => keyword.split(",").map(trim).join(" ")).join(", ");

const trim = (text: string) => text.trim();

/** @returns a `SearchResultItem` as JSON. Login and scores come first, because people also read the JSON. */
export function writeSearchResult(
  { login, common }: WrittenCard,
  { score, profile, techStack, activity }: RankedScores,
  matched: readonly string[],
): string {
  const scores = `"score":${score},"profile_score":${profile},"tech_stack_score":${techStack},"activity_score":${activity}`;
  const keywords = JSON.stringify(joinKeywords(matched));
  return `{"login":${login},${scores},"matching_keywords":${keywords},${common}}`;
}

export function writeDeveloper({ ahead, common, behind }: WrittenCard): string {
  return behind === "" ? `{${ahead},${common}}` : `{${ahead},${common},${behind}}`;
}

/** The weights of the components of a score, in percent. They add up to 100. */
export type ScoreWeights = Omit<RankedScores, "score">;

/** The weights of the score for a developer's best role (decision 16). */
export const overallWeights: ScoreWeights = { profile: 15, techStack: 50, activity: 35 };

/**
 * The weights for a query that names a role or skills (decision 47). The ratio of profile to activity is the same as in
 * `overallWeights`.
 */
export const askedWeights: ScoreWeights = { profile: 6, techStack: 80, activity: 14 };

/** The shares of skills and role in the tech stack, for a query that names both. */
export const askedShares = { skills: 0.6, role: 0.4 } as const;

/**
 * Computes a score from three whole-number components, rounded half up to one decimal. The sum has only whole numbers, so every
 * program gets the same last digit (decisions 16 and 47, docs/scoring.md).
 */
export function computeScore(
  profile: number,
  techStack: number,
  activity: number,
  weights: ScoreWeights = overallWeights,
): number {
  const hundredths =
    weights.profile * profile + weights.techStack * techStack + weights.activity * activity;
  return Math.round(hundredths / 10) / 10;
}
