import { isNotNull } from "drizzle-orm";
import type { TableKit } from "../../queries/table-kit.ts";

/** @package The tables of developers. */
export function defineDeveloperTables(kit: TableKit) {
  const { table, text, short, flag, bytes, generatedShort, index, primaryKey } = kit;
  return {
    /** The versions of each developer. Row ids are never reused, because an old index may still ask for one. */
    developers: table(
      "developer",
      {
        rowId: generatedShort("row_id"),
        loginKey: text("login_key").notNull(),
        login: text().notNull(),
        source: text().notNull(),
        searchable: flag().notNull(),
        importId: short("import_id").notNull(),
        /** The import that replaces or removes this row. The row stays visible until this import is visible. */
        supersededBy: short("superseded_by"),
        /** The last import that contained an identical row. */
        confirmedBy: short("confirmed_by"),
        /** How the row differed from the developer's visible row. `unchanged` means the same facts with a new analysis. */
        change: text().$type<"added" | "replaced" | "unchanged">().notNull(),
        factsHash: text("facts_hash").notNull(),
        wholeHash: text("whole_hash").notNull(),
        /** The version of the model and its inputs. Null if unknown. */
        basis: text(),
        /** The developer's row in the import that first contained the login. Null if it is this row. */
        firstRowId: short("first_row_id"),
      },
      (table) => [
        index("developer_login").on(table.loginKey, table.importId),
        index("developer_import").on(table.importId),
        index("developer_superseded").on(table.supersededBy).where(isNotNull(table.supersededBy)),
      ],
    ),
    /** The card as JSON text. */
    cards: table("card", { rowId: short("row_id").primaryKey(), card: text().notNull() }),
    /** The packed ranking features (`../rows/ranking-features.ts`). */
    rankingFeatures: table("standing", {
      rowId: short("row_id").primaryKey(),
      standing: text().notNull(),
    }),
    /** The facts and the analysis, as compressed JSON. */
    dossiers: table("dossier", {
      rowId: short("row_id").primaryKey(),
      facts: bytes().notNull(),
      analysis: bytes().notNull(),
    }),
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
    /** Hashes of the keys by which rows are found (`../rows/identifier-index.ts`). Rows that are not visible have hashes too. */
    identifiers: table(
      "identifier",
      {
        rowId: short("row_id").notNull(),
        hash: short().notNull(),
      },
      (table) => [primaryKey({ columns: [table.rowId, table.hash] })],
    ),
    /** Old rows that are not in `identifier` yet. */
    unlistedRows: table("unlisted_row", { rowId: short("row_id").primaryKey() }),
    /** The number of visible developers by source. */
    sourceCounts: table("source_count", {
      source: text().primaryKey(),
      developers: short().notNull(),
      lastImportAt: text("last_import_at").notNull(),
    }),
  };
}

/** @package The tables of imports, and of what they removed. */
export function defineImportTables({ table, text, short, flag, generatedShort, index }: TableKit) {
  return {
    /** One row for each import. Its developers are visible once `revision` is set. */
    imports: table("import", {
      id: generatedShort(),
      source: text().notNull(),
      startedAt: text("started_at").notNull(),
      committedAt: text("committed_at"),
      /** The revision that made the import visible. Null means that the import is not visible. */
      revision: short(),
      /** Whether the rows that became useless by this import are deleted. */
      isSwept: flag("is_swept").notNull().default(false),
    }),
    /** Logins that are gone, so that copies elsewhere can follow; see `../rows/changes/`. */
    departures: table(
      "departure",
      {
        id: generatedShort(),
        loginKey: text("login_key").notNull(),
        /** Empty once it is no longer kept. Copies that have not read the row by then start anew. */
        login: text().notNull(),
        /** The import that removed the developer. Null if the person was erased. */
        importId: short("import_id"),
        at: text().notNull(),
      },
      (table) => [
        index("departure_login").on(table.loginKey),
        index("departure_import").on(table.importId),
      ],
    ),
  };
}
