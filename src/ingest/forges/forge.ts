/**
 * The port of a forge, which the adapters of GitHub, GitLab and Gitea implement. An adapter turns answers into the facts below,
 * and drops everything else.
 */
import type { Static } from "@sinclair/typebox";
import type { Profile } from "../../contract/people/facts.ts";

export type ForgeSelection =
  | { readonly kind: "all" }
  | {
      /** The name of a team is `ORGANISATION/TEAM`. */
      readonly kind: "org" | "team" | "group" | "user";
      readonly name: string;
    }
  | {
      readonly kind: "search";
      /** The text of a search, in the forge's own search syntax. */
      readonly name: string;
      /** The most people to read; undefined: all people that the forge lists. */
      readonly limit?: number | undefined;
    };

/** An account that the forge shows to everybody. */
export interface AccountFacts {
  /** Number of the account at the forge. It stays the same when the login changes. */
  readonly number: string;
  readonly login: string;
  /** Whether the forge itself says that the account is no human. */
  readonly isBot: boolean;
  /** The texts of the profile, and `profileUrl`. Empty texts are left out. */
  readonly profile: Readonly<Static<typeof Profile>>;
  readonly addresses: readonly AccountAddress[];
}

export interface AccountAddress {
  readonly address: string;
  /** Whether the profile shows the address to everybody. An unpublished address is used only to match identities. */
  readonly isPublished: boolean;
}

export interface ForgeRepository {
  readonly number: string;
  /** Owner and name: `owner/name`, or `group/subgroup/name` on GitLab. */
  readonly name: string;
  /** Number of the owning account; undefined unless the owner is a person. */
  readonly owner: string | undefined;
  /** Addresses under which the repository can be opened or cloned. */
  readonly urls: readonly string[];
  readonly isFork: boolean;
  readonly stars?: number | undefined;
  readonly forks?: number | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** The main language, as the forge names it. */
  readonly language?: string | undefined;
  /** When the repository was last pushed to: ISO 8601, UTC. */
  readonly pushedAt?: string | undefined;
  readonly megabytes?: number | undefined;
}

export interface ForgeStep {
  /** The name of the list, for messages: "members of acme". No other list of the run has this name. */
  readonly name: string;
  readonly ask: string;
  /** The cursor of the next page to read; undefined at the beginning. */
  readonly cursor?: string | undefined;
}

/** The result of one request. The page and the cursor of the next page are stored in one transaction. */
export interface ForgePage {
  readonly accounts: readonly AccountFacts[];
  readonly repositories: readonly ForgeRepository[];
  /** Further addresses of accounts, by account number. */
  readonly addresses?: ReadonlyMap<string, readonly AccountAddress[]> | undefined;
  /** How many accounts and repositories were left out because they are not public. */
  readonly hidden: number;
  /** Cursor of the next page; undefined at the end of the list. */
  readonly next: string | undefined;
  /** Further lists to read, such as the repositories of the people on this page. */
  readonly steps?: readonly ForgeStep[] | undefined;
  /** Messages about entries of the list that cannot be read. */
  readonly warnings?: readonly string[] | undefined;
}

export const emptyPage: ForgePage = { accounts: [], repositories: [], hidden: 0, next: undefined };

/** A commit whose author's account the forge may know. */
export interface CommitSample {
  /** The repository, as owner/name. */
  readonly repository: string;
  /** The full commit id. */
  readonly commit: string;
}

/** The account of a commit's author. "nobody": the author has no account. "unknown commit": the commit is not found. */
export type CommitAuthor = Pick<AccountFacts, "number" | "login"> | "nobody" | "unknown commit";

/** A person's verdict on another person's change. */
export interface ForgeReview {
  readonly reviewer: string;
  readonly verdict: ReviewVerdict;
  /** UTC day of the review, YYYY-MM-DD. */
  readonly day: string;
}

/** The verdicts that count as a review. A comment alone is not a review. */
export const reviewVerdicts = ["approved", "changesRequested"] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/** What identifies a reviewed change in the history. */
export interface ChangeContent {
  /** Full ids of the change's last commit, and of the commit that merged the change. */
  readonly commits: readonly string[];
  /** Paths of the files that it changes, at most 100. */
  readonly paths: readonly string[];
  readonly files: number;
}

/** A merged or open change of a repository: a pull request or merge request. */
export interface ReviewedChange extends ChangeContent {
  readonly number: string;
  /** When the change was last updated: ISO 8601, UTC. */
  readonly updatedAt: string;
  /** The latest review of each reviewer; empty if the change was closed without a merge. */
  readonly reviews: readonly ForgeReview[];
}

/** One page of changes, latest update first. */
export interface ReviewPage {
  readonly changes: readonly ReviewedChange[];
  /** Cursor of the next page; undefined when no further page is needed. */
  readonly next: string | undefined;
}

export interface ForgeAdapter {
  /** Host of the forge's noreply addresses; undefined until an answer shows the host. */
  noreplyHost(): string | undefined;
  /** Turns selections into lists to read. @throws Fault `usage` for a selection that this kind of forge does not have. */
  steps(selections: readonly ForgeSelection[]): readonly ForgeStep[];
  readPage(step: ForgeStep): Promise<ForgePage>;
  /** @returns the accounts in the order of the numbers. An account that is gone or hidden is undefined. */
  readAccounts(numbers: readonly string[]): Promise<readonly (AccountFacts | undefined)[]>;
  /** Finds the authors of sample commits, in the order of the samples. */
  findCommitAuthors(samples: readonly CommitSample[]): Promise<readonly CommitAuthor[]>;
  /**
   * Reads the changes of a repository that were updated after an instant, with their reviews.
   * @param since ISO 8601, UTC. @throws MissingList when the repository does not exist.
   */
  readReviews(
    repository: Pick<ForgeRepository, "name">,
    from: { readonly cursor: string | undefined; readonly since: string },
  ): Promise<ReviewPage>;
  /** The most account numbers in one request, and the most samples. */
  readonly batch: { readonly accounts: number; readonly samples: number };
}

/** Thrown when the forge's rate limit asks for a longer wait than a run allows. */
export class ForgePause extends Error {
  override readonly name = "ForgePause";
  /** When the walk may continue, in milliseconds since 1970. */
  readonly until: number;
  constructor(until: number) {
    super(`The forge asks to wait until ${new Date(until).toISOString()}.`);
    this.until = until;
  }
}

/** Thrown when the token may not read one list. */
export class ForgeDenial extends Error {
  override readonly name = "ForgeDenial";
}

/** Thrown by adapters for a list that does not exist, such as the members of a deleted organization. */
export class MissingList extends Error {
  override readonly name = "MissingList";
}

/** Thrown when the server could not answer. A smaller query may succeed. */
export class ForgeOverload extends Error {
  override readonly name = "ForgeOverload";
}
