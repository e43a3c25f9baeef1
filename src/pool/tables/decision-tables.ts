import type { TableKit } from "../../queries/table-kit.ts";

/** @package The tables of decisions about people: which identities are the same person, and who is erased. */
export function defineDecisionTables(kit: TableKit) {
  const { table, text, short, bytes, json, generatedShort, primaryKey } = kit;
  return {
    /** The salts of the suppression list. The first is the installation's own. Others come with lists of other installations. */
    suppressionSalts: table("suppression_salt", { id: generatedShort(), salt: bytes().notNull() }),
    /** Erased people, stored only as salted hashes of their identifiers. */
    suppressed: table(
      "suppressed",
      {
        hash: bytes().notNull(),
        /** The erasure that suppresses the identifier. If two erasures do, each has its own row. */
        receiptId: text("receipt_id").notNull(),
      },
      (table) => [primaryKey({ columns: [table.hash, table.receiptId] })],
    ),
    /** The operator's decisions about which identities are the same person; see `../rows/decision-rows.ts`. */
    decisions: table("decision", {
      sequence: generatedShort(),
      id: text().notNull().unique(),
      kind: text().$type<"same" | "different">().notNull(),
      a: text().notNull(),
      b: text().notNull(),
      at: text().notNull(),
      by: text().notNull(),
      reason: text(),
      /** A JSON list of texts. */
      evidence: json().$type<readonly string[]>().notNull(),
      /** Null while the decision is in force. */
      undoneAt: text("undone_at"),
    }),
    /** Receipts of erasures. A receipt does not identify the erased person. */
    erasures: table("erasure", {
      id: generatedShort(),
      receiptId: text("receipt_id").notNull().unique(),
      at: text().notNull(),
      reason: text(),
      developers: short().notNull(),
      rows: short().notNull(),
      identifiers: short().notNull(),
      /** The time when the deleted bytes were removed from the files. Null means that they may still be there. */
      completedAt: text("completed_at"),
      undoneAt: text("undone_at"),
    }),
  };
}
