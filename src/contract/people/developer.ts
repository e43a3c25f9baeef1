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
  "0.15 profile + 0.50 tech stack + 0.35 activity.",
);
const searchScoreSchema = createPercentageSchema(
  "For a role or skills 0.06 profile + 0.80 tech stack + 0.14 activity, else 0.15, 0.50, 0.35.",
);

export const TopRepository = createComponent("Repository", {
  name: createForeignTextSchema("With its owner, if known."),
  stars: Type.Optional(createCountSchema("Absent without a forge.")),
  language: Type.Optional(createForeignTextSchema("Main programming language.")),
});

export const TopContribution = createComponent("Contribution", {
  repository: createForeignTextSchema("With its owner, if known."),
  tier_label: createEnumSchema(tierLabels, "By stars, else by human authors."),
  commits: createCountSchema("The developer's own counted commits in it."),
  language: Type.Optional(createForeignTextSchema("Main programming language.")),
});

const scoreFields = {
  score: overallScoreSchema,
  profile_score: createComponentSchema("0 to 100."),
  tech_stack_score: createComponentSchema("For the role and skills asked for, 0 to 100."),
  activity_score: createComponentSchema("0 to 100."),
};

/** The fields that are the same in search results and profiles. */
const commonFields = {
  platform_experience: createAmountSchema("Years on the platform, one decimal."),
  email: Type.Optional(createAddressSchema("Public e-mail.")),
  ...createAnswerSchemas(searchFields),
  last_active_date: Type.Optional(createDaySchema("Day of the last counted commit.")),
  commits_per_month: createAmountSchema(
    "Counted commits a month, of the last 12 full months; 0 without a source.",
  ),
  commit_frequency_label: createEnumSchema(
    frequencyLabels,
    "In words, as of activity_until; Inactive: none for a year.",
  ),
  activity_until: Type.Optional(
    createDaySchema(`An addition: data ends here, over ${historyAgeMax} days ago.`),
  ),
  semantic_commit_percentage: Type.Optional(
    createPercentageSchema("Subjects of the conventional form; absent below 10 eligible commits."),
  ),
  commit_message_quality_label: createEnumSchema(qualityLabels, "By the share of good messages."),
  top_repositories: Type.Array(TopRepository, { description: "The developer's own, by commits." }),
  top_oss_contributions: Type.Array(TopContribution, {
    description: "Repositories of others, by commits.",
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
  login: createTextSchema("Platform username."),
  ...scoreFields,
  score: searchScoreSchema,
  ...commonFields,
  ...experienceAlias,
  matching_keywords: createTextSchema("Comma-separated; no keyword holds a comma."),
});
export type SearchResultItem = Static<typeof SearchResultItem>;

export const SearchData = createComponent("SearchData", {
  matchedCount: createCountSchema("Results in this page."),
  totalCount: createCountSchema("All candidates that match; exact."),
  offset: createCountSchema("An addition: candidates skipped before this page, as asked for."),
  results: Type.Array(SearchResultItem, { description: "This page, best first." }),
  locationSuggestions: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 5,
      description: "For an unknown location: places that work.",
    }),
  ),
  place: Type.Optional(createTextSchema("The place understood, in full.")),
  role: Type.Optional(createTextSchema("An addition: the role understood, if named otherwise.")),
  roleLanguages: Type.Optional(
    createTextListSchema("An addition: the languages that its words ask for."),
  ),
  roleSeniority: Type.Optional(createTextListSchema("An addition: its words of seniority.")),
  unknownSkills: Type.Optional(
    createTextListSchema("Asked-for skills that nobody here has and no vocabulary knows."),
  ),
  nearTerms: Type.Optional(
    createRowsSchema("An addition.", {
      asked: createTextSchema("An unknown skill or language."),
      names: createTextListSchema("Perhaps meant."),
    }),
  ),
  notices: Type.Optional(createTextListSchema("An addition: why nobody is found.")),
  unknownRepositories: Type.Optional(
    createTextListSchema("An addition: asked-for repositories that nobody here has worked in."),
  ),
  repositorySuggestions: Type.Optional(
    Type.Array(createForeignTextSchema("Works as it stands in a search."), {
      maxItems: 5,
      description: "An addition, with unknownRepositories: similar names.",
    }),
  ),
});
export type SearchData = Static<typeof SearchData>;

export const Developer = createComponent("Developer", {
  username: Type.String({ description: "Platform username." }),
  ...scoreFields,
  ...commonFields,
  ...profileOnlySchemas,
  ...experienceAlias,
  ...handleAlias,
  matching_keywords: createTextListSchema("Strongest first."),
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
export interface ScoreWeights {
  readonly profile: number;
  readonly techStack: number;
  readonly activity: number;
}

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
