/** The request and answer of `who_knows`, which is not in the API document (decision 32). */
import {
  createAddressSchema,
  createCountSchema,
  createForeignTextListSchema,
  createForeignTextSchema,
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
    Type.Array(createRequestText("One."), { maxItems: limits.withoutMax, description }),
  );

/**
 * Composes a rule about fields that a request must have, or must not have together. The rules stand under `not`, because
 * generators of clients misread all other forms of such rules.
 */
const has = (field: string, rule = {}) => ({ required: [field], properties: { [field]: rule } });
const mismatched = [
  { ...has("package"), anyOf: [has("path"), has("paths", { minItems: 1 })] },
  { not: { anyOf: [has("repository"), has("path"), has("package"), has("paths")] } },
];

export const WhoRequest = Type.Object(
  {
    repository: Type.Optional(createRequestText("Name, owner/name or forge/owner/name.")),
    path: Type.Optional(createPathSchema("A file or folder.")),
    paths: Type.Optional(
      Type.Array(createPathSchema("One."), {
        maxItems: limits.pathsMax,
        description: `Files of a change to review, at most ${limits.pathsMax}.`,
      }),
    ),
    authors: createNames("Authors of it: logins, accounts, e-mails, Name <e-mail>."),
    exclude: createNames("People to leave out."),
    ignoreLoad: Type.Optional(Type.Boolean({ description: "Ignore how much people review." })),
    package: Type.Optional(createRequestText("A package, e.g. react or npm:react.")),
    asOf: Type.Optional(
      addRule("a day as YYYY-MM-DD", createDaySchema("As of this day; default: today in UTC.")),
    ),
    activeSince: Type.Optional(
      addRule("a day as YYYY-MM-DD", createDaySchema("Active on this day or later.")),
    ),
    without: createNames("Logins of people who leave."),
    limit: createRangeSchema("People", [1, limits.foundMax], limits.foundDefault),
  },
  { additionalProperties: false, ...markComponent("WhoRequest"), not: { anyOf: mismatched } },
);
export type WhoRequest = Static<typeof WhoRequest>;

const KnowledgeEvidence = createComponent(
  "KnowledgeEvidence",
  {
    commits: createCountSchema("To these files, however many a day."),
    assisted: createCountSchema("Of these, marked as assisted."),
    reviews: createCountSchema("Commits and changes that they reviewed."),
    files: createCountSchema("Of these files, changed by them."),
    lines: createCountSchema("Remaining lines, estimated."),
    lineShare: createShareSchema("Of the remaining lines."),
    recentShare: createShareSchema("Of the commits, each by age and focus."),
    first: Type.Optional(createDaySchema("Of their first work here.")),
    last: Type.Optional(createDaySchema("Of their last.")),
  },
  "What they did, in numbers and dates.",
);

const KnownShare = createComponent("KnownShare", {
  path: createForeignTextSchema("A file or folder."),
  share: createShareSchema("Theirs of what is known of it."),
});

export const KnowingPerson = createComponent("KnowingPerson", {
  login: createTextSchema("For the profile."),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  emails: Type.Array(createAddressSchema("A published address."), {
    description: "Published addresses only, primary first.",
  }),
  accounts: Type.Optional(createTextListSchema("As github.com/ada.")),
  score: createPercentageSchema(
    "Per cent of all that is known of these files; of a change, of what speaks for any reviewer.",
  ),
  confidence: createShareSchema("n / (n + 3) for n commits."),
  isActive: Type.Optional(
    Type.Boolean({ description: "Active here in the 12 months to asOf or historyEnd." }),
  ),
  hasLeft: Type.Optional(Type.Boolean({ description: "No such work for two years; listed last." })),
  lastActive: createDaySchema("Of their last commit or review in these repositories."),
  evidence: KnowledgeEvidence,
  reasons: createSentencesSchema("In words, strongest first."),
  files: Type.Optional(
    Type.Array(KnownShare, { description: "Of the change, best known first; at most 3." }),
  ),
});
export type KnowingPerson = Static<typeof KnowingPerson>;

export const ChangeAuthor = createComponent("ChangeAuthor", {
  given: createForeignTextSchema("As asked for."),
  standing: createEnumSchema(
    ["known", "new", "unknown", "bot", "assistant"],
    "new: no earlier work in this repository. unknown: it cannot be told.",
  ),
  login: Type.Optional(createTextSchema("For the profile.")),
  name: Type.Optional(createForeignTextSchema("Display name.")),
  isByName: Type.Optional(Type.Boolean({ description: "Found by the name alone." })),
  commits: Type.Optional(createCountSchema("To files of this repository.")),
  assisted: Type.Optional(createCountSchema("Of these, marked as assisted.")),
  reviews: Type.Optional(createCountSchema("Commits and changes here that they reviewed.")),
  first: Type.Optional(createDaySchema("Of their first work here.")),
  folders: Type.Optional(
    Type.Array(KnownShare, { description: "That they know best, at most 3; the top is empty." }),
  ),
});
export type ChangeAuthor = Static<typeof ChangeAuthor>;

const KnownRepository = createComponent("KnownRepository", {
  name: createForeignTextSchema("owner/name, or the folder's name."),
  forge: Type.Optional(createForeignTextSchema("Host of its forge.")),
});

const SoleFile = createComponent("SoleFile", {
  path: createForeignTextSchema("The file."),
  login: createTextSchema("Who alone knows it."),
});

const KnownFolder = createComponent("KnownFolder", {
  path: createForeignTextSchema("A folder or file."),
  isFolder: Type.Boolean({ description: "Whether it is a folder." }),
  files: createCountSchema("Files in it."),
  people: createCountSchema("Who know any and have not left."),
  best: Type.Optional(createTextSchema("Login of who knows most of them.")),
});

const NextKnower = createComponent("NextKnower", {
  login: createTextSchema("Who."),
  share: createShareSchema("Of what is known."),
});

const HandedFolder = createComponent("HandedFolder", {
  path: createForeignTextSchema("Empty for the top; of several repositories as name:path."),
  files: createCountSchema("Directly in it."),
  known: createCountSchema("Theirs of these."),
  lost: createCountSchema("Only theirs."),
  share: createShareSchema("Theirs of what is known."),
  next: Type.Array(NextKnower, { description: "Who stays, at most 3." }),
});

const Handover = createComponent("Handover", {
  logins: createTextListSchema("Who leaves."),
  files: createCountSchema("That they know."),
  lost: createCountSchema("That nobody else knows."),
  folders: Type.Array(HandedFolder, { description: "The first 200, most lost files first." }),
});

export const WhoData = createComponent("WhoData", {
  isChange: Type.Optional(Type.Boolean({ description: "Whether they are reviewers of a change." })),
  authors: Type.Optional(Type.Array(ChangeAuthor, { description: "Of the change, as asked for." })),
  historyStart: Type.Optional(
    createDaySchema("With authors: data begins here; older work may exist."),
  ),
  people: Type.Array(KnowingPerson, { description: "Best first, who left last." }),
  total: createCountSchema("All who worked on these files, or may review the change."),
  repositories: Type.Array(KnownRepository, { description: "Where these files are." }),
  paths: createForeignTextListSchema("A path.", "What was asked for and found."),
  unknownPaths: Type.Optional(
    createForeignTextListSchema(
      "A path.",
      "Unknown; new files of a change go by their nearest folder.",
    ),
  ),
  package: Type.Optional(
    createDescribedObject("The package asked for.", {
      name: createTextSchema("With its ecosystem."),
      relation: createTextSchema("makes or uses."),
    }),
  ),
  files: createCountSchema("Files that are there now."),
  commits: createCountSchema("To these files, however many a day."),
  leftOut: Type.Optional(
    createDescribedObject("Files whose changes do not count.", {
      vendored: createCountSchema("Others wrote them."),
      generated: createCountSchema("Programs wrote them."),
    }),
  ),
  truckFactor: createDescribedObject("How few people the knowledge hangs on.", {
    people: createCountSchema(
      "How many must leave until no active person knows half of the files.",
    ),
    logins: createTextListSchema("Those people."),
  }),
  soleFiles: createDescribedObject("Files with a single knower.", {
    total: createCountSchema("Known to one person who has not left."),
    files: Type.Array(SoleFile, { description: "The first 100, by path." }),
  }),
  orphanedFiles: createDescribedObject("Files without a knower.", {
    total: createCountSchema("Known to nobody who has not left."),
    files: createForeignTextListSchema("A path.", "The first 100, by path."),
  }),
  ownership: Type.Optional(OwnershipFiles),
  handover: Type.Optional(Handover),
  folders: Type.Array(KnownFolder, {
    description: "What lies directly below, folders first; at most 200.",
  }),
  asOf: createDaySchema("The day of the answer."),
  historyEnd: Type.Optional(
    createDaySchema(`Data ends here, over ${historyAgeMax} days before asOf.`),
  ),
  modelVersion: createTextSchema("Of the constants."),
});
export type WhoData = Static<typeof WhoData>;
