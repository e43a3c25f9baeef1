import type { Facts } from "../contract/people/facts.ts";

export interface IdentityDecisionRecord {
  /** `dec_...`. It identifies no person, so the audit log may contain it. */
  readonly id: string;
  /** `same`: the two are one person. `different`: they must never be merged. */
  readonly kind: "same" | "different";
  /** The two identities, written as selectors (see `parseSelector`). */
  readonly a: string;
  readonly b: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly reason?: string;
  /** The evidence at the time of the decision, in words. */
  readonly evidence: readonly string[];
  /** ISO 8601, UTC. Absent while the decision is in force. */
  readonly undoneAt?: string;
}

/**
 * The operator's decisions about which identities are the same person. They are stored in the pool, because an erasure must
 * delete them in the same transaction as the person.
 */
export interface Decisions {
  /** Lists the decisions in force, oldest first. */
  list(): Promise<readonly IdentityDecisionRecord[]>;
  /** Lists all decisions, also undone ones, oldest first. */
  listAll(): Promise<readonly IdentityDecisionRecord[]>;
  /**
   * Returns the decisions that name an author identity of this person, also undone ones.
   * @param names other names of the person.
   * @param addresses further addresses of the person, such as addresses that several people use.
   */
  about(
    facts: Facts,
    names?: readonly string[],
    addresses?: readonly string[],
  ): Promise<readonly IdentityDecisionRecord[]>;
  add(decision: Omit<IdentityDecisionRecord, "id" | "at">): Promise<IdentityDecisionRecord>;
  /**
   * Ends a decision. It stays stored, so that the audit log can name its people until they are erased.
   * @returns undefined if no decision in force has this id.
   */
  undo(id: string): Promise<IdentityDecisionRecord | undefined>;
}
