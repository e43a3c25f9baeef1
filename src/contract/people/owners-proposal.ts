/** What a repository's history proposes for its CODEOWNERS file: folders that nobody holds, and rows that it contradicts. */
import type { KnownOwner, KnownRule, UnreadOwnership } from "./ownership-rule.ts";

/** A person who knows files of a row. */
export interface KnowingOwner {
  /** Lower-cased. */
  readonly login: string;
  /** Of all that is known of the files that the row holds for, 0 to 1. */
  readonly share: number;
}

/** The same, as a row or its comment names them. */
export interface ProposedOwner extends KnowingOwner {
  /** `@account`, or an address that the file has already; undefined where neither is known. */
  readonly word: string | undefined;
  readonly name: string;
}

/** @returns what a row for these people names; nothing, where those whom it could name know less of it than the others. */
export function listRowWords(owners: readonly ProposedOwner[]): readonly string[] {
  const sum = (some: readonly ProposedOwner[]) => some.reduce((all, { share }) => all + share, 0);
  const named = owners.filter(({ word }) => word !== undefined);
  return sum(named) * 2 < sum(owners) ? [] : named.flatMap(({ word }) => word ?? []);
}

/** Whether others may be meant whom no history names: a login of GitLab may be a group's. */
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
  /** In words, to stand after the owner. */
  readonly reason: string;
  /** Whether they left the repository; the others are active elsewhere in it. */
  readonly hasLeft: boolean;
}

/** A folder that no row of the file holds. */
export interface ProposedFolder<Owner> {
  /** Empty for the whole repository. */
  readonly folder: string;
  /** Best first. */
  readonly owners: readonly Owner[];
  /** By the lines of the files that the row would hold for. */
  readonly weight: number;
}

/** A row of the file that history contradicts. */
export interface ProposedChange<Owner> {
  readonly rule: KnownRule;
  readonly gone: readonly GoneOwner[];
  /** To be named beside those who stay. */
  readonly joining: readonly Owner[];
}

export interface OwnersProposal<Owner = ProposedOwner> {
  /** ISO day. */
  readonly asOf: string;
  /** In the order of their paths: a folder before those in it. */
  readonly folders: readonly ProposedFolder<Owner>[];
  readonly changes: readonly ProposedChange<Owner>[];
  /** Folders that would get a row if a pattern could name them. */
  readonly nameless: readonly string[];
  /** The highest folders without any owner, where most of the repository has owners. */
  readonly unowned: readonly ProposedFolder<Owner>[];
}

/** What a proposal has to know of the present file. */
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
   * Lower-cased logins of who lately committed for others, or merged, which counts as no work on files, and words of their addresses;
   * and with an @ before them the names that ownership files lately got as owners. Undefined where the clone is shallow.
   */
  readonly recent: ReadonlySet<string> | undefined;
}
