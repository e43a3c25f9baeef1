/** What history proposes for a CODEOWNERS file: rows for folders without owners, and changes of rows that it contradicts. */
import type { KnownOwner, KnownRule, UnreadOwnership } from "./ownership-rule.ts";

/** A person who knows files of a row. */
export interface KnowingOwner {
  /** Lower-cased. */
  readonly login: string;
  /** The share of what is known of the row's files, 0 to 1. */
  readonly share: number;
}

/** The same, as a row or its comment names them. */
export interface ProposedOwner extends KnowingOwner {
  /** `@account`, or an address that the file already has; undefined if neither is known. */
  readonly word: string | undefined;
  readonly name: string;
}

/** @returns the names in a row for these people; none if the people with a name know less of it than the others. */
export function listRowWords(owners: readonly ProposedOwner[]): readonly string[] {
  const sum = (some: readonly ProposedOwner[]) => some.reduce((all, { share }) => all + share, 0);
  const named = owners.filter(({ word }) => word !== undefined);
  return sum(named) * 2 < sum(owners) ? [] : named.flatMap(({ word }) => word ?? []);
}

/** Whether the owners may be a team: a login of GitLab may be a group's. */
export function hasTeam({ form, owners }: KnownRule): boolean {
  return owners.some(
    (owner) => "team" in owner || (form === "gitlab" && "login" in owner && !owner.person),
  );
}

/** @returns an owner as a row names them. */
export function formatOwnerWord(owner: KnownOwner): string {
  if ("email" in owner) return owner.email;
  return `@${"team" in owner ? owner.team : owner.login}`;
}

export interface GoneOwner {
  readonly owner: KnownOwner;
  /** In words that follow the owner. */
  readonly reason: string;
  /** Whether they left the repository. The others are active elsewhere in it. */
  readonly hasLeft: boolean;
}

/** A folder without a row. */
export interface ProposedFolder<Owner> {
  /** Empty for the whole repository. */
  readonly folder: string;
  /** Best first. */
  readonly owners: readonly Owner[];
  /** The number of lines in the files of the row. */
  readonly weight: number;
}

/** A row of the file that history contradicts. */
export interface ProposedChange<Owner> {
  readonly rule: KnownRule;
  readonly gone: readonly GoneOwner[];
  /** To be added to the owners who stay. */
  readonly joining: readonly Owner[];
}

export interface OwnersProposal<Owner = ProposedOwner> {
  /** ISO day. */
  readonly asOf: string;
  /** By path: a folder comes before those in it. */
  readonly folders: readonly ProposedFolder<Owner>[];
  readonly changes: readonly ProposedChange<Owner>[];
  /** Folders that would get a row, but no pattern can name them. */
  readonly nameless: readonly string[];
  /** The top folders without an owner, in a repository where most have owners. */
  readonly unowned: readonly ProposedFolder<Owner>[];
}

/** What a proposal must know of the present file. */
export interface PresentOwners {
  /** Path of the file. */
  readonly file: string;
  /** In the order of its lines. */
  readonly rules: readonly KnownRule[];
  /** Whether a pattern can name a folder. */
  canName(folder: string): boolean;
  /** Whether a comment says already who knows a folder. */
  isNoted(folder: string): boolean;
  /** All paths of the repository, also of links and submodules. */
  readonly paths: readonly string[];
  /** Lines that the forge ignores. */
  readonly ignored: readonly (UnreadOwnership & { readonly pattern: string })[];
  /**
   * Lower-cased logins, and words of addresses, of people who lately merged or committed for others, which is no work on files. With an @:
   * names that were lately added to ownership files. Undefined for a shallow clone.
   */
  readonly recent: ReadonlySet<string> | undefined;
}
