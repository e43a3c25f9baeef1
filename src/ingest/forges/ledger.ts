/**
 * The port of forges.db: what forges said of accounts and public repositories, and how far each walk has come. People
 * are composed from it and from the ledger of git, as one function of both; so it does not matter which was read first.
 */
import type {
  AccountFacts,
  CommitAuthor,
  ForgeKind,
  ForgePage,
  ForgeRepository,
  ForgeSelection,
  ForgeStep,
} from "./forge.ts";

/** One forge as the operator named it. */
export interface ForgeSource {
  /** Small letters, digits, dots and dashes. */
  readonly id: string;
  readonly kind: ForgeKind;
  /** Where people open it, without a trailing slash. */
  readonly url: string;
  readonly selections: readonly ForgeSelection[];
}

export interface KnownSource extends ForgeSource {
  /** Host, with port and path where it has them: the first half of an account's key. */
  readonly forge: string;
  readonly noreplyHost: string | undefined;
  /** ISO 8601, UTC; undefined before the first walk that came to its end. */
  readonly completedAt: string | undefined;
  /** When a limit lets the walk go on; undefined when it is not paused. */
  readonly pausedUntil: string | undefined;
  readonly lastRun: SourceRun | undefined;
  readonly people: number;
  readonly repositories: number;
}

/** Figures of a walk. */
export interface SourceRun {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requests: number;
  /** What the forge says is left of its limit; undefined when it says nothing. */
  readonly remaining: number | undefined;
  /** Left out since not everybody may see them. */
  readonly hidden: number;
  readonly suppressed: number;
  /** What stopped it, or what it could not read, in words. */
  readonly fault: string | undefined;
}

export interface KnownAccount extends AccountFacts {
  readonly source: string;
  readonly forge: string;
  /** Logins that it had, oldest first. */
  readonly formerLogins: readonly string[];
}

/** A walk that has begun: complete when no step is left. */
export interface Walk {
  /** Open steps, in order. */
  steps(): readonly ForgeStep[];
  /**
   * Stores one page, and where its step goes on, in one transaction.
   *
   * @param isForgotten leaves accounts out, and is asked in the same moment.
   */
  save(step: ForgeStep, page: ForgePage, isForgotten: (account: AccountFacts) => boolean): void;
  /** A step that the token may not read, or that is not there: it is over. */
  skip(step: ForgeStep, reason: string): void;
  /** Numbers of the accounts that an earlier walk saw and this one did not. */
  missing(): readonly string[];
  /** What the forge says of a missing account; undefined: it is gone. Whoever is gone twice, or in no list twice, leaves. */
  settle(number: string, account: AccountFacts | undefined, hasLeft: boolean): void;
  /** Ends the walk, whether complete or not: open steps are kept. */
  end(run: SourceRun, pausedUntil?: string): void;
}

export interface ForgeLedger {
  /** Grows with every change of what people are composed from. */
  revision(): number;
  /** Ordered by id. */
  sources(): readonly KnownSource[];
  /** Adds a source, or changes what is known of it. */
  addSource(source: ForgeSource & { readonly forge: string }): void;
  setNoreplyHost(source: string, host: string): void;
  /** Goes on with a walk that was interrupted, or begins one with these steps. */
  walk(source: string, steps: readonly ForgeStep[]): Walk;
  /** Ordered by source and number. */
  accounts(): readonly KnownAccount[];
  repositories(): readonly (ForgeRepository & { readonly source: string })[];
  /** Accounts of authors by address in lower case, from sample commits. */
  authors(
    source: string,
  ): ReadonlyMap<string, { readonly author: CommitAuthor; readonly askedAt: string }>;
  saveAuthors(source: string, authors: ReadonlyMap<string, CommitAuthor>): void;
  forgetSource(source: string): void;
  /** Erases accounts and everything about them, and their bytes from the file. @returns how many. */
  erase(isTheirs: (account: KnownAccount) => boolean): number;
}
