/** What counting one repository gives, and what it needs to know of the others. */
import type { RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import type { Spelling } from "../commit/spelling.ts";
import type { CreditTally } from "../credit/credit-tallies.ts";
import type { MissingHistory } from "../repository/cut-history.ts";
import type { Tally } from "./author-tally.ts";

/** A commit of several authors, with an assistant, or stated to be without one. Its people are known only after the identify stage. */
export interface SharedCommit<Author> {
  readonly day: number;
  readonly author: Author;
  readonly coAuthors: readonly Author[];
  /** Ids of the agents that took part. */
  readonly agents: readonly string[];
  /** Whether a note says that none did. */
  readonly isUnassisted: boolean;
}

/** What was counted in one repository, by spelling of its authors. */
export interface RepositoryDigest {
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  readonly language: string | undefined;
  /** What the newest tree of each of its places states of owners, the fullest place first; null where it states none. */
  readonly ownership: readonly (RepositoryOwnership | null)[];
  readonly commits: number;
  readonly merges: number;
  /** Day of the newest commit by anybody, up to as-of; undefined without a dated one. */
  readonly lastDay: number | undefined;
  /** Non-merge commits by `name <email>` after the mailmap, one character per byte. */
  readonly authors: ReadonlyMap<string, number>;
  readonly tallies: ReadonlyMap<Spelling, Tally>;
  readonly shared: readonly SharedCommit<Spelling>[];
  readonly credits: readonly CreditTally<Spelling>[];
  /** Everyone whom the histories of its places name, by place, with the id of a commit where one is known. */
  readonly mentions: readonly AuthorMention[];
  /** Commits whose lines are not known. */
  readonly incomplete: number;
  /** What its places were read without; absent when a place has everything. */
  readonly missing: MissingHistory | undefined;
  /** Whether a place is incomplete, also where another one has everything. */
  readonly isLacking: boolean;
  /** Number of commits that were counted in another repository, and of commits by forgotten authors. */
  readonly elsewhere: number;
  readonly forgotten: number;
  /** Pairs of authors of the same commit: the number of the spelling in a repository counted before, and the one here. */
  readonly sameCommit: readonly (readonly [number, Spelling])[];
  /** Authors of the commits that other repositories hold too, by place: where the index lacks them. */
  readonly sharedAuthors: readonly SharedAuthor[];
}

export interface AuthorMention {
  readonly place: number;
  readonly spelling: Spelling;
  readonly sample: string | undefined;
  /** As in `Signature`. */
  readonly replaced?: readonly string[] | undefined;
}

export interface SharedAuthor {
  readonly place: number;
  readonly sha: bigint;
  readonly author: Spelling;
}
