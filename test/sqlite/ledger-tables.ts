/**
 * What the columns hold of the tables of ingest.db that the ledger reads in SQL (`src/ingest/git/ledger/`): histories, what was counted in
 * them, and the people that were found. A new file must have them.
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

/** Authors as commits and trailers spell them. */
export const authorSpellings = sqliteTable(
  "spelling",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    rawEmail: text("raw_email").notNull(),
    /** The repository, where an address identifies an author within one only. */
    place: text().notNull(),
    /** The name, folded for comparison, and the addresses, normalised. */
    folded: text().notNull(),
    address: text().notNull(),
    rawAddress: text("raw_address").notNull(),
    /** `AuthorTraits`, sealed; null before they were found. */
    traits: text(),
  },
  (table) => [
    uniqueIndex("spelling_written").on(table.rawEmail, table.name, table.email, table.place),
    index("spelling_address").on(table.address),
    index("spelling_raw_address").on(table.rawAddress),
    index("spelling_folded").on(table.folded),
  ],
);

/** What one spelling did in one repository. */
export const works = sqliteTable(
  "work",
  {
    spellingId: integer("spelling_id").notNull(),
    repositoryId: integer("repository_id").notNull(),
    /** Non-merge commits; those of them that count, and how many of one day at most; those that touch only manifests and lock files. */
    commits: integer().notNull(),
    counted: integer().notNull(),
    busiest: integer().notNull(),
    routine: integer().notNull(),
    /** Whether it has more than merges. */
    isWork: integer("is_work", { mode: "boolean" }).notNull(),
    /** Author dates in seconds; null without one. */
    first: integer(),
    last: integer(),
    /** Numbers of the spellings that took part in its shared commits. */
    sharers: text().notNull(),
    /** Of everything that it did there. */
    digest: text().notNull(),
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

/** Pairs of spellings of one commit: in a repository counted before, and in this one. */
export const sameCommits = sqliteTable(
  "same_commit",
  {
    repositoryId: integer("repository_id").notNull(),
    one: integer().notNull(),
    other: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.one, table.other] })],
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
export const countedRepositories = sqliteTable("repository", {
  id: integer().primaryKey(),
  /** What it was counted from, as JSON. */
  inputs: text().notNull(),
  name: text().notNull(),
  /** `CountedRepository`, as JSON. */
  digest: text().notNull(),
  /** Hashes of the lines of the authors report, sorted: 64 bits each. */
  lines: blob({ mode: "buffer" }).notNull(),
  /** Hash of its authors in the order of their numbers. */
  authors: text().notNull(),
  /** `RepositoryStanding` with the digest of its inputs, as JSON; null before people were identified. */
  standing: text(),
});

/** What is kept of the people of each part of the authors, by the digest of its inputs. */
export const identities = sqliteTable("identity", {
  digest: text().primaryKey(),
  /** `KnownPart`, as JSON. */
  content: text().notNull(),
});

/** Logins that the pool may have from git. */
export const brought = sqliteTable("brought", {
  login: text().primaryKey(),
  /** Of what the pool shows of the person; null until it shows it. */
  digest: text(),
});
