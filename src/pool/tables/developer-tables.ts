import { isNotNull } from "drizzle-orm";
import type { TableKit } from "../../queries/table-kit.ts";

/** @package The versions of developers, and the imports that added them. */
export function defineDeveloperTables({
  table,
  text,
  short,
  flag,
  bytes,
  generatedShort,
  index,
  primaryKey,
}: TableKit) {
  return {
    /** One row for each import ever begun. Its developers are visible once `revision` is set. */
    imports: table("import", {
      id: generatedShort(),
      source: text().notNull(),
      startedAt: text("started_at").notNull(),
      committedAt: text("committed_at"),
      /** The revision that made the import visible; null while it is staged, and forever if it was aborted. */
      revision: short(),
      /** Whether cleanup is done: the rows that this import replaced are deleted or, if it was aborted, its own rows. */
      isSwept: flag("is_swept").notNull().default(false),
    }),
    /** The versions of each developer. Row ids are never reused: an old index may still ask for one. */
    developers: table(
      "developer",
      {
        rowId: generatedShort("row_id"),
        loginKey: text("login_key").notNull(),
        login: text().notNull(),
        source: text().notNull(),
        searchable: flag().notNull(),
        importId: short("import_id").notNull(),
        /** The import that replaces or removes this row. The row stays visible until that import has a revision. */
        supersededBy: short("superseded_by"),
        /** The last import that contained an identical row. */
        confirmedBy: short("confirmed_by"),
        /** How the row differed from the visible one when it was staged. `unchanged` means the same facts with a new analysis. */
        change: text().$type<"added" | "replaced" | "unchanged">().notNull(),
        factsHash: text("facts_hash").notNull(),
        wholeHash: text("whole_hash").notNull(),
        /** The basis of the judgment: equal facts judged by an equal basis give an equal row. Null if unknown. */
        basis: text(),
      },
      (table) => [
        index("developer_login").on(table.loginKey, table.importId),
        index("developer_import").on(table.importId),
        index("developer_superseded").on(table.supersededBy).where(isNotNull(table.supersededBy)),
      ],
    ),
    /** The card as JSON text, read by primary key for each result. */
    cards: table("card", {
      rowId: short("row_id").primaryKey(),
      card: text().notNull(),
    }),
    /** The packed ranking features (`../rows/ranking-features.ts`), which the search index streams. */
    rankingFeatures: table("standing", {
      rowId: short("row_id").primaryKey(),
      standing: text().notNull(),
    }),
    /** The facts and the analysis as JSON, compressed by zstd. They are long, so they are read one at a time. */
    dossiers: table("dossier", {
      rowId: short("row_id").primaryKey(),
      facts: bytes().notNull(),
      analysis: bytes().notNull(),
    }),
    /** The former logins of a row. The current login is in `developer`. */
    formerLogins: table(
      "former_login",
      {
        loginKey: text("login_key").notNull(),
        rowId: short("row_id").notNull(),
      },
      (table) => [
        primaryKey({ columns: [table.loginKey, table.rowId] }),
        index("former_login_row").on(table.rowId),
      ],
    ),
    /**
     * Hashes of the keys by which an erasure or a people file finds rows (`../rows/identifier-index.ts`), also of rows that are
     * not visible. They are stored in row order, so that an import only appends. A search reads the whole table, which is small.
     */
    identifiers: table(
      "identifier",
      {
        rowId: short("row_id").notNull(),
        hash: short().notNull(),
      },
      (table) => [primaryKey({ columns: [table.rowId, table.hash] })],
    ),
    /** Rows of earlier releases that are not yet in `identifier`. The next search by identifier adds them. */
    unlistedRows: table("unlisted_row", { rowId: short("row_id").primaryKey() }),
    /** The number of visible developers by source, updated in the same transaction as the revision. */
    sourceCounts: table("source_count", {
      source: text().primaryKey(),
      developers: short().notNull(),
      lastImportAt: text("last_import_at").notNull(),
    }),
  };
}
