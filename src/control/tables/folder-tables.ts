import type { TableKit } from "../../queries/table-kit.ts";
import type { DataFile } from "../folder-records.ts";

/** @package The tables about the store itself and about the other files of the data folder. */
export function defineFolderTables(kit: TableKit) {
  const { table, text, whole, generatedId } = kit;
  return {
    /** A single row about the store. `latestMs` is the minute of the last counted call. */
    instance: table("instance", {
      id: whole().primaryKey(),
      name: text().notNull(),
      latestMs: whole("latest_ms").notNull(),
      probes: whole().notNull().default(0),
      /** The number of counted calls of all accounts. */
      charges: whole().notNull().default(0),
      /** Time when the latest backup was completed. */
      backedUpMs: whole("backed_up_ms"),
      /** The secret that signs cookies and the query parameters between sign-in pages. */
      signInSecret: text("sign_in_secret"),
    }),
    /** The last recorded state of the other files of the data folder. */
    dataFiles: table("data_file", {
      file: text().$type<DataFile>().primaryKey(),
      name: text().notNull(),
      changes: whole().notNull(),
    }),
    /** Losses of data. */
    losses: table("loss", {
      id: generatedId(),
      atMs: whole("at_ms").notNull(),
      what: text().notNull(),
      acceptedMs: whole("accepted_ms"),
    }),
    ...defineSuppressionTables(kit),
  };
}

/** A copy of the pool's receipts of erasures and of its suppression list. */
function defineSuppressionTables(kit: TableKit) {
  const { table, text, whole, bytes, generatedId, index, primaryKey } = kit;
  return {
    erasures: table("erasure", {
      receiptId: text("receipt_id").primaryKey(),
      at: text().notNull(),
      reason: text(),
      developers: whole().notNull(),
      rows: whole().notNull(),
      identifiers: whole().notNull(),
      completedAt: text("completed_at"),
      undoneAt: text("undone_at"),
    }),
    suppressedHashes: table(
      "suppressed",
      { hash: bytes().notNull(), receiptId: text("receipt_id").notNull() },
      (table) => [
        primaryKey({ columns: [table.hash, table.receiptId] }),
        index("suppressed_receipt").on(table.receiptId),
      ],
    ),
    suppressionSalts: table("suppression_salt", {
      id: generatedId(),
      salt: bytes().notNull().unique("suppression_salt_once"),
    }),
  };
}
