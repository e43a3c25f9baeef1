/**
 * Every constant of the model comes from `seed/model.json`, which gives a reason for each constant. The file is validated,
 * because an operator may supply another file.
 */
import { createHash } from "node:crypto";
import shippedFile from "../../seed/model.json" with { type: "json" };
import { findViolation } from "../contract/complaint.ts";
import { frequencyLabels, qualityLabels, tierLabels } from "../contract/people/developer.ts";
import { wordStrength } from "../contract/people/profile-analysis.ts";
import { type Static, type TProperties, type TSchema, Type } from "../contract/schema.ts";

const strict = { additionalProperties: false } as const;

const Reasoned = <Of extends TSchema>(value: Of) =>
  Type.Object({ value, why: Type.String({ minLength: 1 }) }, strict);
/** The schema of a group of constants, each with its reason. */
const Section = <Constants extends TProperties>(constants: Constants) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(constants).map(([name, value]) => [name, Reasoned(value)]),
    ) as unknown as { [Name in keyof Constants]: ReturnType<typeof Reasoned<Constants[Name]>> },
    strict,
  );
const Group = <Names extends string>(of: TSchema, ...names: Names[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, of])) as Record<Names, typeof Positive>,
    strict,
  );

const Positive = Type.Number({ exclusiveMinimum: 0 });
const Whole = Type.Integer({ minimum: 1 });
const Score = Type.Number({ minimum: 0, maximum: 100 });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Part = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
const Month = Type.Integer({ minimum: 1, maximum: 120 });

export const ModelFile = Type.Object(
  {
    modelVersion: Type.String({ pattern: "^\\d{4}\\.\\d{2}(\\.\\d+)?$" }),
    profile: Section({
      weights: Group(Positive, "bio", "location", "link", "skills", "tenure", "followers", "stars"),
      skillsMedian: Positive,
      tenureYearsMedian: Positive,
      followersFull: Positive,
      starsFull: Positive,
    }),
    activity: Section({
      weights: Group(
        Positive,
        "volume",
        "activeMonths",
        "reviews",
        "merged",
        "coAuthored",
        "quality",
      ),
      volumeFull: Positive,
      bestWindowFactor: Share,
      windowMonths: Type.Integer({ minimum: 1, maximum: 12 }),
      lookBackMonths: Month,
      youngMonthsMin: Month,
      reviewsMedian: Positive,
      mergedMedian: Positive,
      coAuthoredMedian: Positive,
    }),
    recency: Section({
      halfLifeMonths: Positive,
      floor: Share,
      restMonthsMax: Type.Integer({ minimum: 0 }),
    }),
    skills: Section({
      medians: Group(Positive, "language", "framework", "library", "platform", "tool", "domain"),
      factors: Group(Positive, "import", "product", "manifest", "language"),
      caps: Group(Score, "topic", "readme", "bio"),
      importShareFull: Part,
      oneKindCap: Score,
      plumbingFactor: Part,
      fieldRoleMin: Score,
      topicMedian: Positive,
      readmeMedian: Positive,
      claimsAfter: Whole,
      matchStrengthMin: Score,
    }),
    techStack: Section({
      fallingWeights: Type.Array(Score, { minItems: 1, maxItems: 20 }),
      breadthWeight: Score,
      breadthMedian: Positive,
      breadthStrengthMin: Score,
    }),
    roles: Section({
      medianDefault: Positive,
      medians: Type.Record(Type.String(), Positive),
      sameReasonFactor: Share,
      pathMedian: Positive,
      pathShareFull: Part,
      languageShareFull: Part,
      skillShareFull: Part,
      sharedWorkFull: Part,
      authorFactor: Positive,
      authorLogOddsMin: Positive,
      titleLogOdds: Type.Number({ minimum: 0 }),
      leadershipLogOdds: Type.Number({ minimum: 0 }),
      fullstackBalance: Positive,
      commitsMin: Whole,
      thinCap: Score,
      keywordsMax: Whole,
    }),
    labels: Section({
      frequency: Group(
        Positive,
        ...pick(frequencyLabels, "Regular", "Active", "Very Active", "Prolific"),
      ),
      quality: Group(Share, ...pick(qualityLabels, "Excellent", "Good", "Fair")),
      qualityMessagesMin: Whole,
      semanticEligibleMin: Whole,
      tierStars: Group(Whole, ...pick(tierLabels, "Flagship", "Major", "Established")),
      tierAuthors: Group(Whole, ...pick(tierLabels, "Flagship", "Major", "Established")),
      level: Group(Score, "Intermediate", "Advanced", "Expert"),
      levelTechStackShare: Share,
      levelCommitsMedian: Positive,
      levelConfidenceMin: Share,
      beginnerYearsMax: Positive,
    }),
    population: Section({ quality: Share, semantic: Share, activeMonths: Share, weight: Positive }),
    assistance: Section({
      unmarkedShares: Type.Record(
        Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$" }),
        Share,
        strict,
      ),
    }),
    confidence: Section({
      halfCommits: Positive,
      coverage: Group(Share, "commits", "evidence", "account", "profile", "standing"),
    }),
    knowledge: Section({
      recentShare: Share,
      halfLifeMonths: Positive,
      quietCommits: Positive,
      linesMax: Whole,
      focusExponent: Share,
      weights: Group(Share, "coAuthor", "review", "routine", "mechanical", "import"),
      files: Group(Part, "knownShareMin", "truckCoverage"),
      awayMonths: Whole,
      halfCommits: Positive,
      reviewers: Group(Positive, "known", "writer", "workDays", "loadDays", "alike"),
    }),
    badges: Section({
      polyglotLanguages: Whole,
      polyglotLinesMin: Whole,
      conventionalShareMin: Share,
      steadyMonthsMin: Whole,
      maintainerStarsMin: Whole,
      maintainerAuthorsMin: Whole,
      collaborationsMin: Whole,
      documentarianCommitsMin: Whole,
      testerCommitsMin: Whole,
      prolificPerMonthMin: Positive,
    }),
  },
  strict,
);

/** Returns the names unchanged. The type checks that each name is a label of the wire format. */
function pick<All extends readonly string[], Some extends All[number]>(
  _all: All,
  ...names: Some[]
): Some[] {
  return names;
}

/** The constants of the model file without their reasons. `model.recency.floor` is a number. */
export type Model = Bare<Static<typeof ModelFile>>;
type Bare<T> = T extends { value: infer V; why: string }
  ? V
  : T extends object
    ? { readonly [K in keyof T]: Bare<T[K]> }
    : T;

/**
 * Reads a model file. @param file parsed JSON.
 * @throws Error if a constant is wrong. The message names the constant and says what would be right.
 */
export function readModel(file: unknown): Model {
  const wrong = findViolation(ModelFile, file);
  if (wrong) throw new Error(`model file: ${wrong.field || "it"} ${wrong.reason}`);
  const model = bare(file) as Model;
  for (const complaint of contradictions(model)) throw new Error(`model file: ${complaint}`);
  return model;
}

/**
 * Reads an operator's model file. A digest of the constants is added to the version, as in `2026.11.8+1f0c33ab`. Different
 * constants then have different versions.
 * @param roleIds the known roles. The file may have medians only for these roles.
 * @throws Error if a constant is wrong. The message names the constant and says what would be right.
 */
export function readOperatorModel(file: unknown, roleIds: readonly string[]): Model {
  const model = readModel(file);
  const unknown = Object.keys(model.roles.medians).find((role) => !roleIds.includes(role));
  if (unknown !== undefined) {
    throw new Error(
      `model file: roles.medians: "${unknown}" is no role; ${roleIds.join(", ")} are`,
    );
  }
  const digest = createHash("sha256")
    .update(JSON.stringify(sorted(model)))
    .digest("hex");
  return { ...model, modelVersion: `${model.modelVersion}+${digest.slice(0, 8)}` };
}

let shipped: Model | undefined;

/** Returns the built-in model, which is read on first use. */
export function readShippedModel(): Model {
  shipped ??= readModel(shippedFile);
  return shipped;
}

function bare(node: unknown): unknown {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
  if ("value" in node && "why" in node) return node.value;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, bare(value)]));
}

/** Sorts keys by name, because their order in the file must not change the digest. */
function sorted(node: unknown): unknown {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
  const entries = Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, value]) => [name, sorted(value)]));
}

/** Yields the errors that a schema cannot find, such as weights with a wrong sum. */
function* contradictions(model: Model): Generator<string> {
  const { fallingWeights, breadthWeight } = model.techStack;
  const sums: [string, number, number][] = [
    ["profile.weights", total(Object.values(model.profile.weights)), 100],
    ["activity.weights", total(Object.values(model.activity.weights)), 100],
    ["techStack weights", total(fallingWeights) + breadthWeight, 100],
    ["confidence.coverage", total(Object.values(model.confidence.coverage)), 1],
  ];
  for (const [name, sum, wanted] of sums) {
    if (Math.abs(sum - wanted) > 1e-9) yield `${name} must add up to ${wanted}, got ${sum}`;
  }
  if (fallingWeights.some((weight, at) => weight > (fallingWeights[at - 1] ?? weight))) {
    yield "techStack.fallingWeights must not rise";
  }
  const { frequency, quality, level, tierStars, tierAuthors } = model.labels;
  const rising: [string, number[]][] = [
    [
      "labels.frequency",
      [frequency.Regular, frequency.Active, frequency["Very Active"], frequency.Prolific],
    ],
    ["labels.quality", [quality.Fair, quality.Good, quality.Excellent]],
    ["labels.level", [level.Intermediate, level.Advanced, level.Expert]],
    ["labels.tierStars", [tierStars.Established, tierStars.Major, tierStars.Flagship]],
    ["labels.tierAuthors", [tierAuthors.Established, tierAuthors.Major, tierAuthors.Flagship]],
  ];
  for (const [name, cuts] of rising) {
    if (cuts.some((cut, at) => cut <= (cuts[at - 1] ?? Number.NEGATIVE_INFINITY))) {
      yield `${name} must rise from label to label`;
    }
  }
  if (model.skills.matchStrengthMin > wordStrength) {
    yield `skills.matchStrengthMin must be at most ${wordStrength}, the strength of a word that the vocabulary does not know`;
  }
  if (model.activity.lookBackMonths < model.activity.windowMonths) {
    yield "activity.lookBackMonths must be at least activity.windowMonths";
  }
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
