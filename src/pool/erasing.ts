/** The part of the pool's port that permanently erases people. */
import type { ErasureReceipt, SuppressionList } from "../contract/people/erasure-receipt.ts";
import type { Facts } from "../contract/people/facts.ts";
import type { Identifier, NamedAddress } from "./identifiers.ts";

export interface PoolErasure {
  /** Returns the logins of the person with this login or address; changes nothing. Empty if there is no such person. */
  find(subject: ErasureSubject): Promise<readonly string[]>;
  /** Returns the identifiers of this person that the pool knows, without former logins. */
  identifiersOf(subject: ErasureSubject): Promise<readonly Identifier[]>;
  /**
   * Deletes everything about a person and adds them to the suppression list, at once and for every process.
   *
   * @returns undefined if there is no such person; "names the person" if the reason contains the person's name or an
   *   identifier, which must not be stored.
   */
  hide(
    subject: ErasureSubject,
    order?: ErasureOrder,
  ): Promise<ErasureReceipt | "names the person" | undefined>;
  /**
   * Removes the bytes of deleted data from the files. Blocks this thread while it rewrites them, so only commands may call it.
   *
   * @param attempts how often to try while others read, at most 0.75 seconds each; default 40.
   * @returns why it failed, in words; undefined on success.
   */
  clean(attempts?: number): Promise<string | undefined>;
  /**
   * Adds to the suppression list newly known identifiers of people who are already on it, and deletes the rows
   * that have one of them. The erasures of these people are unfinished afterwards.
   *
   * @param people the identifiers of each person. People without an identifier on the list are skipped.
   */
  extend(people: readonly (readonly Identifier[])[]): Promise<ExtendedErasures>;
  /** Lists the erasures of which deleted bytes may still be in the files, oldest first. */
  unfinished(): Promise<readonly ErasureReceipt[]>;
  finish(receiptId: string): Promise<void>;
  /** Returns all receipts, newest first. */
  receipts(): Promise<readonly ErasureReceipt[]>;
  findReceipt(receiptId: string): Promise<ErasureReceipt | undefined>;
  /** Returns the receipts of the erasures that suppress this login or address. */
  receiptsOf(subject: ErasureSubject): Promise<readonly ErasureReceipt[]>;
  /** Removes the entries that this erasure added to the suppression list. Deleted data is not restored. */
  undo(receiptId: string): Promise<void>;
  /** Returns the suppression list, or only what these erasures added to it. */
  suppressionList(receiptIds?: readonly string[]): Promise<SuppressionList>;
  /**
   * Adds a suppression list that was stored elsewhere, and deletes everyone on it: the pool may have been restored from a backup
   * that is older than an erasure. Erasures that were new to this pool are unfinished afterwards.
   */
  adopt(list: SuppressionList): Promise<AdoptedErasures>;
  /** Returns a matcher for modules that store people outside the pool. `Import.put` checks the list itself. */
  suppression(): Promise<SuppressionMatcher>;
}

export interface AdoptedErasures {
  /** The number of erasures that the pool did not know, or of which it lacked identifiers. */
  readonly receipts: number;
  /** The number of visible developers deleted because of these erasures. */
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
  /** Checks one author identity. */
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
  /** Further addresses of the person, since facts list only some. */
  readonly alsoAddresses?: readonly string[];
  /** Pairs of name and address that identify the person only together. */
  readonly alsoAuthors?: readonly NamedAddress[];
  /** The number of the person's rows outside the pool, which the receipt also counts. */
  readonly alsoRows?: number;
}
