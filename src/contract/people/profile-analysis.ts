/**
 * The answer of analyze_profile. `proficiency`, `emails`, `roleMatch` and `scores` are the API document's;
 * the inner fields of the others it leaves to this description, so they are ours.
 * `confidence`, `explanation`, `modelVersion` and `asOf` are our additions.
 */
import { foreignText, type Static, Type } from "../schema.ts";
import {
  address,
  component,
  count,
  frequencyLabels,
  oneOf,
  overallScore,
  percentage,
  qualityLabels,
  TopContribution,
  TopRepository,
  text,
  texts,
  words,
} from "./developer.ts";

const strict = { additionalProperties: false } as const;
const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const sentence = (description: string) => foreignText("sentence", description);
/** Ours, but the names of repositories in them are not. */
const sentences = (description: string) =>
  Type.Array(foreignText("sentence", "One sentence."), { description });
const Month = Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "UTC month, YYYY-MM." });
const day = (description: string) =>
  Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description });

export const levels = ["Beginner", "Intermediate", "Advanced", "Expert"] as const;

/** One term of a score: how it came about, and what it rests on. */
export const Term = Type.Object(
  {
    term: text("Name of the term, e.g. volume."),
    value: Type.Number({ description: "Value of the term, 0 to 100." }),
    weight: Type.Number({ description: "Share of the component that this term decides, 0 to 1." }),
    points: Type.Number({ description: "value x weight: what it adds to the component." }),
    cap: Type.Number({ description: "The most it can add." }),
    evidence: sentences("Repositories, counts and facts behind it."),
  },
  strict,
);
export type Term = Static<typeof Term>;

const Terms = (of: string) =>
  Type.Array(Term, { maxItems: 5, description: `The five largest terms of ${of}, largest first.` });

export const SkillDetail = Type.Object(
  {
    skill: text("Display name."),
    type: oneOf(
      ["language", "framework", "library", "platform", "tool", "domain"],
      "Kind of skill.",
    ),
    strength: component("How strong the evidence is, 0 to 100."),
    evidence: sentences("What speaks for it, strongest first."),
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
        experienceYears: Type.Number({ minimum: 0, description: "As platform_experience." }),
      },
      { ...strict, description: "Overall level, by the score for the best role." },
    ),
    emails: Type.Object(
      {
        emails: Type.Array(
          Type.Object(
            {
              address: address("The address."),
              sources: texts("Where it was seen, e.g. profile, commits."),
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
          role: text("Id of the role, as search takes it."),
          displayName: text("Name of the role."),
          score: component("Match for the role, 0 to 100."),
        },
        strict,
      ),
      { description: "Best first; roles without any evidence are left out." },
    ),
    scores: Type.Object(
      {
        role: text("The role these scores are for: the best match."),
        score: overallScore,
        scores: Type.Object(
          {
            profile: component("15 % of the score."),
            techStack: component("50 % of the score."),
            activity: component("35 % of the score."),
          },
          { ...strict, description: "The three components." },
        ),
      },
      { ...strict, description: "The scores that the profile shows." },
    ),
    profile: Type.Object(
      {
        login: text("Platform username."),
        name: Type.Optional(words("Display name.")),
        bio: Type.Optional(words("As the profile says.")),
        company: Type.Optional(words("As the profile says.")),
        location: Type.Optional(words("As the profile says, in its own words.")),
        places: texts("The location, resolved: full place names."),
        blog: Type.Optional(address("URL.")),
        profileUrl: Type.Optional(address("URL of the profile.")),
        hireable: Type.Optional(Type.Boolean({ description: "Absent when no source says." })),
        followers: Type.Optional(count("Followers on the platform.")),
        createdAt: Type.Optional(text("When the account was made: ISO 8601, UTC.")),
        experienceSource: oneOf(
          ["forge", "first commit", "none"],
          "Where platform_experience comes from.",
        ),
        derivedLogin: Type.Boolean({ description: "True when no forge account is known." }),
        class: oneOf(["human", "bot", "assistant"], "Only humans appear in search."),
        source: text("Where the facts come from."),
      },
      { ...strict, description: "Who this is, and how that is known." },
    ),
    commitQuality: Type.Object(
      {
        label: oneOf(qualityLabels, "From the share of good messages; below 20 messages none."),
        n: count("Messages judged."),
        good: count("Of these, with at least four words and a reason, a reference or a body."),
        share: Type.Optional(fraction("good / n.")),
        lowerBound: Type.Optional(fraction("Wilson lower bound, 95 %.")),
        withBody: count("Messages with more than a subject."),
        withReference: count("Messages that name an issue, a change or a document."),
        withReason: count("Messages that say why."),
        semantic: Type.Object(
          {
            eligible: count("Commits that could have a conventional subject."),
            matches: count("Of these, with one."),
            percentage: Type.Optional(percentage("100 x matches / eligible.")),
          },
          { ...strict, description: "Conventional subjects; no percentage below 10 eligible." },
        ),
      },
      { ...strict, description: "How well commits are described." },
    ),
    repositories: Type.Object(
      {
        owned: count("Repositories of the developer's own."),
        contributedTo: count("Repositories of others with own commits."),
        stars: Type.Optional(count("Of owned ones, when known.")),
        top: Type.Array(TopRepository, { description: "Own ones, best first." }),
        contributions: Type.Array(TopContribution, { description: "Others', best first." }),
        languages: Type.Array(
          Type.Object(
            {
              language: words("Name as Linguist writes it."),
              lines: count("Own changed lines, capped per commit."),
              commits: count("Own counted commits with it."),
              share: fraction("Of the person's own changed lines."),
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
        totalCommits: count("Counted commits, over all years."),
        commitsPerMonth: Type.Number({ minimum: 0, description: "As commits_per_month." }),
        frequencyLabel: oneOf(frequencyLabels, "commitsPerMonth in words."),
        activeMonths: Type.Integer({
          minimum: 0,
          maximum: 12,
          description: "Months with commits within the best 12-month window.",
        }),
        firstCommit: Type.Optional(day("Author date of the first counted commit.")),
        lastCommit: Type.Optional(day("Author date of the last counted commit.")),
        months: Type.Array(
          Type.Object(
            {
              month: Month,
              commits: Type.Number({
                minimum: 0,
                description: "A commit shared by k people is 1/k.",
              }),
            },
            strict,
          ),
          {
            description: "The last 36 full months before asOf, oldest first, empty ones included.",
          },
        ),
        coAuthored: Type.Optional(count("Commits shared with another human, when known.")),
        reviews: Type.Optional(count("Reviews given, when known.")),
        mergedElsewhere: Type.Optional(count("Changes merged into others' repositories.")),
        excluded: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description: "Commits read and not counted, by reason.",
        }),
      },
      { ...strict, description: "How much, how steadily, with whom." },
    ),
    badges: Type.Array(
      Type.Object(
        {
          id: text("Id of the rule."),
          name: text("Name of the badge."),
          reason: sentence("The figure that earned it."),
        },
        strict,
      ),
      { description: "Each earned by a fixed rule." },
    ),
    summary: Type.Object(
      {
        text: text("Plain sentences for a person."),
        strengths: sentences("What stands out, strongest first."),
        caveats: sentences("Thin evidence, derived figures, flags."),
      },
      { ...strict, description: "The analysis in words." },
    ),
    confidence: fraction(
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
    modelVersion: text("Names the constants that everything was computed with."),
    asOf: day("UTC day that everything is judged as of; later commits are not counted."),
  },
  strict,
);
export type ProfileAnalysis = Static<typeof ProfileAnalysis>;
