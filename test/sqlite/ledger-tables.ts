/**
 * What the columns hold of the tables of ingest.db that the ledger reads in SQL (`src/ingest/git/ledger/`): histories, what was counted in
 * them, and the people behind them. A new file must have them.
 */
import {
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

export * from "./history-tables.ts";

/** Authors as commits, trailers and forges spell them. */
export const authorSpellings = sqliteTable(
  "spelling",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    rawEmail: text("raw_email").notNull(),
    /** The repository, where an address identifies an author within one only; for an account of a forge its key. */
    place: text().notNull(),
    /** The name, folded for comparison, and the addresses, normalised. */
    folded: text().notNull(),
    address: text().notNull(),
    rawAddress: text("raw_address").notNull(),
    /** `forge/login` that the address names, in small letters. */
    account: text(),
    /** The account that a forge gives for the address. */
    told: text(),
    /** Key and digest of the account of a forge that it comes from. */
    persona: text(),
    personaDigest: text("persona_digest"),
    isLinked: integer("is_linked", { mode: "boolean" }).notNull().default(false),
    /** The first name in a full name, and the words of a name that may be a first name alone. */
    firstFull: text("first_full"),
    firstAlone: text("first_alone"),
    personId: integer("person_id"),
  },
  (table) => [
    uniqueIndex("spelling_written").on(table.rawEmail, table.name, table.email, table.place),
    index("spelling_address").on(table.address),
    index("spelling_raw_address").on(table.rawAddress),
    index("spelling_folded").on(table.folded),
    index("spelling_account").on(table.account),
    index("spelling_persona").on(table.persona),
    index("spelling_linked").on(table.isLinked),
    index("spelling_person").on(table.personId),
  ],
);

/** What one spelling did in one repository. */
export const works = sqliteTable(
  "work",
  {
    spellingId: integer("spelling_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    /** Non-merge commits; those of them that count; those that touch only manifests and lock files. */
    commits: integer().notNull(),
    counted: integer().notNull(),
    routine: integer().notNull(),
    /**
     * Of all rows of a person in a repository together: counted commits beyond the limit of a day. Null in one of them while it
     * is not known.
     */
    capped: integer(),
    /** Whether it has more than merges. */
    isWork: integer("is_work", { mode: "boolean" }).notNull(),
    /** Author dates in seconds; null without one. */
    first: integer(),
    last: integer(),
    /** `AuthorWork`, packed. */
    content: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.spellingId, table.repositoryId] }),
    index("work_repository").on(table.repositoryId),
  ],
);

/** Credits of trailers, by the spelling that the trailer names. */
export const credits = sqliteTable(
  "credit",
  {
    namedId: integer("named_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    authorId: integer("author_id").notNull(),
    kind: text().notNull(),
    count: integer().notNull(),
    /** UTC days since 1970. */
    first: integer().notNull(),
    last: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.namedId, table.repositoryId, table.authorId, table.kind] }),
    index("credit_repository").on(table.repositoryId),
  ],
);

/** Hashes of what the person of a credit is looked up by. */
export const creditKeys = sqliteTable(
  "credit_key",
  {
    key: integer().notNull(),
    namedId: integer("named_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.namedId] }),
    index("credit_key_named").on(table.namedId),
  ],
);

/** Pairs of spellings of one commit: in a repository counted before, and in this one. */
export const sameCommits = sqliteTable(
  "same_commit",
  {
    repositoryId: integer("repository_id").notNull(),
    one: integer().notNull(),
    other: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.one, table.other] }),
    index("same_commit_one").on(table.one),
    index("same_commit_other").on(table.other),
  ],
);

/** Hashes of whom the ownership files of a repository name. */
export const ownerKeys = sqliteTable(
  "owner_key",
  {
    key: integer().notNull(),
    repositoryId: integer("repository_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.repositoryId] }),
    index("owner_key_repository").on(table.repositoryId),
  ],
);

/** By what spellings may be compared: see `identity/links.ts`. */
export const links = sqliteTable(
  "link",
  {
    key: integer().notNull(),
    spellingId: integer("spelling_id").notNull(),
    reach: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.spellingId, table.reach] }),
    index("link_spelling").on(table.spellingId),
  ],
);

/** How many spellings of humans have a word as a first name. */
export const firstNames = sqliteTable("first_name", {
  word: text().primaryKey(),
  ofFull: integer("of_full").notNull(),
  alone: integer().notNull(),
});

/** Spellings that a change has touched since people were identified. */
export const touched = sqliteTable("touched", {
  spellingId: integer("spelling_id").primaryKey(),
});

/** People as they were identified. */
export const people = sqliteTable(
  "person",
  {
    /** The least number of the person's spellings. */
    id: integer().primaryKey(),
    login: text().notNull(),
    class: text().notNull(),
    /** Whether the person has a place in the pool. */
    isShown: integer("is_shown", { mode: "boolean" }).notNull(),
    hasAccount: integer("has_account", { mode: "boolean" }).notNull(),
    /** Author identities beyond the first. */
    aliases: integer().notNull(),
    /** Changes with everything that identification says of the person. */
    digest: text().notNull(),
    /** Whether the facts may have changed since they were published. */
    isDue: integer("is_due", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [index("person_due").on(table.isDue)],
);

/** Hashes of what a person is looked up by. */
export const personKeys = sqliteTable(
  "person_key",
  {
    key: integer().notNull(),
    personId: integer("person_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.personId] }),
    index("person_key_person").on(table.personId),
  ],
);

/** Lower-cased logins that nobody has any more. */
export const departed = sqliteTable("departed", {
  login: text().primaryKey(),
});

/** Pairs of people who may be one. */
export const suggestions = sqliteTable(
  "suggestion",
  {
    one: integer().notNull(),
    other: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.one, table.other] }),
    index("suggestion_other").on(table.other),
  ],
);

/** Statements of the operator that could not be followed, by a spelling that they name. */
export const rejected = sqliteTable(
  "rejected",
  {
    spellingId: integer("spelling_id").notNull(),
    /** Of the statement among all. */
    position: integer().notNull(),
    origin: text().notNull(),
    reason: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.spellingId, table.origin] })],
);

/** Which places hold which commits, and commits of which content: see `commit-index.ts`. */
export const commitHolders = sqliteTable(
  "commit_holder",
  {
    fingerprint: integer().notNull(),
    placeId: integer("place_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.fingerprint, table.placeId] })],
);

/** The commits that several places hold, in each of them. */
export const sharedCommits = sqliteTable(
  "shared_commit",
  {
    placeId: integer("place_id").notNull(),
    fingerprint: integer().notNull(),
    /** The spelling of its author there; null for a content, and where the author was forgotten. */
    author: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.placeId, table.fingerprint] }),
    index("shared_commit_fingerprint").on(table.fingerprint),
  ],
);

/** Pairs of places that hold one commit. */
export const kin = sqliteTable(
  "kin",
  {
    placeId: integer("place_id").notNull(),
    otherId: integer("other_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.placeId, table.otherId] })],
);

/** What was counted in a repository, whose id is the least of its places. */
export const countedRepositories = sqliteTable(
  "repository",
  {
    id: integer().primaryKey(),
    /** What it was counted from, as JSON. */
    inputs: text().notNull(),
    name: text().notNull(),
    /** `CountedRepository`, as JSON. */
    digest: text().notNull(),
    /** Hashes of the lines of the authors report, sorted: 64 bits each. */
    lines: blob({ mode: "buffer" }).notNull(),
    /** `RepositoryStanding` and what else the facts of its authors tell of it, as JSON; null before people were identified. */
    standing: text(),
    /** Digest of its authors by their numbers. */
    authors: text().notNull(),
    /** That digest as it was published, where authors were erased since. */
    erasedFrom: text("erased_from"),
    /** Whether something of it is to be published. */
    isDue: integer("is_due", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [index("repository_due").on(table.isDue)],
);

/** Logins that the pool may have from git. */
export const brought = sqliteTable("brought", {
  login: text().primaryKey(),
});
