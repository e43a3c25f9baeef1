/** The request and answer of `who_knows`, which is not in the API document (decision 32). */

import {
  createAddressSchema,
  createCountSchema,
  createForeignTextListSchema,
  createForeignTextSchema,
  createPercentageSchema,
  createSentencesSchema,
  createShareSchema,
  createTextListSchema,
  createTextSchema,
} from "../field-schemas.ts";
import { limits } from "../limits.ts";
import { createRequestText } from "../requests.ts";
import {
  addRule,
  createComponent,
  createDaySchema,
  createDescribedObject,
  markComponent,
  type Static,
  Type,
} from "../schema.ts";
import { historyAgeMax } from "./history-end.ts";
import { OwnershipFiles } from "./ownership-drift.ts";

const strict = { additionalProperties: false } as const;

const createPathSchema = (description: string) =>
  addRule(
    `a path of 1 to ${limits.pathLengthMax} characters`,
    Type.String({ minLength: 1, maxLength: limits.pathLengthMax, description }),
  );

/**
 * Which fields are needed, and which exclude each other, as what no request may be: of all ways to say it, the generators
 * of clients read only this one right, by passing over it.
 */
const has = (field: string, rule = {}) => ({ required: [field], properties: { [field]: rule } });
const hasPaths = has("paths", { minItems: 1 });
const mismatched = [
  { ...has("package"), anyOf: [has("path"), hasPaths] },
  { not: { anyOf: [has("repository"), has("path"), has("package"), hasPaths] } },
];

export const WhoRequest = Type.Object(
  {
    repository: Type.Optional(createRequestText("Name, owner/name or forge/owner/name.")),
    path: Type.Optional(createPathSchema("A file or folder in it, or in the one that has it.")),
    paths: Type.Optional(
      Type.Array(createPathSchema("One."), {
        maxItems: limits.pathsMax,
        description: `Files of a change, at most ${limits.pathsMax}.`,
      }),
    ),
    package: Type.Optional(createRequestText("Made or imported there, e.g. npm:react or react.")),
    asOf: Type.Optional(
      addRule(
        "a day as YYYY-MM-DD",
        createDaySchema("A day, which may be past; by default today, in UTC."),
      ),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.foundMax,
        description: `1 to ${limits.foundMax}, by default ${limits.foundDefault}.`,
      }),
    ),
  },
  { ...strict, ...markComponent("WhoRequest"), not: { anyOf: mismatched } },
);
export type WhoRequest = Static<typeof WhoRequest>;

const KnowledgeEvidence = createComponent(
  "KnowledgeEvidence",
  {
    commits: createCountSchema("Counted commits to these files, as author or co-author."),
    assisted: createCountSchema("Of these, marked as written with an AI assistant."),
    reviews: createCountSchema("Commits to these files that name them as reviewer."),
    files: createCountSchema("Of these files, changed by them."),
    lines: createCountSchema(
      "Their lines that still stand, estimated from added and deleted lines.",
    ),
    lineShare: createShareSchema(
      "Their share of the lines that still stand; sweeping commits count less.",
    ),
    recentShare: createShareSchema(
      "Their share of the commits, where a commit halves in 12 months.",
    ),
    first: createDaySchema("Day of their first commit or review here."),
    last: createDaySchema("Day of their last."),
  },
  "What they did, in numbers and dates.",
);

export const KnowingPerson = createComponent("KnowingPerson", {
  login: createTextSchema("For the profile."),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  emails: Type.Array(createAddressSchema("A published address."), {
    description: "Published addresses only, primary first.",
  }),
  score: createPercentageSchema(
    "Share of all that is known of these files, in per cent: half recent commits, half lines that still stand.",
  ),
  confidence: createShareSchema(
    "How much evidence the score stands on: n / (n + 3) for n commits.",
  ),
  isActive: Type.Optional(
    Type.Boolean({
      description: "Whether they committed here in the last 12 months; absent with historyEnd.",
    }),
  ),
  lastActive: createDaySchema("Day of their last commit anywhere in these repositories."),
  evidence: KnowledgeEvidence,
  reasons: createSentencesSchema("The evidence in words, strongest first."),
});
export type KnowingPerson = Static<typeof KnowingPerson>;

const KnownRepository = createComponent("KnownRepository", {
  name: createForeignTextSchema("owner/name, or the folder's name."),
  forge: Type.Optional(createForeignTextSchema("Host of its forge, when its remote names one.")),
});

const SoleFile = createComponent("SoleFile", {
  path: createForeignTextSchema("The file."),
  login: createTextSchema("Who alone knows it."),
});

const KnownFolder = createComponent("KnownFolder", {
  path: createForeignTextSchema("A folder or file directly below what was asked for."),
  isFolder: Type.Boolean({ description: "Whether it is a folder." }),
  files: createCountSchema("Files in it."),
  people: createCountSchema("People who know any of them and have not left."),
  best: Type.Optional(createTextSchema("Login of who knows most of them.")),
});

export const WhoData = createComponent("WhoData", {
  people: Type.Array(KnowingPerson, { description: "Best first." }),
  total: createCountSchema("All who ever worked on these files."),
  repositories: Type.Array(KnownRepository, { description: "Where these files are." }),
  paths: createForeignTextListSchema(
    "A path.",
    "What was asked for and found; empty for whole repositories and packages.",
  ),
  unknownPaths: Type.Optional(
    createForeignTextListSchema("A path.", "What was asked for and never was there."),
  ),
  package: Type.Optional(
    createDescribedObject("The package asked for.", {
      name: createTextSchema("With its ecosystem."),
      relation: createTextSchema("makes: the files are its source; uses: the files import it."),
    }),
  ),
  files: createCountSchema("Files that are there now."),
  commits: createCountSchema("Counted commits to these files."),
  truckFactor: createDescribedObject("How few people the knowledge hangs on.", {
    people: createCountSchema(
      "How many must leave until nobody knows half of the files; 0 if it is so.",
    ),
    logins: createTextListSchema("Those people."),
  }),
  soleFiles: createDescribedObject("Files with a single knower.", {
    total: createCountSchema("Files that only one person knows who has not left."),
    files: Type.Array(SoleFile, { description: "The first 100, by path." }),
  }),
  orphanedFiles: createDescribedObject("Files without a knower.", {
    total: createCountSchema("Files that nobody knows who has not left."),
    files: createForeignTextListSchema("A path.", "The first 100, by path."),
  }),
  ownership: Type.Optional(OwnershipFiles),
  folders: Type.Array(KnownFolder, {
    description: "What lies directly below a repository or folder, folders first; at most 200.",
  }),
  asOf: createDaySchema("The day of the answer."),
  historyEnd: Type.Optional(
    createDaySchema(
      `What was read ends here, over ${historyAgeMax} days before asOf; who has left is judged as of it.`,
    ),
  ),
  modelVersion: createTextSchema("Of the model that weighs the evidence."),
});
export type WhoData = Static<typeof WhoData>;
