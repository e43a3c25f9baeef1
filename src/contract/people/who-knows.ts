/** The request and answer of `who_knows`, which is not in the API document (decision 32). */
import {
  createAddressSchema,
  createCountSchema,
  createForeignTextListSchema,
  createForeignTextSchema,
  createOptionalDay,
  createPercentageSchema,
  createRangeSchema,
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
  createEnumSchema,
  markComponent,
  type Static,
  Type,
} from "../schema.ts";
import { historyAgeMax } from "./history-end.ts";
import { OwnershipFiles } from "./ownership-drift.ts";

const createPathSchema = (description: string) =>
  addRule(
    `a path of 1 to ${limits.pathLengthMax} characters`,
    Type.String({ minLength: 1, maxLength: limits.pathLengthMax, description }),
  );

const createNames = (description: string) =>
  Type.Optional(
    Type.Array(createRequestText("A person."), { maxItems: limits.withoutMax, description }),
  );

/**
 * Composes a rule about fields that a request must have, or must not have together. The rules stand under `not`, because
 * generators of clients misread all other forms of such rules.
 */
const has = (field: string, rule = {}) => ({ required: [field], properties: { [field]: rule } });
const mismatched = [
  { ...has("package"), anyOf: [has("path"), has("paths", { minItems: 1 })] },
  {
    not: {
      anyOf: [
        ...["repository", "path", "package", "paths"].map((field) => has(field)),
        has("without", { minItems: 1 }),
      ],
    },
  },
];

export const WhoRequest = Type.Object(
  {
    repository: Type.Optional(createRequestText("Repository, e.g. payments or acme/payments.")),
    path: Type.Optional(createPathSchema("File or folder in it, e.g. src/api.")),
    paths: Type.Optional(
      Type.Array(createPathSchema("A path."), {
        maxItems: limits.pathsMax,
        description: `Files of a change that needs reviewers, at most ${limits.pathsMax}.`,
      }),
    ),
    authors: createNames(
      "Authors of the change, who are left out: logins, accounts, e-mails or Name <e-mail>.",
    ),
    exclude: createNames("Other people not to name, given in the same way."),
    ignoreLoad: Type.Optional(
      Type.Boolean({ description: "Name the best reviewers, even if they reviewed much lately." }),
    ),
    package: Type.Optional(
      createRequestText("Package whose makers or users to find, e.g. react or npm:react."),
    ),
    asOf: createOptionalDay("Past day to answer for, instead of today (UTC)"),
    activeSince: createOptionalDay("Only people active in the repository on this day or later"),
    without: createNames(
      "Logins of people who leave: says what only they know, and who is next. Alone: in all repositories.",
    ),
    limit: createRangeSchema("Number of people", [1, limits.foundMax], limits.foundDefault),
  },
  { additionalProperties: false, ...markComponent("WhoRequest"), not: { anyOf: mismatched } },
);
export type WhoRequest = Static<typeof WhoRequest>;

const KnowledgeEvidence = createComponent(
  "KnowledgeEvidence",
  {
    commits: createCountSchema("Commits of the person to these files."),
    assisted: createCountSchema("Commits marked as AI-assisted."),
    reviews: createCountSchema("Commits and changes that the person reviewed."),
    files: createCountSchema("Number of these files that the person changed."),
    lines: createCountSchema("Lines by the person that remain, estimated."),
    lineShare: createShareSchema("Person's share of the remaining lines, 0 to 1."),
    recentShare: createShareSchema(
      "Person's share of commits and reviews, 0 to 1; recent and focused ones count more.",
    ),
    first: Type.Optional(createDaySchema("Day of the first work here.")),
    last: Type.Optional(createDaySchema("Day of the last work here.")),
  },
  "Work of the person on these files.",
);

const KnownShare = createComponent("KnownShare", {
  path: createForeignTextSchema("A file or folder."),
  share: createShareSchema("Person's share of the knowledge of this path, 0 to 1."),
});

export const KnowingPerson = createComponent("KnowingPerson", {
  login: createTextSchema("Login of the person."),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  emails: Type.Array(createAddressSchema("A published address."), {
    description: "Published e-mail addresses, primary first.",
  }),
  accounts: Type.Optional(createTextListSchema("Accounts on forges, such as github.com/ada.")),
  score: createPercentageSchema(
    "Share of the knowledge of these files, in percent. For a change: share of the points of all possible reviewers.",
  ),
  confidence: createShareSchema(
    "Confidence in the score, 0 to 1: n / (n + 3) for n commits and reviews.",
  ),
  isActive: Type.Optional(
    Type.Boolean({
      description: "Whether the person worked here in the 12 months before asOf or historyEnd.",
    }),
  ),
  hasLeft: Type.Optional(
    Type.Boolean({
      description: "Whether the person did no work here for two years; listed last.",
    }),
  ),
  lastActive: createDaySchema("Day of the last commit or review in these repositories."),
  evidence: KnowledgeEvidence,
  reasons: createSentencesSchema("Reasons for the score, strongest first."),
  files: Type.Optional(
    Type.Array(KnownShare, {
      description: "Up to 3 files of the change that the person knows best.",
    }),
  ),
});
export type KnowingPerson = Static<typeof KnowingPerson>;

export const ChangeAuthor = createComponent("ChangeAuthor", {
  given: createForeignTextSchema("Author, as in the request."),
  standing: createEnumSchema(
    ["known", "new", "unknown", "bot", "assistant"],
    "Whether the author worked in this repository before. new: did not. unknown: cannot be determined.",
  ),
  login: Type.Optional(createTextSchema("Login of the person.")),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  isByName: Type.Optional(Type.Boolean({ description: "Whether only the name matched." })),
  commits: Type.Optional(createCountSchema("Commits to this repository.")),
  assisted: Type.Optional(createCountSchema("Commits marked as AI-assisted.")),
  reviews: Type.Optional(createCountSchema("Commits and changes that the author reviewed here.")),
  first: Type.Optional(createDaySchema("Day of the first work here.")),
  folders: Type.Optional(
    Type.Array(KnownShare, {
      description: "Up to 3 folders that the author knows best; an empty path is the root.",
    }),
  ),
});
export type ChangeAuthor = Static<typeof ChangeAuthor>;

const KnownRepository = createComponent("KnownRepository", {
  name: createForeignTextSchema("Repository: owner/name, or the name of its folder."),
  forge: Type.Optional(createForeignTextSchema("Host of the forge.")),
});

const SoleFile = createComponent("SoleFile", {
  path: createForeignTextSchema("Path of the file."),
  login: createTextSchema("Login of the only person who knows it."),
});

const KnownFolder = createComponent("KnownFolder", {
  path: createForeignTextSchema("A folder or file."),
  isFolder: Type.Boolean({ description: "Whether it is a folder." }),
  files: createCountSchema("Number of files in it."),
  people: createCountSchema("Number of people who know any of them and have not left."),
  best: Type.Optional(createTextSchema("Login of the person who knows most of them.")),
});

const NextKnower = createComponent("NextKnower", {
  login: createTextSchema("Login of the person."),
  share: createShareSchema("Share of the knowledge of the folder, 0 to 1."),
});

const handedFields = {
  files: createCountSchema("Number of files in the repository, or directly in the folder."),
  known: createCountSchema("Number of these files that the leaving people know."),
  lost: createCountSchema("Number of these files that only they know."),
  share: createShareSchema("Leaving people's share of the knowledge, 0 to 1."),
  next: Type.Array(NextKnower, {
    description: "Up to 3 people who stay and know these files best.",
  }),
};

const HandedRepository = createComponent("HandedRepository", {
  name: createForeignTextSchema("Name of the repository."),
  ...handedFields,
});

const HandedFolder = createComponent("HandedFolder", {
  path: createForeignTextSchema(
    "Path of the folder, empty for the root. With several repositories: name:path.",
  ),
  ...handedFields,
});

const Handover = createComponent(
  "Handover",
  {
    logins: createTextListSchema("Logins of the leaving people."),
    files: createCountSchema("Number of files that they know."),
    lost: createCountSchema("Number of files that only they know."),
    repositories: Type.Optional(
      Type.Array(HandedRepository, {
        description:
          "If there are several: repositories with files that they know, most lost files first.",
      }),
    ),
    unmeasured: Type.Optional(
      createCountSchema("Number of repositories with less of their work, which are not measured."),
    ),
    folders: Type.Array(HandedFolder, { description: "Up to 200 folders, most lost files first." }),
  },
  "Given with without: what is lost, and who is next.",
);

export const WhoData = createComponent("WhoData", {
  isChange: Type.Optional(
    Type.Boolean({ description: "Whether the people are suggested reviewers of a change." }),
  ),
  authors: Type.Optional(
    Type.Array(ChangeAuthor, { description: "Authors of the change, in order of the request." }),
  ),
  historyStart: Type.Optional(
    createDaySchema("First day of data, given with authors; older work may be missing."),
  ),
  people: Type.Array(KnowingPerson, {
    description: "People, best first; those who left come last.",
  }),
  total: createCountSchema(
    "Number of all people who worked on these files or can review the change.",
  ),
  repositories: Type.Array(KnownRepository, { description: "Repositories of these files." }),
  paths: createForeignTextListSchema("A path.", "Requested paths that were found."),
  unknownPaths: Type.Optional(
    createForeignTextListSchema(
      "A path.",
      "Requested paths that are unknown. For a new file of a change, its nearest known folder counts.",
    ),
  ),
  package: Type.Optional(
    createDescribedObject("Requested package.", {
      name: createTextSchema("Name of the package, with its ecosystem."),
      relation: createTextSchema("makes: these files are its source. uses: these files use it."),
    }),
  ),
  files: createCountSchema("Number of current files."),
  commits: createCountSchema("Number of commits to these files."),
  leftOut: Type.Optional(
    createDescribedObject("Number of files that do not count.", {
      vendored: createCountSchema("Vendored files, copied from other projects."),
      generated: createCountSchema("Files that programs generated."),
    }),
  ),
  truckFactor: createDescribedObject("Truck factor: how many people the knowledge depends on.", {
    people: createCountSchema("If this many people left, no one would know half of the files."),
    logins: createTextListSchema("Logins of these people."),
  }),
  soleFiles: createDescribedObject("Files that only one person knows.", {
    total: createCountSchema(
      "Number of files that only one person knows, not counting people who left.",
    ),
    files: Type.Array(SoleFile, { description: "The first 100 files, by path." }),
  }),
  orphanedFiles: createDescribedObject("Files that nobody knows.", {
    total: createCountSchema("Number of files that nobody knows, not counting people who left."),
    files: createForeignTextListSchema("A path.", "The first 100 files, by path."),
  }),
  ownership: Type.Optional(OwnershipFiles),
  handover: Type.Optional(Handover),
  folders: Type.Array(KnownFolder, {
    description: "Up to 200 folders and files directly below the path, folders first.",
  }),
  asOf: createDaySchema("Day of the answer."),
  historyEnd: Type.Optional(
    createDaySchema(`Last day of data, if over ${historyAgeMax} days before asOf.`),
  ),
  modelVersion: createTextSchema("Version of the scoring model."),
});
export type WhoData = Static<typeof WhoData>;
