import type { ErasureReceipt } from "../../../contract/people/erasure-receipt.ts";
import type { PoolTables } from "../pool-context.ts";

export function toReceipt(row: PoolTables["erasures"]["$inferSelect"]): ErasureReceipt {
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
