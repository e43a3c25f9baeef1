/**
 * Facts are what sources say about one developer, without judgment. Each line of an `import` or `export` file is one such object.
 * The published JSON Schema is made from this schema.
 */
import {
  createCountSchema as count,
  createFactDaySchema as day,
  createFactInstantSchema as instant,
  createFactTextSchema as text,
} from "../field-schemas.ts";
import { loginPattern } from "../requests.ts";
import {
  createDescribedObject,
  createEnumSchema,
  createTitledObject,
  type Static,
  Type,
} from "../schema.ts";
import { AssistedFacts, ByMonth, CreditFacts, UnassistedFacts } from "./credit-facts.ts";
import { historyAgeMax } from "./history-end.ts";
import { factSchemas } from "./profile-fields.ts";

export const Profile = Type.Object(factSchemas, {
  additionalProperties: false,
  title: "Profile",
  description: "What a forge or an import says; empty from git alone.",
});

const Email = createTitledObject("E-mail address", {
  address: text("The address, as its source writes it."),
  sources: Type.Array(text("One source."), {
    minItems: 1,
    description: "Who knows the address, e.g. profile, commits.",
  }),
  published: Type.Boolean({
    description: "The profile itself publishes it: only then it is shown.",
  }),
});

export const Repository = createTitledObject("Repository", {
  name: Type.String({
    minLength: 1,
    maxLength: 300,
    description: "owner/name, or the folder's name.",
  }),
  owned: Type.Boolean({ description: "The developer's own; otherwise a contribution." }),
  commits: Type.Optional(count("Own counted commits in it.")),
  firstCommit: Type.Optional(day("First own counted commit.")),
  lastCommit: Type.Optional(day("Last own counted commit.")),
  historyEnd: Type.Optional(
    day(
      "Nothing later was read of it, by anybody: the last day of the newest commit's month, or that commit's own day " +
        `when it was more than ${historyAgeMax} days before the day of the run. Absent: recent work is judged as of the day asked for.`,
    ),
  ),
  language: Type.Optional(text("Main language, by Linguist's name.")),
  stars: Type.Optional(count("Stars on the forge; absent without one.")),
  forks: Type.Optional(count("Forks on the forge; absent without one.")),
  authors: Type.Optional(count("Distinct human authors; from 20 on rounded down.")),
  topics: Type.Optional(
    Type.Array(text("One topic."), { maxItems: 50, description: "Topics set on the forge." }),
  ),
  description: Type.Optional(text("As its owner describes it.")),
  fork: Type.Optional(Type.Boolean({ description: "A fork of another repository." })),
  pushedAt: Type.Optional(
    instant("Last push by anybody. Forges give it only where git counted none of their commits."),
  ),
  forge: Type.Optional(
    text("Host of the forge that told it, when one was asked; two forges may have the same name."),
  ),
});

/** The `source` of a supplement with data from forges. */
export const forgesSource = "forges";

/** An account on a forge, with the data that the forge itself sent. */
const Account = createTitledObject("Account", {
  forge: text("Host of the forge, with its port and path where it has them."),
  login: text("Its login now."),
  id: text("The forge's number, which no other account ever has."),
});

/** What one people file, or all forges together, say about a developer. The analysis prefers it to what git says. */
export const Supplement = createTitledObject("Supplement", {
  source: Type.String({
    pattern: `^(${forgesSource}|people:[a-z0-9][a-z0-9._-]{0,59})$`,
    description: "The people file: people:hr; or forges, for what their accounts say.",
  }),
  logins: Type.Array(Type.String({ pattern: loginPattern, description: "One of them." }), {
    maxItems: 50,
    description: "Logins and forge accounts (login@host) that it names.",
  }),
  profile: Profile,
  emails: Type.Array(Email, { maxItems: 50, description: "Addresses that it names." }),
});
export type Supplement = Static<typeof Supplement>;

/** The classes of authors. Only humans can be found by a search. */
export const authorClasses = ["human", "bot", "assistant", "nobody"] as const;
export const AuthorClass = createEnumSchema(
  authorClasses,
  "Human when absent. Bots, assistants and nobodies (root, a team) are kept, and left out of search.",
);
export type AuthorClass = Static<typeof AuthorClass>;

/** One developer's commits in all repositories. Merges and excluded commits are not counted (docs/scoring.md). */
export const CommitFacts = Type.Object(
  {
    total: count("Counted commits, whole."),
    volume: ByMonth,
    first: Type.Optional(day("First counted commit, by author date.")),
    last: Type.Optional(day("Last counted commit, by author date.")),
    semantic: createDescribedObject("Subjects of the conventional form.", {
      eligible: count("Commits whose subject was looked at."),
      matches: count("Those of the conventional form, e.g. feat: or fix(scope):."),
    }),
    quality: createDescribedObject("Messages judged, and how many are good.", {
      n: count("Messages judged."),
      good: count("Those with four words or more and a reason, a reference or a body."),
      withBody: count("Those with a body."),
      withReference: count("Those that name an issue or another commit."),
      withReason: count("Those with a reason in words, such as because."),
    }),
    coAuthored: Type.Optional(count("Commits shared with another human.")),
    assisted: Type.Optional(AssistedFacts),
    unassisted: Type.Optional(UnassistedFacts),
    reviews: Type.Optional(count("Reviews of others' changes.")),
    mergedElsewhere: Type.Optional(count("Changes merged into others' repositories.")),
    excluded: Type.Optional(
      Type.Record(Type.String(), count("Commits."), {
        description:
          "Commits read and not counted, by reason: merge, duplicate, undated, future, disordered, capped, empty, whitespace, " +
          "generated, vendored, revert.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "Commits",
    description: "Over all repositories, each distinct commit once; absent when no source looked.",
  },
);
export type CommitFacts = Static<typeof CommitFacts>;

/**
 * The raw name of something that a developer's own commits changed. The vocabulary decides later which skill or role it proves.
 */
export const Evidence = createTitledObject("Evidence", {
  kind: createEnumSchema(
    ["import", "manifest", "language", "path", "readme", "product"],
    "import: code that uses a package, while the repository has it; manifest: the package was added to a manifest, " +
      "or its entry in a tool's own file (a workflow, a Dockerfile) was added or changed; " +
      "language: lines of it; path: a kind of file; readme: named in a README; " +
      "product: source code of a repository, or of the package that it publishes.",
  ),
  name: Type.String({
    minLength: 1,
    maxLength: 214,
    description:
      "import and manifest: ecosystem:package (npm:react, pypi:django, go:github.com/spf13/cobra, docker:...); " +
      "language: Linguist's name; path: a path class of the vocabulary; readme: a skill id; " +
      "product: repository:name, repository:owner/name or ecosystem:package; what it is about: subject:skill, or book:skill.",
  }),
  commits: count("Own counted commits with it."),
  lines: Type.Optional(
    count(
      "Lines changed, capped per commit: of a language, or in files that use a package (kind import).",
    ),
  ),
  linesAround: Type.Optional(
    count("import: all lines changed in the repositories where the package is used."),
  ),
  months: ByMonth,
  repositories: Type.Optional(
    Type.Array(Type.String({ description: "Its name." }), {
      maxItems: 5,
      description: "Some of the repositories it is seen in.",
    }),
  ),
});
export type Evidence = Static<typeof Evidence>;
export type EvidenceKind = Evidence["kind"];

/** The most entries of `formerLogins`. */
export const formerLoginsMax = 200;
export const otherNamesMax = 20;
export const otherNameLengthMax = 200;

export const Facts = createDescribedObject("One developer, one line.", {
  login: Type.String({
    pattern: loginPattern,
    description: "Login on the forge, compared without case; @host tells two forges' apart.",
  }),
  source: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Who says so: demo, git, github.com ...",
  }),
  derivedLogin: Type.Optional(
    Type.Boolean({
      description: "No forge account is known; the login was made from the e-mail.",
    }),
  ),
  formerLogins: Type.Optional(
    Type.Array(Type.String({ pattern: loginPattern, description: "One login." }), {
      maxItems: formerLoginsMax,
      description: "Logins under which the developer was known, without the present one.",
    }),
  ),
  otherNames: Type.Optional(
    Type.Array(
      Type.String({ minLength: 1, maxLength: otherNameLengthMax, description: "One name." }),
      {
        maxItems: otherNamesMax,
        description:
          "Other names and spellings by which the developer is found, without those that a mailmap replaces.",
      },
    ),
  ),
  accounts: Type.Optional(
    Type.Array(Account, {
      maxItems: 20,
      description: "Accounts that forges were asked about, github.com's first.",
    }),
  ),
  class: Type.Optional(AuthorClass),
  classReason: Type.Optional(text("Why it is not taken for a human.")),
  profile: Profile,
  emails: Type.Array(Email, { maxItems: 200, description: "All known addresses." }),
  repositories: Type.Array(Repository, {
    maxItems: 1000,
    description: "Own repositories, and others' with own commits.",
  }),
  commits: Type.Optional(CommitFacts),
  credits: Type.Optional(CreditFacts),
  evidence: Type.Array(Evidence, {
    maxItems: 1000,
    description: "What own commits touched, as raw names.",
  }),
  supplements: Type.Optional(
    Type.Array(Supplement, {
      maxItems: 50,
      description:
        "What forges and people files add, by source: laid over profile and e-mails, the last one on top.",
    }),
  ),
});
export type Facts = Static<typeof Facts>;
