/** Proof of an erasure, which does not say who was erased. */
export interface ErasureReceipt {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason?: string;
  /** Visible developers that were deleted. */
  readonly developers: number;
  /** All deleted rows: visible, replaced or staged, and in lists and saved searches of accounts. */
  readonly rows: number;
  /** Salted hashes added to the suppression list: of logins, addresses and forge accounts. */
  readonly identifiers: number;
  /** When the old bytes were removed from the files; absent until then. */
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

/**
 * @returns the erasures that `held` lacks. An erasure can gain hashes: of one that both lists have, the missing hashes, unless either
 * list says that it was undone.
 */
export function findMissingErasures(
  { erasures }: SuppressionList,
  held: SuppressionList,
): SuppressionList["erasures"] {
  const known = new Map(held.erasures.map((erasure) => [erasure.id, erasure]));
  return erasures.flatMap((erasure) => {
    const same = known.get(erasure.id);
    if (!same) return erasure;
    if (same.undoneAt || erasure.undoneAt) return [];
    const there = new Set(same.hashes.map(toHex));
    const hashes = erasure.hashes.filter((hash) => !there.has(toHex(hash)));
    return hashes.length > 0 ? { ...erasure, hashes } : [];
  });
}

/** @returns a text that is equal for equal lists. */
export function describeErasureList({ erasures }: SuppressionList): string {
  return erasures
    .map(({ id, undoneAt, hashes }) => [id, !undoneAt, ...hashes.map(toHex).sort()].join(" "))
    .sort()
    .join();
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
