/** What the ledger keeps of the spellings of authors, and what links them. */
import type { Selector } from "../../../identity/selector.ts";
import type { Link } from "../identity/links.ts";
import type { Spelling } from "../identity/spelling.ts";

/** A spelling with a commit, a part in one, or the account of a forge. */
export interface StoredSpelling extends Spelling {
  readonly id: number;
  /** `forge#number` of the account that it comes from; undefined for a spelling of commits. */
  readonly persona: string | undefined;
  /** The account that a forge gives for its address. */
  readonly told: string | undefined;
  readonly person: number | undefined;
  /** Non-merge commits, and the dates of the earliest and latest in seconds. */
  readonly commits: number;
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly routine: number;
  /** Whether it has a counted commit or a part in one. */
  readonly isWork: boolean;
  /** Names of the repositories in which it occurs. */
  readonly repositories: readonly string[];
  /** Names that a mailmap replaces by it (`hashName`). */
  readonly replaced: readonly string[];
}

export interface SpellingRows {
  /** The number of a spelling, which is added if it is new. */
  number(spelling: Spelling): number;
  find(spelling: number): Spelling | undefined;
  /** Names of the repositories with commits that name it, in trailers too. */
  mentionedIn(spelling: number): readonly string[];
  /** Those that occur in a repository. */
  in(repository: number): readonly number[];
  touch(spellings: Iterable<number>): void;
  /** Touches them and all that are linked with them now: for those that are about to lose a link. */
  touchWithNeighbours(spellings: readonly number[]): void;
  /**
   * Marks its person, who may have other facts now, and is the same as before.
   *
   * @param who whether that is so for anybody, or for a human.
   */
  due(spelling: number, who: "anybody" | "human"): void;
  /** Marks the people whom trailers of these spellings credit. */
  touchCredited(named: ReadonlySet<number>): void;
  touched(): readonly number[];
  /** Removes those to which nothing refers any more. */
  sweep(spellings: Iterable<number>): void;
  /** All that chains of links connect with these, themselves included. */
  connected(spellings: Iterable<number>): ReadonlySet<number>;
  /**
   * Divides these spellings, with all that chains of links connect with them, so that no link connects two parts: each part can
   * be identified by itself.
   */
  parts(spellings: Iterable<number>): Iterable<ReadonlySet<number>>;
  /** Every spelling that identity is judged by. */
  all(): readonly number[];
  /** @returns only those that identity is judged by, in order of their numbers. */
  read(spellings: ReadonlySet<number> | "all"): readonly StoredSpelling[];
  /** Those that a selector may match; exact matching is the caller's. */
  fitting(selector: Selector): readonly number[];
  /** Those without links. */
  unlinked(): readonly number[];
  /** @param account that its address names, as `forge/login`. */
  link(spelling: number, links: readonly Link[], account: string | undefined): void;
  /** Has the links of every spelling made anew, and everybody identified again. */
  unlinkAll(): void;
  linkedBy(key: number): readonly number[];
  /** Takes its links away until they are made anew, and touches everybody whom they connect with it. */
  relink(spelling: number): void;
  addLink(spelling: number, link: Link): void;
  unlink(key: number): void;
  /** Those that come from forges. */
  personas(): readonly (StoredSpelling & { readonly digest: string })[];
  addPersona(spelling: Spelling, account: string, digest: string): void;
  setPersonaDigest(spelling: number, digest: string): void;
  removePersona(spelling: number): void;
  setTold(spelling: number, told: string | undefined): void;
  /** Those that were touched have been identified. */
  settle(touched: ReadonlySet<number>): void;
}
