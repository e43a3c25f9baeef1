/**
 * The port of a forge: what the adapters of GitHub, GitLab and Gitea read. An adapter turns answers into the facts below,
 * field by field, and drops everything else: private repositories, hidden accounts, IPs, notes and keys leave no trace.
 */
import type { Static } from "@sinclair/typebox";
import type { Profile } from "../../contract/people/facts.ts";

/** Selects the people of a source. `all` must be explicit, since it can mean everybody on a public forge. */
export type ForgeSelection =
  | { readonly kind: "all" }
  | {
      /** `team` is ORGANISATION/TEAM. */
      readonly kind: "org" | "team" | "group" | "user";
      readonly name: string;
    }
  | {
      readonly kind: "search";
      /** In the forge's own search syntax. */
      readonly name: string;
      /** The most people to read; undefined: all that the forge lists. */
      readonly limit?: number | undefined;
    };

/** One account that its forge shows to everybody. */
export interface AccountFacts {
  /** The forge's number, which survives a change of login. */
  readonly number: string;
  readonly login: string;
  /** Whether the forge itself says that it is no human. */
  readonly isBot: boolean;
  /** What the person wrote, and `profileUrl`; without empty texts. */
  readonly profile: Readonly<Static<typeof Profile>>;
  readonly addresses: readonly AccountAddress[];
}

export interface AccountAddress {
  readonly address: string;
  /** Whether the profile shows it to everybody. Other addresses are used only to match identities. */
  readonly isPublished: boolean;
}

/** One public repository. */
export interface ForgeRepository {
  readonly number: string;
  /** owner/name; GitLab's groups in between. */
  readonly name: string;
  /** Number of the owner, if the owner is a person. */
  readonly owner: string | undefined;
  /** The addresses that clones may have as their remote: web, HTTP and SSH. */
  readonly urls: readonly string[];
  readonly isFork: boolean;
  readonly stars?: number | undefined;
  readonly forks?: number | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** Main language as the forge names it. */
  readonly language?: string | undefined;
  /** ISO 8601, UTC. */
  readonly pushedAt?: string | undefined;
  readonly megabytes?: number | undefined;
}

/** One list to walk through, page by page. Only its adapter understands it; it must survive being stored. */
export interface ForgeStep {
  /** Unique within a run, and shown in messages: "members of acme". */
  readonly name: string;
  readonly ask: string;
  /** Where to go on; undefined at the beginning. */
  readonly cursor?: string | undefined;
}

/** The result of one request. It is stored in one transaction, together with the cursor of the next page. */
export interface ForgePage {
  readonly accounts: readonly AccountFacts[];
  /** Whole lists of one owner or of the forge; a repository may come again. */
  readonly repositories: readonly ForgeRepository[];
  /** Further addresses of accounts, by their number. */
  readonly addresses?: ReadonlyMap<string, readonly AccountAddress[]> | undefined;
  /** Accounts and repositories left out since not everybody may see them. */
  readonly hidden: number;
  /** Cursor of the next page; undefined at the end of the list. */
  readonly next: string | undefined;
  /** Further lists to read, such as the repositories of the people of this page. */
  readonly steps?: readonly ForgeStep[] | undefined;
  /** Texts on entries of the list that cannot be read. */
  readonly warnings?: readonly string[] | undefined;
}

/** A page without people and repositories, at the end of its list. */
export const emptyPage: ForgePage = { accounts: [], repositories: [], hidden: 0, next: undefined };

/** A commit of which the forge may know the author's account. */
export interface CommitSample {
  /** owner/name. */
  readonly repository: string;
  /** Whole id. */
  readonly commit: string;
}

/** The account of a commit's author; "nobody" has that address there, or the forge does not know the commit. */
export type CommitAuthor = Pick<AccountFacts, "number" | "login"> | "nobody" | "unknown commit";

/** A verdict of one person on another person's change, without texts and without who requested the review. */
export interface ForgeReview {
  /** Number of the reviewer's account. */
  readonly reviewer: string;
  readonly verdict: ReviewVerdict;
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
}

/** Comments alone are no review. */
export const reviewVerdicts = ["approved", "changesRequested"] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/** Where a reviewed change is found in the history. */
export interface ChangeContent {
  /** Whole ids under which the history may have it: its last commit, and the one that merged it. */
  readonly commits: readonly string[];
  /** Of the files that it changes, at most 100. */
  readonly paths: readonly string[];
  /** How many files it changes. */
  readonly files: number;
}

/** A merged or open change of a repository (pull request, merge request). */
export interface ReviewedChange extends ChangeContent {
  /** Its number in the repository. */
  readonly number: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** The latest of each reviewer; none for a change that was closed without being merged. */
  readonly reviews: readonly ForgeReview[];
}

/** Latest updated first. */
export interface ReviewPage {
  readonly changes: readonly ReviewedChange[];
  /** Cursor of the next page; undefined at the end of the list, or once a change is older than requested. */
  readonly next: string | undefined;
}

export interface ForgeAdapter {
  /** Host of noreply addresses, once an answer has shown it. */
  noreplyHost(): string | undefined;
  /** @throws Fault usage for a selection that this kind of forge does not have. */
  steps(selections: readonly ForgeSelection[]): readonly ForgeStep[];
  readPage(step: ForgeStep): Promise<ForgePage>;
  /**
   * Asks for accounts by number, since a login may belong to another account by now.
   * @returns them in order; undefined for an account that is gone or hidden.
   */
  readAccounts(numbers: readonly string[]): Promise<readonly (AccountFacts | undefined)[]>;
  /** In order. */
  findCommitAuthors(samples: readonly CommitSample[]): Promise<readonly CommitAuthor[]>;
  /**
   * Reads the changes of a repository that were updated after an instant, with their reviews.
   * @param since ISO 8601, UTC. @throws MissingList where there are none.
   */
  readReviews(
    repository: Pick<ForgeRepository, "name">,
    from: { readonly cursor: string | undefined; readonly since: string },
  ): Promise<ReviewPage>;
  /** How many samples, or numbers, one request asks for. */
  readonly batch: { readonly accounts: number; readonly samples: number };
}

/** The forge's rate limit is used up for longer than a run may wait. */
export class ForgePause extends Error {
  override readonly name = "ForgePause";
  /** When to go on, in milliseconds since 1970. */
  readonly until: number;
  constructor(until: number) {
    super(`The forge asks to wait until ${new Date(until).toISOString()}.`);
    this.until = until;
  }
}

/** The token may not read this, but it may read other things. */
export class ForgeDenial extends Error {
  override readonly name = "ForgeDenial";
}

/** Adapters throw it for a list that does not exist, such as the members of a deleted organisation. */
export class MissingList extends Error {
  override readonly name = "MissingList";
}

/** The server could not answer: a smaller question may succeed. */
export class ForgeOverload extends Error {
  override readonly name = "ForgeOverload";
}
