import type { ErasureReceipt } from "../../../contract/people/erasure-receipt.ts";
import type { erasures } from "../tables.ts";

/** @package A row as a receipt. */
export function toReceipt(row: typeof erasures.$inferSelect): ErasureReceipt {
  const { receiptId, at, reason, developers, rows, identifiers, completedAt, undoneAt } = row;
  return {
    id: receiptId,
    at,
    ...(reason === null ? {} : { reason }),
    developers,
    rows,
    identifiers,
    ...(completedAt === null ? {} : { completedAt }),
    ...(undoneAt === null ? {} : { undoneAt }),
  };
}
