/** A proposal for a CODEOWNERS file. It has rows for folders without owners, and changes of outdated rows. */
import type { KnownOwner, KnownRule, UnreadOwnership } from "./ownership-rule.ts";

/** A person who knows some of the files of a row. */
export interface KnowingOwner {
  /** The login in lower case. */
  readonly login: string;
  /** The person's share of all knowledge about the row's files, 0 to 1. */
  readonly share: number;
}

/** A person whom a proposed row names as an owner. */
export interface ProposedOwner extends KnowingOwner {
  /** The owner as the row names it: `@account` or an address. Undefined means that no row can name the owner. */
  readonly word: string | undefined;
  readonly name: string;
}

/** @returns the owners as a row names them. The list is empty if a row could name only owners who know too little. */
export function listRowWords(owners: readonly ProposedOwner[]): readonly string[] {
  const sum = (some: readonly ProposedOwner[]) => some.reduce((all, { share }) => all + share, 0);
  const named = owners.filter(({ word }) => word !== undefined);
  return sum(named) * 2 < sum(owners) ? [] : named.flatMap(({ word }) => word ?? []);
}

/** Whether a team may be among the owners. On GitLab, an unknown login may be a group. */
export function hasTeam({ form, owners }: KnownRule): boolean {
  return owners.some(
    (owner) => "team" in owner || (form === "gitlab" && "login" in owner && !owner.person),
  );
}

/** @returns the owner in the syntax of a row: an address, `@login` or `@team`. */
export function formatOwnerWord(owner: KnownOwner): string {
  if ("email" in owner) return owner.email;
  return `@${"team" in owner ? owner.team : owner.login}`;
}

export interface GoneOwner {
  readonly owner: KnownOwner;
  /** Why the row loses the owner. */
  readonly reason: string;
  /** True if the owner left the repository. False if the owner is active in other parts of it. */
  readonly hasLeft: boolean;
}

export interface ProposedFolder<Owner> {
  /** The path of the folder. Empty means the whole repository. */
  readonly folder: string;
  /** The proposed owners, best first. */
  readonly owners: readonly Owner[];
  /** The number of lines in the files of the row. */
  readonly weight: number;
}

/** A change of a row whose owners no longer know the files. */
export interface ProposedChange<Owner> {
  readonly rule: KnownRule;
  readonly gone: readonly GoneOwner[];
  /** People to add to the owners who stay. */
  readonly joining: readonly Owner[];
}

export interface OwnersProposal<Owner = ProposedOwner> {
  /** ISO day. */
  readonly asOf: string;
  /** Proposed rows, sorted by path: a folder comes before the folders inside it. */
  readonly folders: readonly ProposedFolder<Owner>[];
  readonly changes: readonly ProposedChange<Owner>[];
  /** Folders that get no row because no pattern can name them. */
  readonly nameless: readonly string[];
  /** Top-level folders without an owner. The list is empty if most top-level folders lack owners. */
  readonly unowned: readonly ProposedFolder<Owner>[];
}

/** What a proposal must know about the current CODEOWNERS file. */
export interface PresentOwners {
  readonly file: string;
  /** The rules, in the order of their lines. */
  readonly rules: readonly KnownRule[];
  /** Whether a pattern can name the folder. */
  canName(folder: string): boolean;
  /** Whether a comment in the file already says who knows the folder. */
  isNoted(folder: string): boolean;
  /** All paths of the repository, including links and submodules. */
  readonly paths: readonly string[];
  /** Lines of the file that the forge ignores. */
  readonly ignored: readonly (UnreadOwnership & { readonly pattern: string })[];
  /**
   * Logins, addresses and `@names` of people who were active lately without changing files: they merged, or were added to
   * ownership files. Undefined means that a shallow clone does not show them.
   */
  readonly recent: ReadonlySet<string> | undefined;
}
