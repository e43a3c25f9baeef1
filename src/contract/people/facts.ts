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

export const Profile = createTitledObject(
  "Profile",
  factSchemas,
  "Profile from a forge or an import. Empty if only git is known.",
);

const Email = createTitledObject("E-mail address", {
  address: text("E-mail address, as its source writes it."),
  sources: Type.Array(text("One source."), {
    minItems: 1,
    description: "Sources of the address, e.g. profile, commits.",
  }),
  published: Type.Boolean({
    description: "Whether the profile publishes it. Roster shows only published addresses.",
  }),
});

export const Repository = createTitledObject("Repository", {
  name: Type.String({
    minLength: 1,
    maxLength: 300,
    description: "owner/name, or the folder's name.",
  }),
  owned: Type.Boolean({
    description: "Whether the developer owns it. If not, it is a contribution.",
  }),
  commits: Type.Optional(count("Counted commits of the developer in it.")),
  firstCommit: Type.Optional(day("Day of the developer's first counted commit.")),
  lastCommit: Type.Optional(day("Day of the developer's last counted commit.")),
  historyEnd: Type.Optional(
    day(
      "Last day of data: the end of the newest commit's month, or the day of that commit " +
        `if it was over ${historyAgeMax} days before the run.`,
    ),
  ),
  language: Type.Optional(text("Main language, by its name in Linguist.")),
  stars: Type.Optional(count("Stars on the forge, if known.")),
  forks: Type.Optional(count("Forks on the forge, if known.")),
  authors: Type.Optional(count("Number of human authors, rounded down from 20 on.")),
  topics: Type.Optional(
    Type.Array(text("One topic."), { maxItems: 50, description: "Topics set on the forge." }),
  ),
  description: Type.Optional(text("Description by the owner.")),
  fork: Type.Optional(Type.Boolean({ description: "Whether it is a fork of another repository." })),
  pushedAt: Type.Optional(
    instant("Time of the last push. Given only if git counted no commits of the developer in it."),
  ),
  forge: Type.Optional(
    text("Host of the forge that listed it. Two forges may have a repository with the same name."),
  ),
});

/** The `source` of a supplement with data from forges. */
export const forgesSource = "forges";

/** An account on a forge, with the data that the forge itself sent. */
const Account = createTitledObject("Account", {
  forge: text("Host of the forge, with its port and path where it has them."),
  login: text("Current login of the account."),
  id: text("Number that the forge gave to this account only."),
});

/** What one people file, or all forges together, say about a developer. The analysis prefers it to what git says. */
export const Supplement = createTitledObject("Supplement", {
  source: Type.String({
    pattern: `^(${forgesSource}|people:[a-z0-9][a-z0-9._-]{0,59})$`,
    description: "Source: a people file, such as people:hr, or forges.",
  }),
  logins: Type.Array(Type.String({ pattern: loginPattern, description: "A login or account." }), {
    maxItems: 50,
    description: "Logins and forge accounts (login@host) that the source names.",
  }),
  profile: Profile,
  emails: Type.Array(Email, { maxItems: 50, description: "Addresses that the source names." }),
});
export type Supplement = Static<typeof Supplement>;

/** The classes of authors. Only humans can be found by a search. */
export const authorClasses = ["human", "bot", "assistant", "nobody"] as const;
export const AuthorClass = createEnumSchema(
  authorClasses,
  "Kind of author; absent means human. Searches leave out bots, assistants and nobody (root, a team).",
);
export type AuthorClass = Static<typeof AuthorClass>;

/** One developer's commits in all repositories. Merges and excluded commits are not counted (docs/scoring.md). */
export const CommitFacts = createTitledObject(
  "Commits",
  {
    total: count("Number of counted commits."),
    volume: ByMonth,
    first: Type.Optional(day("Author date of the first counted commit.")),
    last: Type.Optional(day("Author date of the last counted commit.")),
    semantic: createDescribedObject("Commits with a conventional subject.", {
      eligible: count("Commits with a judged subject."),
      matches: count("Commits with a conventional subject, e.g. feat: or fix(scope):."),
    }),
    quality: createDescribedObject("Quality of commit messages.", {
      n: count("Number of messages judged."),
      good: count("Good messages: four words or more, and a reason, a reference or a body."),
      withBody: count("Messages with a body."),
      withReference: count("Messages that name an issue or another commit."),
      withReason: count("Messages with a reason in words, such as because."),
    }),
    coAuthored: Type.Optional(count("Commits with a human co-author.")),
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
  "Commits in all repositories, each counted once. Absent if no source read commits.",
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
  commits: count("Counted commits of the developer with it."),
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
    Type.Array(Type.String({ description: "Name of a repository." }), {
      maxItems: 5,
      description: "Some of the repositories that have it.",
    }),
  ),
});
export type Evidence = Static<typeof Evidence>;
export type EvidenceKind = Evidence["kind"];

/** The most entries of `formerLogins`. */
export const formerLoginsMax = 200;
export const otherNamesMax = 20;
export const otherNameLengthMax = 200;

export const Facts = createDescribedObject("One developer. Each line of a file has one.", {
  login: Type.String({
    pattern: loginPattern,
    description: "Login on the forge, in any case. If two forges have it, @host follows.",
  }),
  source: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Source of the facts, e.g. demo, git, github.com.",
  }),
  derivedLogin: Type.Optional(
    Type.Boolean({
      description: "Whether the login was made from the e-mail, because no forge account is known.",
    }),
  ),
  formerLogins: Type.Optional(
    Type.Array(Type.String({ pattern: loginPattern, description: "A login." }), {
      maxItems: formerLoginsMax,
      description: "Earlier logins of the developer.",
    }),
  ),
  otherNames: Type.Optional(
    Type.Array(
      Type.String({ minLength: 1, maxLength: otherNameLengthMax, description: "A name." }),
      {
        maxItems: otherNamesMax,
        description:
          "Other names that find the developer. Names that a mailmap replaces are left out.",
      },
    ),
  ),
  accounts: Type.Optional(
    Type.Array(Account, {
      maxItems: 20,
      description: "Accounts on forges, those on github.com first.",
    }),
  ),
  class: Type.Optional(AuthorClass),
  classReason: Type.Optional(text("Reason why the author is not treated as human.")),
  profile: Profile,
  emails: Type.Array(Email, { maxItems: 200, description: "All known addresses." }),
  repositories: Type.Array(Repository, {
    maxItems: 1000,
    description: "Own repositories, and others with commits of the developer.",
  }),
  commits: Type.Optional(CommitFacts),
  credits: Type.Optional(CreditFacts),
  evidence: Type.Array(Evidence, {
    maxItems: 1000,
    description: "Names of what the developer's commits changed.",
  }),
  supplements: Type.Optional(
    Type.Array(Supplement, {
      maxItems: 50,
      description:
        "Data from forges and people files. It overrides profile and e-mails; the last source wins.",
    }),
  ),
});
export type Facts = Static<typeof Facts>;
