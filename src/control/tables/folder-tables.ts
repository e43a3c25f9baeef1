import type { TableKit } from "../../queries/table-kit.ts";
import type { DataFile } from "../folder-records.ts";

/** @package The store itself, and its record of the folder's other files. */
export function defineFolderTables(kit: TableKit) {
  const { table, text, whole, generatedId } = kit;
  return {
    /** One row: the store's name, and the latest instant it has seen, to the minute. */
    instance: table("instance", {
      id: whole().primaryKey(),
      name: text().notNull(),
      latestMs: whole("latest_ms").notNull(),
      probes: whole().notNull().default(0),
      /** The total number of calls counted, of all accounts. */
      charges: whole().notNull().default(0),
      /** When the latest backup was completed. */
      backedUpMs: whole("backed_up_ms"),
      /**
       * Signs cookies and the query parameters between sign-in pages. It must be backed up and lost together with the sessions,
       * so it is stored with them. A reader of this store already has the digests that the secret protects.
       */
      signInSecret: text("sign_in_secret"),
    }),
    /** The last recorded state of the other files: see `folder-rows.ts`. */
    dataFiles: table("data_file", {
      file: text().$type<DataFile>().primaryKey(),
      name: text().notNull(),
      changes: whole().notNull(),
    }),
    /** What files of the folder have lost. A row remains until an administrator accepts the loss. */
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
