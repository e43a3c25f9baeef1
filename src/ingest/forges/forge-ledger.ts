/**
 * The port of forges.db: what forges said of accounts and public repositories, and how far each walk has come. People are
 * computed from this ledger and the ledger of git together, so it does not matter which was read first.
 */
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type {
  AccountFacts,
  ChangeContent,
  CommitAuthor,
  ForgePage,
  ForgeRepository,
  ForgeReview,
  ForgeSelection,
  ForgeStep,
  ReviewedChange,
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
  /** Lists that the last walk has still to read. */
  readonly openSteps: number;
}

/** Figures of a run: a walk, or as much of one as was possible. */
export interface SourceRun {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requests: number;
  /** What the forge says is left of its limit; undefined when it says nothing. */
  readonly remaining?: number | undefined;
  /** Accounts and repositories left out because they are not public. */
  readonly hidden: number;
  readonly suppressed: number;
  /** What stopped it, in words. */
  readonly fault?: string | undefined;
}

export interface KnownAccount extends AccountFacts {
  readonly source: string;
  readonly forge: string;
  /** Logins that it had, oldest first. */
  readonly formerLogins: readonly string[];
}

/** What identifies an account. The addresses are absent for an account that is known from a commit only. */
interface NumberedAccount extends Pick<KnownAccount, "forge" | "number" | "login"> {
  readonly addresses?: KnownAccount["addresses"];
  readonly formerLogins?: readonly string[];
}

/** How far the reviews of a repository were read. Instants are ISO 8601, UTC. */
export interface ReviewPlace {
  /** Number of the walk that read them to their end. */
  readonly walk?: number | undefined;
  /** Changes that were updated up to then are known. */
  readonly until?: string | undefined;
  /** Of a reading that has not come to its end: where it goes on, how many changes it has read, and when the latest was updated. */
  readonly open?:
    | { readonly cursor: string; readonly changes: number; readonly latest: string }
    | undefined;
}

/** A review by an account of its source. */
export interface KnownReview extends ForgeReview {
  readonly source: string;
  /** Number of the repository. */
  readonly repository: string;
  /** Number of the change in the repository. */
  readonly change: string;
  readonly content: ChangeContent;
}

/** A walk that has begun: it is complete when no step is left. */
export interface Walk {
  /** The first that is open; undefined when none is left. */
  nextStep(): ForgeStep | undefined;
  /**
   * Stores one page, and where its step goes on, in one transaction.
   *
   * @param isForgotten leaves accounts out.
   * @returns how many were left out.
   */
  save(step: ForgeStep, page: ForgePage, isForgotten: (account: KnownAccount) => boolean): number;
  /** Ends a step that the token may not read, or whose list is not there. */
  skip(step: ForgeStep): void;
  /** The repositories that this walk has seen, by number; others may no longer be public. */
  repositories(): readonly ForgeRepository[];
  /** How far the reviews of a repository were read; undefined once this walk has read them. */
  findReviewPlace(repository: string): ReviewPlace | undefined;
  /** Stores one page of changes, in place of what was known of them, and how far that is, in one transaction. Only accounts of the source count. */
  saveReviews(
    repository: string,
    changes: readonly ReviewedChange[],
    place: Omit<ReviewPlace, "walk">,
  ): void;
  /** What is known of the source, earlier walks included. */
  count(): { readonly people: number; readonly repositories: number };
  /** Numbers of the accounts that an earlier walk saw and this one has not, in order. */
  missing(): readonly string[];
  /**
   * Stores the forge's answers about missing accounts; undefined means that the account is gone. An account is removed when
   * it is gone twice, or in no list twice unless the source selects everybody.
   */
  settle(
    answers: ReadonlyMap<string, AccountFacts | undefined>,
    isForgotten: (account: KnownAccount) => boolean,
  ): void;
  /** Removes what a walk without open steps has not seen: repositories, and addresses of accounts that it has seen. */
  trim(): void;
  /** Ends a walk once the pool shows what it brought: until then, a run that was stopped goes on with it. */
  complete(at: string): void;
}

/** What people are computed from. */
export interface ForgeContent {
  /** Ordered by id. */
  sources(): readonly KnownSource[];
  /** Ordered by source and number. */
  accounts(): readonly KnownAccount[];
  repositories(): readonly (ForgeRepository & { readonly source: string })[];
  /** Ordered by source, repository and change. */
  reviews(): readonly KnownReview[];
  /** The accounts that sample commits showed, by address in lower case. */
  commitAuthors(source: string): ReadonlyMap<string, AddressOwner>;
}

export interface ForgeLedger extends ForgeContent {
  /**
   * Keeps other runs from reading this source. The system frees it when this process dies.
   *
   * @returns what releases it. @throws Fault source_busy, which names the holder.
   */
  lockWalk(source: string, since: Date): () => void;
  /** All of one moment, however much is written later. */
  content(): ForgeContent;
  /** Equal for equal content, whatever runs brought it. */
  fingerprint(): string;
  /** Which file this is, and how often it has changed: an older copy has changed less often. */
  state(): { readonly name: string; readonly changes: number };
  /** Adds a source, or changes how it is asked; with other selections the next walk begins anew. */
  addSource(source: ForgeSource & { readonly forge: string }): void;
  setNoreplyHost(source: string, host: string): void;
  /** @param pausedUntil ISO 8601, UTC. */
  noteRun(source: string, run: SourceRun, pausedUntil: string | undefined): void;
  /** Goes on with a walk that was interrupted, or begins one with these steps. */
  walk(source: string, steps: readonly ForgeStep[]): Walk;
  saveCommitAuthors(source: string, owners: ReadonlyMap<string, AddressOwner>): void;
  /** Takes away a source and everything that it said. @returns whether it was known. */
  forgetSource(source: string): boolean;
  /**
   * Erases accounts, everything about them, and what is known of addresses, and their bytes from the file.
   *
   * @returns how many accounts and addresses.
   */
  erase(people: {
    readonly isTheirAccount: (account: NumberedAccount) => boolean;
    /** In lower case. */
    readonly isTheirAddress: (address: string) => boolean;
  }): number;
}

export interface AddressOwner {
  readonly owner: CommitAuthor;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
}

/** As much of an account as identifies a person. */
export function toSubject({
  forge,
  login,
  number,
  formerLogins = [],
  addresses = [],
}: Pick<KnownAccount, "forge" | "login" | "number"> & Partial<KnownAccount>) {
  return {
    ...{ login, source: forge, formerLogins: [...formerLogins], profile: {} },
    accounts: [{ forge, login, id: number }],
    emails: addresses.map(({ address }) => ({ address, sources: [forge], published: false })),
    ...{ repositories: [], evidence: [] },
  };
}

/** `https://git.corp.example:3000/forge/` is `git.corp.example:3000/forge`. */
export function toForgeName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/(?<!\/)\/+$/, "").toLowerCase();
}
