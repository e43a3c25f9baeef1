/**
 * The answer of analyze_profile. `proficiency`, `emails`, `roleMatch` and `scores` are defined by the API document,
 * which leaves the inner fields of the others open: those are ours.
 * `confidence`, `explanation`, `assistance`, `modelVersion` and `asOf` are our additions.
 */
import {
  createAddressSchema,
  createAmountSchema,
  createComponentSchema,
  createCountSchema,
  createCountsSchema,
  createForeignTextSchema,
  createPercentageSchema,
  createSentenceSchema,
  createSentencesSchema,
  createShareSchema,
  createTextListSchema,
  createTextSchema,
} from "../field-schemas.ts";
import { createDaySchema, createEnumSchema, markComponent, type Static, Type } from "../schema.ts";
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

const strict = { additionalProperties: false } as const;
const Month = Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." });

/**
 * Decision 11: a search by role finds developers from this match on. Below it no text names the role: so little fits
 * almost everybody.
 */
export const roleMatchMin = 25;

export const levels = ["Beginner", "Intermediate", "Advanced", "Expert"] as const;

/** One term of a score: how it was computed, and its evidence. */
export const Term = Type.Object(
  {
    term: createTextSchema("Name of the term, e.g. volume."),
    value: Type.Number({ description: "Value of the term, 0 to 100." }),
    weight: Type.Number({ description: "Share of the component that this term decides, 0 to 1." }),
    points: Type.Number({ description: "value x weight: what it adds to the component." }),
    cap: Type.Number({ description: "The most it can add." }),
    evidence: createSentencesSchema("Repositories, counts and facts behind it."),
  },
  { ...strict, ...markComponent("ScoreTerm") },
);
export type Term = Static<typeof Term>;

const Terms = (of: string) =>
  Type.Array(Term, { maxItems: 5, description: `The five largest terms of ${of}, largest first.` });

export const SkillDetail = Type.Object(
  {
    skill: createTextSchema("Display name."),
    type: createEnumSchema(
      ["language", "framework", "library", "platform", "tool", "domain"],
      "Kind of skill.",
    ),
    strength: createComponentSchema("How strong the evidence is, 0 to 100."),
    evidence: createSentencesSchema("What speaks for it, strongest first."),
  },
  { ...strict, ...markComponent("Skill") },
);

export const ProfileAnalysis = Type.Object(
  {
    proficiency: Type.Object(
      {
        level: createEnumSchema(
          levels,
          "Of skill and body of work, whatever the last year was like: Beginner, Intermediate, Advanced, Expert.",
        ),
        score: overallScoreSchema,
        experienceYears: createAmountSchema("As platform_experience."),
      },
      { ...strict, description: "Overall level, and the score for the best role." },
    ),
    emails: Type.Object(
      {
        emails: Type.Array(
          Type.Object(
            {
              address: createAddressSchema("The address."),
              sources: createTextListSchema("Where it was seen, e.g. profile, commits."),
              isPrimary: Type.Boolean({ description: "The one shown as email." }),
            },
            strict,
          ),
          { description: "Primary first." },
        ),
      },
      { ...strict, description: "Published addresses only." },
    ),
    roleMatch: Type.Array(
      Type.Object(
        {
          role: createTextSchema("Id of the role, as search takes it."),
          displayName: createTextSchema("Name of the role."),
          score: createComponentSchema("Match for the role, 0 to 100."),
        },
        strict,
      ),
      { description: "Best first; roles without any evidence are left out." },
    ),
    scores: Type.Object(
      {
        role: createTextSchema("The role these scores are for: the best match."),
        score: overallScoreSchema,
        scores: Type.Object(
          {
            profile: createComponentSchema("15 % of the score."),
            techStack: createComponentSchema("50 % of the score."),
            activity: createComponentSchema("35 % of the score."),
          },
          { ...strict, description: "The three components." },
        ),
      },
      { ...strict, description: "The scores that the profile shows." },
    ),
    profile: Type.Object(
      {
        login: createTextSchema("Platform username."),
        ...createAnalysisSchemas(analysisFields.beforePlaces),
        places: createTextListSchema("The location, resolved: full place names."),
        ...createAnalysisSchemas(analysisFields.afterPlaces),
        experienceSource: createEnumSchema(
          ["forge", "first commit", "none"],
          "Where platform_experience comes from.",
        ),
        derivedLogin: Type.Boolean({ description: "True when no forge account is known." }),
        class: createEnumSchema(authorClasses, "Only humans appear in search."),
        source: createTextSchema("Where the facts come from."),
      },
      { ...strict, description: "Who this is, and how that is known." },
    ),
    commitQuality: Type.Object(
      {
        label: createEnumSchema(
          qualityLabels,
          "From the share of good messages; below 20 messages none.",
        ),
        n: createCountSchema("Messages judged."),
        good: createCountSchema(
          "Of these, with at least four words and a reason, a reference or a body.",
        ),
        share: Type.Optional(createShareSchema("good / n.")),
        lowerBound: Type.Optional(createShareSchema("Wilson lower bound, 95 %.")),
        withBody: createCountSchema("Messages with more than a subject."),
        withReference: createCountSchema("Messages that name an issue, a change or a document."),
        withReason: createCountSchema("Messages that say why."),
        semantic: Type.Object(
          {
            eligible: createCountSchema("Commits that could have a conventional subject."),
            matches: createCountSchema("Of these, with one."),
            percentage: Type.Optional(createPercentageSchema("100 x matches / eligible.")),
          },
          { ...strict, description: "Conventional subjects; no percentage below 10 eligible." },
        ),
      },
      { ...strict, description: "How well commits are described." },
    ),
    repositories: Type.Object(
      {
        owned: createCountSchema("Repositories of the developer's own."),
        contributedTo: createCountSchema("Repositories of others with own commits."),
        stars: Type.Optional(createCountSchema("Of owned ones, when known.")),
        top: Type.Array(TopRepository, { description: "Own ones, best first." }),
        contributions: Type.Array(TopContribution, { description: "Others', best first." }),
        languages: Type.Array(
          Type.Object(
            {
              language: createForeignTextSchema("Name as Linguist writes it."),
              lines: createCountSchema("Own changed lines, capped per commit."),
              commits: createCountSchema("Own counted commits with it."),
              share: createShareSchema("Of the person's own changed lines."),
            },
            strict,
          ),
          { description: "Most lines first." },
        ),
        skills: Type.Array(SkillDetail, { description: "Strongest first." }),
      },
      { ...strict, description: "What the work was on." },
    ),
    activity: Type.Object(
      {
        totalCommits: createCountSchema("Counted commits, over all years."),
        commitsPerMonth: createAmountSchema("As commits_per_month."),
        frequencyLabel: createEnumSchema(frequencyLabels, "commitsPerMonth in words."),
        activeMonths: Type.Integer({
          minimum: 0,
          maximum: 12,
          description: "Months with commits within the best 12-month window.",
        }),
        firstCommit: Type.Optional(createDaySchema("Author date of the first counted commit.")),
        lastCommit: Type.Optional(createDaySchema("Author date of the last counted commit.")),
        months: Type.Array(
          Type.Object(
            {
              month: Month,
              commits: createAmountSchema("A commit shared by k people is 1/k."),
            },
            strict,
          ),
          {
            description: "The last 36 full months before asOf, oldest first, empty ones included.",
          },
        ),
        coAuthored: Type.Optional(
          createCountSchema("Commits shared with another human, when known."),
        ),
        reviews: Type.Optional(createCountSchema("Reviews given, when known.")),
        mergedElsewhere: Type.Optional(
          createCountSchema("Changes merged into others' repositories."),
        ),
        credits: Type.Optional(
          Type.Array(CreditOfOthers, { description: "Others' commits whose trailers name them." }),
        ),
        excluded: createCountsSchema("Commits read and not counted, by reason."),
      },
      { ...strict, description: "How much, how steadily, with whom." },
    ),
    badges: Type.Array(
      Type.Object(
        {
          id: createTextSchema("Id of the rule."),
          name: createTextSchema("Name of the badge."),
          reason: createSentenceSchema("The figure that earned it."),
        },
        strict,
      ),
      { description: "Each earned by a fixed rule." },
    ),
    summary: Type.Object(
      {
        text: createTextSchema("Plain sentences for a person."),
        strengths: createSentencesSchema("What stands out, strongest first."),
        caveats: createSentencesSchema("Thin evidence, derived figures, flags."),
      },
      { ...strict, description: "The analysis in words." },
    ),
    confidence: createShareSchema(
      "n / (n + 20) x data coverage; below 0.5 no level above Beginner is claimed.",
    ),
    explanation: Type.Object(
      {
        profile: Terms("the profile score"),
        techStack: Terms("the tech-stack score"),
        activity: Terms("the activity score"),
        roleMatch: Terms("the best role's match"),
      },
      { ...strict, description: "Why each score is what it is." },
    ),
    assistance: Type.Optional(Assistance),
    modelVersion: createTextSchema("Names the constants that everything was computed with."),
    asOf: createDaySchema(
      "UTC day that everything is judged as of; later commits are not counted.",
    ),
  },
  { ...strict, ...markComponent("ProfileAnalysis") },
);
export type ProfileAnalysis = Static<typeof ProfileAnalysis>;

/** The roles that a text may name, best first. */
export function listNamedRoles({
  roleMatch,
}: Pick<ProfileAnalysis, "roleMatch">): ProfileAnalysis["roleMatch"] {
  return roleMatch.filter(({ score }) => score >= roleMatchMin);
}
