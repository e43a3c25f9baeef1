/**
 * Rows are immutable: when the facts or the analysis of a developer change, the developer gets a new row, and the old one
 * stays until no reader can need it. So an import is staged beside the visible rows, one small write makes all
 * of it visible, and an index built on the previous revision still finds its cards by row id.
 * What is read together is stored together: the index streams `standing` without reading a card.
 */
import { isNotNull } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export { fileState } from "../../sqlite/file-state.ts";

/** @package One row: the number of visible changes. */
export const poolState = sqliteTable("pool_state", {
  id: integer().primaryKey(),
  revision: integer().notNull(),
});

/** @package Each import ever begun. Its rows are visible from the moment `revision` is set. */
export const imports = sqliteTable("import", {
  id: integer().primaryKey({ autoIncrement: true }),
  source: text().notNull(),
  startedAt: text("started_at").notNull(),
  committedAt: text("committed_at"),
  /** The revision that made it visible; null while staged, and for ever if it was aborted. */
  revision: integer(),
  /** Nothing is left to clean up: neither rows of an aborted import nor rows that this one replaced. */
  isSwept: integer("is_swept", { mode: "boolean" }).notNull().default(false),
});

/** @package The versions of each developer. Row ids are never reused: an old index may still ask for one. */
export const developers = sqliteTable(
  "developer",
  {
    rowId: integer("row_id").primaryKey({ autoIncrement: true }),
    loginKey: text("login_key").notNull(),
    login: text().notNull(),
    source: text().notNull(),
    searchable: integer({ mode: "boolean" }).notNull(),
    importId: integer("import_id").notNull(),
    /** The import that replaced or removed this row; without effect until that import has a revision. */
    supersededBy: integer("superseded_by"),
    /** The last import that contained exactly this row again. */
    confirmedBy: integer("confirmed_by"),
    /** How the row differed from the visible one when it was staged; `unchanged` means the same facts with a new analysis. */
    change: text({ enum: ["added", "replaced", "unchanged"] }).notNull(),
    factsHash: text("facts_hash").notNull(),
    wholeHash: text("whole_hash").notNull(),
    /** The basis of the judgement: equal facts judged by an equal basis give an equal row. Null when it is unknown. */
    basis: text(),
  },
  (table) => [
    index("developer_login").on(table.loginKey, table.importId),
    index("developer_import").on(table.importId),
    index("developer_superseded").on(table.supersededBy).where(isNotNull(table.supersededBy)),
  ],
);

/** @package The card as JSON text, read by primary key for each result. */
export const cards = sqliteTable("card", {
  rowId: integer("row_id").primaryKey(),
  card: text().notNull(),
});

/** @package The ranking features in their packed form (`../rows/pack-developer.ts`), streamed by the index. */
export const rankingFeatures = sqliteTable("standing", {
  rowId: integer("row_id").primaryKey(),
  standing: text().notNull(),
});

/** @package The long parts, as JSON compressed by zstd, read one at a time. */
export const dossiers = sqliteTable("dossier", {
  rowId: integer("row_id").primaryKey(),
  facts: blob({ mode: "buffer" }).notNull(),
  analysis: blob({ mode: "buffer" }).notNull(),
});

/** @package The former logins of a row, visible when the row is; a row has its current login in `developer`. */
export const formerLogins = sqliteTable(
  "former_login",
  {
    loginKey: text("login_key").notNull(),
    rowId: integer("row_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.loginKey, table.rowId] }),
    index("former_login_row").on(table.rowId),
  ],
);

/** @package The names and keys by which a row is found (`../rows/pack-findable.ts`), as JSON text. Rows of an older form of the file have none. */
export const findables = sqliteTable("findable", {
  rowId: integer("row_id").primaryKey(),
  keys: text().notNull(),
});

/** @package The number of visible developers by source, updated in the same transaction as the revision. */
export const sourceCounts = sqliteTable("source_count", {
  source: text().primaryKey(),
  developers: integer().notNull(),
  lastImportAt: text("last_import_at").notNull(),
});

/** @package Repositories with stored changes of their files; see `../rows/authorship/`. Row ids are never reused. */
export const knownRepositories = sqliteTable(
  "repository",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    key: text().notNull(),
    name: text().notNull(),
    forge: text(),
    /** False while it is staged; then one transaction shows it and removes the row that it replaces. */
    isShown: integer("is_shown", { mode: "boolean" }).notNull(),
    fingerprint: text().notNull(),
    commits: integer().notNull(),
    files: integer().notNull(),
    lastDay: integer("last_day").notNull(),
    /** `CommitColumns`, packed. */
    columns: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [index("repository_key").on(table.key)],
);

/** @package Files of a repository with their changes, packed; blocks in the order of paths. */
export const repositoryBlocks = sqliteTable(
  "repository_block",
  {
    repositoryId: integer("repository_id").notNull(),
    sequence: integer().notNull(),
    /** The first path, and its number among the paths of the repository. */
    first: text().notNull(),
    number: integer().notNull(),
    content: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.sequence] })],
);

/** @package The logins of authors. Only this table and the ownership rules name the people of a repository. */
export const repositoryAuthors = sqliteTable(
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

/** @package The ownership rules of a repository, packed. They name people. */
export const repositoryOwnership = sqliteTable("repository_ownership", {
  repositoryId: integer("repository_id").primaryKey(),
  content: blob({ mode: "buffer" }).notNull(),
});

/** @package The files that make or use a package. */
export const repositoryPackages = sqliteTable(
  "repository_package",
  {
    repositoryId: integer("repository_id").notNull(),
    /** `ecosystem:name`, in lower case. */
    name: text().notNull(),
    relation: text({ enum: ["makes", "uses"] }).notNull(),
    /** The name without its ecosystem. */
    short: text().notNull(),
    /** Numbers of paths, packed. */
    paths: blob({ mode: "buffer" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.name, table.relation] }),
    index("repository_package_name").on(table.name),
    index("repository_package_short").on(table.short),
  ],
);

/**
 * @package The salts of the suppression list: the installation's own, created with the first erasure. A
 * second row comes only with a list of another installation.
 */
export const suppressionSalts = sqliteTable("suppression_salt", {
  id: integer().primaryKey({ autoIncrement: true }),
  salt: blob({ mode: "buffer" }).notNull(),
});

/** @package Erased people, as salted hashes of their identifiers and nothing else. */
export const suppressed = sqliteTable(
  "suppressed",
  {
    hash: blob({ mode: "buffer" }).notNull(),
    /** Two erasures may suppress the same identifier: undoing one leaves the other's row. */
    receiptId: text("receipt_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.hash, table.receiptId] })],
);

/** @package The operator's decisions about who is who; see `../rows/decision-rows.ts`. */
export const decisions = sqliteTable("decision", {
  sequence: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  kind: text({ enum: ["same", "different"] }).notNull(),
  a: text().notNull(),
  b: text().notNull(),
  at: text().notNull(),
  by: text().notNull(),
  reason: text(),
  /** A JSON list of texts. */
  evidence: text({ mode: "json" }).$type<readonly string[]>().notNull(),
});

/** @package Receipts of erasures: only counts, nothing that says who was erased. */
export const erasures = sqliteTable("erasure", {
  id: integer().primaryKey({ autoIncrement: true }),
  receiptId: text("receipt_id").notNull().unique(),
  at: text().notNull(),
  reason: text(),
  developers: integer().notNull(),
  rows: integer().notNull(),
  identifiers: integer().notNull(),
  /** When the old bytes were gone from the files; null while they may still be there. */
  completedAt: text("completed_at"),
  undoneAt: text("undone_at"),
});
