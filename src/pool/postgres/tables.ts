/**
 * The tables of the pool, as in SQLite (`../sqlite/tables.ts`), where their columns are described: rows are immutable, and
 * become visible by the revision of their import. Words are compared by their bytes, as everywhere in Roster.
 */
import { isNotNull, isNull, sql } from "drizzle-orm";
import { boolean, index, integer, pgSchema, primaryKey, smallint } from "drizzle-orm/pg-core";
import { bytes, json, text, texts } from "../../postgres/column-types.ts";
import type { PackageRelation } from "../authorship.ts";

/** @package Its own schema, beside that of control. */
export const pool = pgSchema("pool");

const identity = () => integer().primaryKey().generatedAlwaysAsIdentity();

/** @package One row. Every change of the pool writes it first, so that two never happen at once. */
export const poolState = pool.table("pool_state", {
  id: integer().primaryKey(),
  name: text().notNull(),
  revision: integer().notNull(),
  /** Grows with every change, visible or not. */
  changes: integer().notNull(),
  /** Grows with every change of the suppression list. */
  suppression: integer().notNull(),
});

/** @package What imports now, for people; the lock decides (`importing/import-lock.ts`). */
export const importNotes = pool.table("import_note", {
  id: integer().primaryKey(),
  holder: text().notNull(),
  progress: text(),
});

/** @package */
export const imports = pool.table("import", {
  id: identity(),
  source: text().notNull(),
  startedAt: text("started_at").notNull(),
  committedAt: text("committed_at"),
  revision: integer(),
  isSwept: boolean("is_swept").notNull().default(false),
});

/** @package */
export const developers = pool.table(
  "developer",
  {
    rowId: integer("row_id").primaryKey().generatedAlwaysAsIdentity(),
    loginKey: text("login_key").notNull(),
    login: text().notNull(),
    source: text().notNull(),
    searchable: boolean().notNull(),
    importId: integer("import_id").notNull(),
    supersededBy: integer("superseded_by"),
    confirmedBy: integer("confirmed_by"),
    change: text().$type<"added" | "replaced" | "unchanged">().notNull(),
    factsHash: text("facts_hash").notNull(),
    wholeHash: text("whole_hash").notNull(),
    basis: text(),
  },
  (table) => [
    index("developer_login").on(table.loginKey, table.importId),
    index("developer_import").on(table.importId),
    index("developer_superseded").on(table.supersededBy).where(isNotNull(table.supersededBy)),
  ],
);

/** @package */
export const cards = pool.table("card", {
  rowId: integer("row_id").primaryKey(),
  card: text().notNull(),
});

/** @package */
export const rankingFeatures = pool.table("standing", {
  rowId: integer("row_id").primaryKey(),
  standing: text().notNull(),
});

/** @package */
export const dossiers = pool.table("dossier", {
  rowId: integer("row_id").primaryKey(),
  facts: bytes().notNull(),
  analysis: bytes().notNull(),
});

/** @package */
export const formerLogins = pool.table(
  "former_login",
  { loginKey: text("login_key").notNull(), rowId: integer("row_id").notNull() },
  (table) => [
    primaryKey({ columns: [table.loginKey, table.rowId] }),
    index("former_login_row").on(table.rowId),
  ],
);

/**
 * @package What follows from `keys` is null in rows of an older form and of a data folder, until somebody is looked for.
 */
export const findables = pool.table(
  "findable",
  {
    rowId: integer("row_id").primaryKey(),
    keys: text().notNull(),
    /** Tenths of the score. */
    score: smallint(),
    /** What `formatNames` says. */
    names: text(),
    /** What `listKeys` says. */
    exactKeys: texts("exact_keys"),
  },
  (table) => [
    index("findable_names")
      .using("gin", sql`array_to_tsvector(string_to_array(${table.names}, ' '))`)
      .with({ fastupdate: false }),
    index("findable_keys").using("gin", table.exactKeys).with({ fastupdate: false }),
    index("findable_unprepared").on(table.rowId).where(isNull(table.names)),
  ],
);

/** @package */
export const sourceCounts = pool.table("source_count", {
  source: text().primaryKey(),
  developers: integer().notNull(),
  lastImportAt: text("last_import_at").notNull(),
});

/** @package */
export const knownRepositories = pool.table(
  "repository",
  {
    id: identity(),
    key: text().notNull(),
    name: text().notNull(),
    forge: text(),
    isShown: boolean("is_shown").notNull(),
    fingerprint: text().notNull(),
    commits: integer().notNull(),
    files: integer().notNull(),
    lastDay: integer("last_day").notNull(),
    columns: bytes().notNull(),
  },
  (table) => [index("repository_key").on(table.key)],
);

/** @package */
export const repositoryBlocks = pool.table(
  "repository_block",
  {
    repositoryId: integer("repository_id").notNull(),
    sequence: integer().notNull(),
    first: text().notNull(),
    number: integer().notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.sequence] })],
);

/** @package */
export const repositoryAuthors = pool.table(
  "repository_author",
  {
    repositoryId: integer("repository_id").notNull(),
    number: integer().notNull(),
    loginKey: text("login_key").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.number] }),
    index("repository_author_login").on(table.loginKey),
  ],
);

/** @package */
export const repositoryOwnership = pool.table("repository_ownership", {
  repositoryId: integer("repository_id").primaryKey(),
  content: bytes().notNull(),
});

/** @package */
export const repositoryPackages = pool.table(
  "repository_package",
  {
    repositoryId: integer("repository_id").notNull(),
    name: text().notNull(),
    relation: text().$type<PackageRelation>().notNull(),
    short: text().notNull(),
    paths: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.name, table.relation] }),
    index("repository_package_name").on(table.name),
    index("repository_package_short").on(table.short),
  ],
);

/** @package */
export const suppressionSalts = pool.table("suppression_salt", {
  id: identity(),
  salt: bytes().notNull(),
});

/** @package */
export const suppressed = pool.table(
  "suppressed",
  { hash: bytes().notNull(), receiptId: text("receipt_id").notNull() },
  (table) => [primaryKey({ columns: [table.hash, table.receiptId] })],
);

/** @package The search index that a node has built; see `SharedIndexes`. */
export const searchIndexes = pool.table(
  "search_index",
  {
    edition: text().notNull(),
    sequence: integer().notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.edition, table.sequence] })],
);

/** @package */
export const decisions = pool.table("decision", {
  sequence: identity(),
  id: text().notNull().unique(),
  kind: text().$type<"same" | "different">().notNull(),
  a: text().notNull(),
  b: text().notNull(),
  at: text().notNull(),
  by: text().notNull(),
  reason: text(),
  evidence: json().$type<readonly string[]>().notNull(),
});

/** @package */
export const erasures = pool.table("erasure", {
  id: identity(),
  receiptId: text("receipt_id").notNull().unique(),
  at: text().notNull(),
  reason: text(),
  developers: integer().notNull(),
  rows: integer().notNull(),
  identifiers: integer().notNull(),
  completedAt: text("completed_at"),
  undoneAt: text("undone_at"),
});
