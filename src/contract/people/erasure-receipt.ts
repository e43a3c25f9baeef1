/** Proof that a person was erased, without naming the person. */
export interface ErasureReceipt {
  readonly id: string;
  /** Time of the erasure, ISO 8601, UTC. */
  readonly at: string;
  readonly reason?: string;
  readonly developers: number;
  /** The number of deleted rows of the database. */
  readonly rows: number;
  /** The number of hashes of logins, addresses and forge accounts that were added to the suppression list. */
  readonly identifiers: number;
  /** Time when the deleted bytes were removed from the files. It is absent until then. */
  readonly completedAt?: string;
  readonly undoneAt?: string;
}

/** The suppression list of erased people. It is stored twice: in the pool, and with the accounts. */
export interface SuppressionList {
  /** The salts of the hashes. Each identifier was hashed with one salt. */
  readonly salts: readonly Uint8Array[];
  /** Erasures, oldest first. An undone erasure has no hashes. */
  readonly erasures: readonly (ErasureReceipt & { readonly hashes: readonly Uint8Array[] })[];
}

/** @returns the erasures that `held` lacks. An erasure that `held` has only in part is returned with the missing hashes. */
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

/** @returns a text that is the same for equal lists. */
export function describeErasureList({ erasures }: SuppressionList): string {
  return erasures
    .map(({ id, undoneAt, hashes }) => [id, !undoneAt, ...hashes.map(toHex).sort()].join(" "))
    .sort()
    .join();
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
