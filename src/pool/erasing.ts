/** The part of the pool's port that permanently erases people. */
import type { ErasureReceipt, SuppressionList } from "../contract/people/erasure-receipt.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Identifier, NamedAddress } from "./identifiers.ts";

export interface PoolErasure {
  /** Returns the logins of the person with this login or address. Empty if there is no such person. */
  find(subject: ErasureSubject): Promise<readonly string[]>;
  /**
   * Deletes everything about a person, and adds the person to the suppression list.
   * @returns undefined if there is no such person; "names the person" if the reason contains a name or an identifier of the
   * person.
   */
  hide(
    subject: ErasureSubject,
    order?: ErasureOrder,
  ): Promise<ErasureReceipt | "names the person" | undefined>;
  /**
   * Removes the bytes of deleted data from the files. Only commands may call it, because it blocks the thread.
   * @param attempts the number of attempts, each at most 0.75 seconds; default 40.
   * @returns undefined on success; otherwise the reason of the failure, in words.
   */
  clean(attempts?: number): Promise<string | undefined>;
  /**
   * Adds newly known identifiers of erased people to the suppression list, and deletes rows that have such an identifier.
   * @param people the identifiers of each person. People who are not on the list are skipped.
   */
  extend(people: readonly (readonly Identifier[])[]): Promise<ExtendedErasures>;
  /** Lists unfinished erasures, oldest first. Their deleted bytes may still be in the files. */
  unfinished(): Promise<readonly ErasureReceipt[]>;
  finish(receiptId: string): Promise<void>;
  /** Returns all receipts, newest first. */
  receipts(): Promise<readonly ErasureReceipt[]>;
  findReceipt(receiptId: string): Promise<ErasureReceipt | undefined>;
  /** Returns the receipts of the erasures that suppress this login or address. */
  receiptsOf(subject: ErasureSubject): Promise<readonly ErasureReceipt[]>;
  /** Removes the entries that this erasure added to the suppression list. Deleted data is not restored. */
  undo(receiptId: string): Promise<void>;
  /** Returns the suppression list. `receiptIds` selects the entries of these erasures. */
  suppressionList(receiptIds?: readonly string[]): Promise<SuppressionList>;
  /**
   * Adds a suppression list from elsewhere, and deletes everyone on it. This is needed after a restore from a backup that is
   * older than an erasure.
   */
  adopt(list: SuppressionList): Promise<AdoptedErasures>;
  /** Returns a matcher for modules that store people outside the pool. */
  suppression(): Promise<SuppressionMatcher>;
}

export interface AdoptedErasures {
  /** The number of erasures that were new to the pool, or brought new identifiers. */
  readonly receipts: number;
  /** The number of visible developers that were deleted. */
  readonly developers: number;
}

export interface ExtendedErasures {
  /** Receipt ids of the erasures that suppress the given people. */
  readonly receipts: ReadonlySet<string>;
  /** Whether the suppression list has grown. */
  readonly isLonger: boolean;
}

/** Checks people against the suppression list synchronously. */
export interface SuppressionMatcher {
  isSuppressed(facts: Facts): boolean;
  holdsAuthorIdentity(author: NamedAddress): boolean;
}

/** A login, or an e-mail address. */
export type ErasureSubject = string;

export interface ErasureOrder {
  readonly reason?: string | undefined;
  /** Also suppresses a person who is not in the pool, so that no import can add them. */
  readonly evenIfUnknown?: boolean;
  /** Logins that the person's author identities would have if they were not merged. */
  readonly alsoLogins?: readonly string[];
  /** Further addresses of the person. Facts list only some addresses. */
  readonly alsoAddresses?: readonly string[];
  /** Pairs of name and address that identify the person only together. */
  readonly alsoAuthors?: readonly NamedAddress[];
  /** The number of the person's rows outside the pool. The receipt counts them too. */
  readonly alsoRows?: number;
}
