/**
 * The port that stores for each git repository who changed which file: every counted commit, and for each file the lines
 * that each commit changed. Stored column by column, so that a million commits are read in milliseconds.
 */
import type { KnownRule } from "../contract/people/ownership-rule.ts";

/** One entry for each commit, oldest author date first; then one for each day of a change that a forge says was reviewed. */
export interface CommitColumns {
  /** UTC days since 1970. */
  readonly day: Uint16Array;
  /** Number of the author in this repository. */
  readonly author: Uint32Array;
  /** Files that it changed, at most 65,535. */
  readonly files: Uint16Array;
  /** Bits of `commitFlags`. */
  readonly flags: Uint8Array;
  /** Others who took part, sorted by commit. */
  readonly others: {
    readonly commit: Uint32Array;
    readonly author: Uint32Array;
    /** Index into `participations`. */
    readonly kind: Uint8Array;
  };
  /** Whether nothing older is missing, as in a shallow clone; undefined where an earlier version stored it. */
  readonly isWhole?: boolean | undefined;
}

export const commitFlags = {
  /** Changes many files by as many lines as it takes away: a formatter, a new header. */
  isMechanical: 1,
  /** Brings in a tree of new files. */
  isImport: 2,
  /** Marked as written with an AI assistant. */
  isAssisted: 4,
  /** No commit: a change of a forge, of which only the reviewers and files are known. */
  isReview: 8,
} as const;

/** How somebody took part in a commit of another author. Of a change of a forge: who is counted as reviewer of its commit. */
export const participations = ["co-author", "reviewer", "counted"] as const;

export const pathFlags = {
  /** The newest tree has it. */
  isPresent: 1,
  /** Touched by dependency updates: manifests, lock files, change logs. */
  isRoutine: 2,
} as const;

/** Files in the order of their paths by code unit, with their changes, oldest first. */
export interface PathBlock {
  readonly paths: readonly string[];
  /** Bits of `pathFlags`, by path. */
  readonly flags: Uint8Array;
  /** Where the changes of each path begin; one more entry says where the last end. */
  readonly starts: Uint32Array;
  /** By change: number of the commit, and lines added and deleted, at most 65,535. */
  readonly commit: Uint32Array;
  readonly added: Uint16Array;
  readonly deleted: Uint16Array;
}

/** How a repository has to do with a package. */
export const packageRelations = ["makes", "uses"] as const;
export type PackageRelation = (typeof packageRelations)[number];

export interface PackageFiles {
  /** `ecosystem:name`. */
  readonly name: string;
  readonly relation: PackageRelation;
  /** Numbers of paths, in the order of the blocks, rising. */
  readonly paths: Uint32Array;
}

/** A repository as `who_knows` names it. */
export interface KnownRepository {
  readonly id: number;
  /** `owner/name`, or the folder's name. */
  readonly name: string;
  readonly forge: string | undefined;
  /** Counted commits that changed a line: those that who_knows counts for the whole repository. */
  readonly commits: number;
  /** Files of the newest tree in which such a commit changed a line. */
  readonly files: number;
  /** Day of the latest commit, in UTC days since 1970. */
  readonly lastDay: number;
}

/** A repository to store. */
export interface RepositoryAuthorship extends Omit<KnownRepository, "id"> {
  /** Its identity: the name with its forge. */
  readonly key: string;
  /** Changes with everything below. */
  readonly fingerprint: string;
  readonly columns: CommitColumns;
  readonly blocks: Iterable<PathBlock>;
  readonly packages: Iterable<PackageFiles>;
}

/** What is needed to read some files of a repository. */
export interface AuthorshipHead {
  readonly columns: CommitColumns;
  /** By author: lower-cased login; undefined for bots, erased people, and people who are not in the pool. */
  readonly logins: readonly (string | undefined)[];
  /** The first path of each block, and the number of that path. */
  readonly blocks: readonly { readonly first: string; readonly number: number }[];
}

/** What the ownership files of a repository say, of those who may be shown. */
export interface KnownOwnership {
  /** In the order of files and lines. */
  readonly rules: readonly KnownRule[];
  /** Numbers of authors without a known account: an owner may be one of them under another address. */
  readonly accountless: readonly number[];
}

export interface AuthorshipStore {
  /** Another text whenever anything of the pool may have changed, by any process. */
  edition(): Promise<string>;
  /** By name, then forge. */
  repositories(): Promise<readonly KnownRepository[]>;
  /** @returns undefined when it was replaced or removed meanwhile. */
  head(id: number): Promise<AuthorshipHead | undefined>;
  /** The logins of `head` alone. */
  logins(id: number): Promise<AuthorshipHead["logins"] | undefined>;
  /** @returns undefined where no rule is known. */
  ownership(id: number): Promise<KnownOwnership | undefined>;
  /** Reads the blocks with these numbers, in order; those removed meanwhile are left out. */
  blocks(id: number, from: number, to: number): Promise<readonly PathBlock[]>;
  /** The files that have to do with a package, by repository; `name` with or without its ecosystem, ignoring case. */
  packageFiles(name: string): Promise<readonly (PackageFiles & { readonly repository: number })[]>;
  /**
   * Fingerprints of what is stored, by key.
   *
   * @param only.whole reads everything and leaves out what is damaged, which must be stored again.
   */
  fingerprints(only?: { readonly whole: boolean }): Promise<ReadonlyMap<string, string>>;
  /** Stores a repository in short transactions, and shows it by the last of them. Only under the lock of imports. */
  replace(repository: RepositoryAuthorship): Promise<void>;
  /**
   * Says who the authors are, by their numbers. Logins that the pool does not show are left out, so that a person
   * who was erased meanwhile does not come back.
   */
  nameAuthors(key: string, logins: readonly (string | undefined)[]): Promise<void>;
  /**
   * Stores the rules of the ownership files, and removes the stored ones when there are none. Erased people and people that
   * the pool does not show are left out.
   */
  stateOwnership(key: string, ownership: KnownOwnership): Promise<void>;
  /** Removes every repository but these. */
  keepOnly(keys: ReadonlySet<string>): Promise<void>;
}
