/** Proof of an erasure, which does not say who was erased. */
export interface ErasureReceipt {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason?: string;
  /** Visible developers that were deleted. */
  readonly developers: number;
  /** All their rows: visible, replaced or staged, and on lists and in saved searches of accounts. */
  readonly rows: number;
  /** Salted hashes added to the suppression list: of logins, addresses and forge accounts. */
  readonly identifiers: number;
  /** When the old bytes were gone from the files; absent while they may still be there. */
  readonly completedAt?: string;
  readonly undoneAt?: string;
}

/** The suppression list of erased people. It is stored twice, in the pool and beside the accounts. */
export interface SuppressionList {
  /** Each identifier was hashed under one of these. */
  readonly salts: readonly Uint8Array[];
  /** Oldest first; one that was undone has no hashes. */
  readonly erasures: readonly (ErasureReceipt & { readonly hashes: readonly Uint8Array[] })[];
}
