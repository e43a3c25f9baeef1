/** The operator's decisions about who is who, as a part of the pool's port. */
import type { Facts } from "../contract/people/facts.ts";

export interface IdentityDecisionRecord {
  /** `dec_...`; says nothing about anyone, so that the audit log may contain it. */
  readonly id: string;
  /** Whether the two are one person, or must never be joined. */
  readonly kind: "same" | "different";
  /** Selectors, as `parseSelector` reads them. */
  readonly a: string;
  readonly b: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly reason?: string;
  /** The evidence for it when it was made, in words. */
  readonly evidence: readonly string[];
}

/**
 * The operator's decisions about who is who. They are stored in the pool and not in the ledger, because the ledger may
 * be deleted, and because an erasure deletes a person's decisions in the same transaction as the person.
 */
export interface Decisions {
  /** Oldest first. */
  list(): Promise<readonly IdentityDecisionRecord[]>;
  /**
   * The decisions that name an author identity of this person.
   *
   * @param names other names of the person: an address that several people use is theirs only with one of their names.
   * @param addresses other addresses of theirs: facts lack those that several people use.
   */
  about(
    facts: Facts,
    names?: readonly string[],
    addresses?: readonly string[],
  ): Promise<readonly IdentityDecisionRecord[]>;
  add(decision: Omit<IdentityDecisionRecord, "id" | "at">): Promise<IdentityDecisionRecord>;
  /** @returns undefined when there is none. */
  remove(id: string): Promise<IdentityDecisionRecord | undefined>;
}
