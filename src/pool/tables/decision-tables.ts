import type { TableKit } from "../../queries/table-kit.ts";

/** @package What operators decided: who is who, and who is erased. */
export function defineDecisionTables({
  table,
  text,
  short,
  bytes,
  json,
  generatedShort,
  primaryKey,
}: TableKit) {
  return {
    /**
     * The salts of the suppression list: the installation's own, created with the first erasure. A
     * second row comes only with a list of another installation.
     */
    suppressionSalts: table("suppression_salt", {
      id: generatedShort(),
      salt: bytes().notNull(),
    }),
    /** Erased people, as salted hashes of their identifiers and nothing else. */
    suppressed: table(
      "suppressed",
      {
        hash: bytes().notNull(),
        /** Two erasures may suppress the same identifier: undoing one leaves the other's row. */
        receiptId: text("receipt_id").notNull(),
      },
      (table) => [primaryKey({ columns: [table.hash, table.receiptId] })],
    ),
    /** The operator's decisions about who is who; see `../rows/decision-rows.ts`. */
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
    }),
    /** Receipts of erasures: only counts, nothing that says who was erased. */
    erasures: table("erasure", {
      id: generatedShort(),
      receiptId: text("receipt_id").notNull().unique(),
      at: text().notNull(),
      reason: text(),
      developers: short().notNull(),
      rows: short().notNull(),
      identifiers: short().notNull(),
      /** When the old bytes were gone from the files; null while they may still be there. */
      completedAt: text("completed_at"),
      undoneAt: text("undone_at"),
    }),
  };
}
