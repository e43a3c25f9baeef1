/** The part of the port that erases people for good. */
import type { ErasureReceipt, SuppressionList } from "../contract/people/erasure-receipt.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Identifier, NamedAddress } from "./identifiers.ts";

export interface PoolErasure {
  /** The logins of the person that a login or an address means; changes nothing. Empty when there is none. */
  find(subject: ErasureSubject): Promise<readonly string[]>;
  /** Everything by which `hide` would suppress the person, but for what the order adds. */
  identifiersOf(subject: ErasureSubject): Promise<readonly Identifier[]>;
  /**
   * Deletes everything about a person and adds them to the suppression list, at once and for every process.
   *
   * @returns undefined when there is no such person; "names the person" when the reason contains a name or identifier
   *   of the person, which must not be stored.
   */
  hide(
    subject: ErasureSubject,
    order?: ErasureOrder,
  ): Promise<ErasureReceipt | "names the person" | undefined>;
  /**
   * Removes the bytes of deleted data from the files. Blocks this thread for as long as it takes to rewrite them: for commands only.
   *
   * @param attempts how often to try while others read, at most 0.75 seconds each; default 40.
   * @returns what prevented it, in words; undefined on success.
   */
  clean(attempts?: number): Promise<string | undefined>;
  /**
   * Adds to the list what else is known of people who are on it, by a source that was read since, and deletes what the pool has
   * of that. Their erasures are unfinished afterwards.
   *
   * @param people identifiers of one person each; people without any identifier on the list are left out. As with `hide`, an entry
   *   of the pool that has one of them is of the same person.
   */
  extend(people: readonly (readonly Identifier[])[]): Promise<ExtendedErasures>;
  /** Erasures that may still have old bytes in the files, oldest first. */
  unfinished(): Promise<readonly ErasureReceipt[]>;
  finish(receiptId: string): Promise<void>;
  /** Newest first. */
  receipts(): Promise<readonly ErasureReceipt[]>;
  findReceipt(receiptId: string): Promise<ErasureReceipt | undefined>;
  /** The receipts of the erasures that suppress this login or address. */
  receiptsOf(subject: ErasureSubject): Promise<readonly ErasureReceipt[]>;
  /** Removes what this erasure added to the suppression list; deleted data stays deleted. */
  undo(receiptId: string): Promise<void>;
  /** The suppression list, or the part of it that these erasures added. */
  suppressionList(receiptIds?: readonly string[]): Promise<SuppressionList>;
  /**
   * Takes over a suppression list that was kept elsewhere, and deletes everybody in the pool that it names: a pool that was
   * restored may be older than an erasure. Erasures that were new here are unfinished afterwards.
   */
  adopt(list: SuppressionList): Promise<AdoptedErasures>;
  /** For modules that store people outside the pool; `Import.put` checks by itself. */
  suppression(): Promise<SuppressionMatcher>;
}

export interface AdoptedErasures {
  /** Erasures that were not known here, or not in full. */
  readonly receipts: number;
  /** Visible developers that were deleted because of them. */
  readonly developers: number;
}

export interface ExtendedErasures {
  /** Erasures that suppress these people. */
  readonly receipts: ReadonlySet<string>;
  /** Whether anything was new. */
  readonly isLonger: boolean;
}

/** Checks people against the suppression list, synchronously. */
export interface SuppressionMatcher {
  isSuppressed(facts: Facts): boolean;
  /** The same for one author identity. */
  holdsAuthorIdentity(author: NamedAddress): boolean;
}

/** A login, or an e-mail address. */
export type ErasureSubject = string;

export interface ErasureOrder {
  readonly reason?: string | undefined;
  /** Also suppress someone who is not in the pool, so that no import can add them. */
  readonly evenIfUnknown?: boolean;
  /** Logins that the person's rows had before they were merged. */
  readonly alsoLogins?: readonly string[];
  /** Further addresses of the person: facts hold only so many. */
  readonly alsoAddresses?: readonly string[];
  /** Names with addresses that identify the person only together. */
  readonly alsoAuthors?: readonly NamedAddress[];
  /** Rows of the person outside the pool, which the receipt counts too. */
  readonly alsoRows?: number;
}
