import type { ErasureReceipt } from "../../../contract/people/erasure-receipt.ts";

export interface StoredReceipt
  extends Pick<ErasureReceipt, "at" | "developers" | "rows" | "identifiers"> {
  readonly receiptId: string;
  readonly reason: string | null;
  readonly completedAt: string | null;
  readonly undoneAt: string | null;
}

export function toReceipt(row: StoredReceipt): ErasureReceipt {
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
