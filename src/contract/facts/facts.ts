/**
 * Facts: what sources say of one developer, before anybody judges it. This is the line format of
 * `import` and `export`, and what `ingest` writes. A fact that no source knows is absent; scores are no facts.
 * The published JSON Schema is this object.
 */
import { type Static, Type } from "../schema.ts";
import { CommitFacts } from "./commits.ts";
import { Evidence } from "./evidence.ts";

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "UTC day, YYYY-MM-DD." });
const Instant = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$",
  description: "ISO 8601 in UTC.",
});
const Count = Type.Integer({ minimum: 0 });
const Text = Type.String({ minLength: 1, maxLength: 10_000 });

export const Profile = Type.Object(
  {
    name: Type.Optional(Text),
    bio: Type.Optional(Text),
    company: Type.Optional(Text),
    location: Type.Optional(Text),
    blog: Type.Optional(Text),
    socialUsername: Type.Optional(Text),
    avatarUrl: Type.Optional(Text),
    profileUrl: Type.Optional(Text),
    hireable: Type.Optional(Type.Boolean()),
    followers: Type.Optional(Count),
    createdAt: Type.Optional(Instant),
    updatedAt: Type.Optional(Instant),
  },
  {
    additionalProperties: false,
    description: "What a forge or an import says; empty from git alone.",
  },
);

export const Email = Type.Object(
  {
    address: Text,
    sources: Type.Array(Text, { minItems: 1, description: "e.g. profile, commits." }),
    published: Type.Boolean({
      description: "The profile itself publishes it: only then it is shown.",
    }),
  },
  { additionalProperties: false },
);

export const Repository = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "owner/name, or the folder's name.",
    }),
    owned: Type.Boolean({ description: "The developer's own; otherwise a contribution." }),
    commits: Type.Optional(Type.Integer({ minimum: 0, description: "Own counted commits in it." })),
    firstCommit: Type.Optional(Day),
    lastCommit: Type.Optional(Day),
    language: Type.Optional(Text),
    stars: Type.Optional(Count),
    forks: Type.Optional(Count),
    authors: Type.Optional(Type.Integer({ minimum: 0, description: "Distinct human authors." })),
    topics: Type.Optional(Type.Array(Text, { maxItems: 50 })),
    description: Type.Optional(Text),
    fork: Type.Optional(Type.Boolean()),
    pushedAt: Type.Optional(Instant),
  },
  { additionalProperties: false },
);

/** Human unless there is a reason; the other two are kept, labelled with the reason, and left out of search. */
export const AuthorClass = Type.Unsafe<"human" | "bot" | "assistant">({
  type: "string",
  enum: ["human", "bot", "assistant"],
});
export type AuthorClass = Static<typeof AuthorClass>;

export const Facts = Type.Object(
  {
    login: Type.String({ pattern: "^[A-Za-z0-9._-]{1,100}(@[A-Za-z0-9.-]{1,100})?$" }),
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
    class: Type.Optional(AuthorClass),
    classReason: Type.Optional(Text),
    profile: Profile,
    emails: Type.Array(Email, { maxItems: 200 }),
    repositories: Type.Array(Repository, { maxItems: 1000 }),
    commits: Type.Optional(CommitFacts),
    evidence: Type.Array(Evidence, { maxItems: 1000 }),
  },
  { additionalProperties: false, description: "One developer, one line." },
);
export type Facts = Static<typeof Facts>;
