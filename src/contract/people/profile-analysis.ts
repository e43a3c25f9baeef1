/**
 * The answer of analyze_profile. `proficiency`, `emails`, `roleMatch` and `scores` are the API document's;
 * the inner fields of the others it leaves to this description, so they are ours.
 * `confidence`, `explanation`, `modelVersion` and `asOf` are our additions.
 */
import { type Static, Type } from "../schema.ts";
import {
  component,
  frequencyLabels,
  oneOf,
  overallScore,
  qualityLabels,
  TopContribution,
  TopRepository,
} from "./developer.ts";

const strict = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });
const Fraction = Type.Number({ minimum: 0, maximum: 1 });
const Percentage = Type.Number({ minimum: 0, maximum: 100 });
const Month = Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." });
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

export const levels = ["Beginner", "Intermediate", "Advanced", "Expert"] as const;

/** One term of a score: how it came about, and what it rests on. */
export const Term = Type.Object(
  {
    term: Type.String({ description: "Name of the term, e.g. volume." }),
    value: Type.Number({ description: "Value of the term, 0 to 100." }),
    weight: Type.Number({ description: "Share of the component that this term decides, 0 to 1." }),
    points: Type.Number({ description: "value x weight: what it adds to the component." }),
    cap: Type.Number({ description: "The most it can add." }),
    evidence: Type.Array(Type.String(), {
      description: "Repositories, counts and facts behind it.",
    }),
  },
  strict,
);
export type Term = Static<typeof Term>;

const Terms = (of: string) =>
  Type.Array(Term, { maxItems: 5, description: `The five largest terms of ${of}, largest first.` });

export const SkillDetail = Type.Object(
  {
    skill: Type.String(),
    type: oneOf(
      ["language", "framework", "library", "platform", "tool", "domain"],
      "Kind of skill.",
    ),
    strength: component("How strong the evidence is, 0 to 100."),
    evidence: Type.Array(Type.String(), { description: "What speaks for it, strongest first." }),
  },
  strict,
);
export type SkillDetail = Static<typeof SkillDetail>;

export const ProfileAnalysis = Type.Object(
  {
    proficiency: Type.Object(
      {
        level: oneOf(
          levels,
          "Beginner below 35, Intermediate below 55, Advanced below 75, Expert.",
        ),
        score: overallScore,
        experienceYears: Type.Number({ minimum: 0 }),
      },
      strict,
    ),
    emails: Type.Object(
      {
        emails: Type.Array(
          Type.Object(
            {
              address: Type.String(),
              sources: Type.Array(Type.String()),
              isPrimary: Type.Boolean(),
            },
            strict,
          ),
        ),
      },
      { ...strict, description: "Published addresses only." },
    ),
    roleMatch: Type.Array(
      Type.Object(
        {
          role: Type.String(),
          displayName: Type.String(),
          score: component("Match for the role, 0 to 100."),
        },
        strict,
      ),
      { description: "Best first; roles without any evidence are left out." },
    ),
    scores: Type.Object(
      {
        role: Type.String({ description: "The role these scores are for: the best match." }),
        score: overallScore,
        scores: Type.Object(
          {
            profile: component("15 % of the score."),
            techStack: component("50 % of the score."),
            activity: component("35 % of the score."),
          },
          strict,
        ),
      },
      strict,
    ),
    profile: Type.Object(
      {
        login: Type.String(),
        name: Type.Optional(Type.String()),
        bio: Type.Optional(Type.String()),
        company: Type.Optional(Type.String()),
        location: Type.Optional(Type.String()),
        places: Type.Array(Type.String(), {
          description: "The location, resolved: full place names.",
        }),
        blog: Type.Optional(Type.String()),
        profileUrl: Type.Optional(Type.String()),
        hireable: Type.Optional(Type.Boolean()),
        followers: Type.Optional(Count),
        createdAt: Type.Optional(Type.String()),
        experienceSource: oneOf(
          ["forge", "first commit", "none"],
          "Where platform_experience comes from.",
        ),
        derivedLogin: Type.Boolean({ description: "True when no forge account is known." }),
        class: oneOf(["human", "bot", "assistant"], "Only humans appear in search."),
        source: Type.String({ description: "Where the facts come from." }),
      },
      strict,
    ),
    commitQuality: Type.Object(
      {
        label: oneOf(qualityLabels, "From the share of good messages; below 20 messages none."),
        n: Type.Integer({ minimum: 0, description: "Messages judged." }),
        good: Count,
        share: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "good / n." })),
        lowerBound: Type.Optional(
          Type.Number({ minimum: 0, maximum: 1, description: "Wilson lower bound, 95 %." }),
        ),
        withBody: Count,
        withReference: Count,
        withReason: Count,
        semantic: Type.Object(
          {
            eligible: Count,
            matches: Count,
            percentage: Type.Optional(Percentage),
          },
          { ...strict, description: "Conventional subjects; no percentage below 10 eligible." },
        ),
      },
      strict,
    ),
    repositories: Type.Object(
      {
        owned: Count,
        contributedTo: Count,
        stars: Type.Optional(
          Type.Integer({ minimum: 0, description: "Of owned ones, when known." }),
        ),
        top: Type.Array(TopRepository),
        contributions: Type.Array(TopContribution),
        languages: Type.Array(
          Type.Object(
            { language: Type.String(), lines: Count, commits: Count, share: Fraction },
            { ...strict, description: "share: of the person's own changed lines." },
          ),
        ),
        skills: Type.Array(SkillDetail),
      },
      strict,
    ),
    activity: Type.Object(
      {
        totalCommits: Count,
        commitsPerMonth: Type.Number({ minimum: 0 }),
        frequencyLabel: oneOf(frequencyLabels, "See docs/scoring.md."),
        activeMonths: Type.Integer({
          minimum: 0,
          maximum: 12,
          description: "Months with commits within the best 12-month window.",
        }),
        firstCommit: Type.Optional(Day),
        lastCommit: Type.Optional(Day),
        months: Type.Array(
          Type.Object({ month: Month, commits: Type.Number({ minimum: 0 }) }, strict),
          {
            description: "The last 36 full months before asOf, oldest first, empty ones included.",
          },
        ),
        coAuthored: Type.Optional(Count),
        reviews: Type.Optional(Count),
        mergedElsewhere: Type.Optional(Count),
        excluded: Type.Record(Type.String(), Count, {
          description: "Commits read and not counted, by reason.",
        }),
      },
      strict,
    ),
    badges: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), reason: Type.String() },
        { ...strict, description: "Earned by a fixed rule; the reason states the figure." },
      ),
    ),
    summary: Type.Object(
      {
        text: Type.String({ description: "Plain sentences for a person." }),
        strengths: Type.Array(Type.String()),
        caveats: Type.Array(Type.String(), {
          description: "Thin evidence, derived figures, flags.",
        }),
      },
      strict,
    ),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "n / (n + 20) x data coverage; below 0.5 no level above Beginner is claimed.",
    }),
    explanation: Type.Object(
      {
        profile: Terms("the profile score"),
        techStack: Terms("the tech-stack score"),
        activity: Terms("the activity score"),
        roleMatch: Terms("the best role's match"),
      },
      strict,
    ),
    modelVersion: Type.String(),
    asOf: Day,
  },
  strict,
);
export type ProfileAnalysis = Static<typeof ProfileAnalysis>;
