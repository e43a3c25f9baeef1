/**
 * The port that stores who changed which file in each git repository. Data are stored column by column, so that they can be read
 * fast.
 */
import type { KnownRule } from "../contract/people/ownership-rule.ts";

/** The entries of a repository: its commits by author date, then the reviews of pull or merge requests (`isReview`). */
export interface CommitColumns {
  /** The day of each entry, in days since 1970 (UTC). */
  readonly day: Uint16Array;
  /** The author of each entry, as a number within the repository. */
  readonly author: Uint32Array;
  /** The number of files that each entry changed, at most 65,535. */
  readonly files: Uint16Array;
  /** The `commitFlags` of each entry. */
  readonly flags: Uint8Array;
  /** People other than the author who took part in a commit, sorted by commit. */
  readonly others: {
    readonly commit: Uint32Array;
    readonly author: Uint32Array;
    /** Index into `participations`. */
    readonly kind: Uint8Array;
  };
  /** False if older commits are missing, as in a shallow clone. Undefined if this is unknown. */
  readonly isWhole?: boolean | undefined;
}

export const commitFlags = {
  /** The commit changes many files and adds as many lines as it deletes, as a formatter or a new license header does. */
  isMechanical: 1,
  /** The commit brings in or updates a tree from elsewhere, such as a library. */
  isImport: 2,
  /** The commit is marked as written with an AI assistant. */
  isAssisted: 4,
  /** The entry is a reviewed pull or merge request, not a commit. */
  isReview: 8,
  /** The commit counts in another repository, of which this one is a fork or a copy. */
  isElsewhere: 16,
} as const;

/** How a person took part in an entry. `counted` marks a reviewer whom the commit names too. */
export const participations = ["co-author", "reviewer", "counted"] as const;

export const pathFlags = {
  /** The newest tree contains the file. */
  isPresent: 1,
  /** The file is a manifest, a lock file or a change log. Updates of dependencies change such files. */
  isRoutine: 2,
  /** No change of the file counts, because others wrote it. */
  isVendored: 4,
  /** No change of the file counts, because a program wrote it. */
  isGenerated: 8,
} as const;

/** A run of files, sorted by path, with the changes of each file, oldest first. */
export interface PathBlock {
  readonly paths: readonly string[];
  /** The `pathFlags` of each path. */
  readonly flags: Uint8Array;
  /** The index of each path's first change. After the last path comes the number of changes. */
  readonly starts: Uint32Array;
  /** For each change, the number of its commit and the lines added and deleted (at most 65,535 each). */
  readonly commit: Uint32Array;
  readonly added: Uint16Array;
  readonly deleted: Uint16Array;
}

export const packageRelations = ["makes", "uses"] as const;
export type PackageRelation = (typeof packageRelations)[number];

export interface PackageFiles {
  /** The package as `ecosystem:name`. */
  readonly name: string;
  readonly relation: PackageRelation;
  /** Numbers of paths, ascending. Paths are numbered in the order of the blocks. */
  readonly paths: Uint32Array;
}

/** A repository whose history the tool `who_knows` reads. */
export interface KnownRepository {
  readonly id: number;
  /** `owner/name`, or the folder's name. */
  readonly name: string;
  readonly forge: string | undefined;
  /** The number of counted commits that changed a line. */
  readonly commits: number;
  /** The number of present files in which a counted commit changed a line. */
  readonly files: number;
  /** Day of the latest commit, in UTC days since 1970. */
  readonly lastDay: number;
}

export interface RepositoryAuthorship extends Omit<KnownRepository, "id"> {
  /** The repository's identity: its name with its forge. */
  readonly key: string;
  /** Changes whenever any of the stored data changes. */
  readonly fingerprint: string;
  readonly columns: CommitColumns;
  readonly blocks: Iterable<PathBlock>;
  readonly packages: Iterable<PackageFiles>;
}

/** The part of a repository that is read before its files: the commits, the authors' logins, and where each block begins. */
export interface AuthorshipHead {
  readonly columns: CommitColumns;
  /** The login of each author, in lower case. Undefined for an author whom answers must not name. */
  readonly logins: readonly (string | undefined)[];
  readonly blocks: readonly { readonly first: string; readonly number: number }[];
}

/** The rules in a repository's ownership files, limited to people who may be shown. */
export interface KnownOwnership {
  /** In the order of files and lines. */
  readonly rules: readonly KnownRule[];
  /** Numbers of authors without a known account. */
  readonly accountless: readonly number[];
}

export interface AuthorshipStore {
  /** Returns a text that changes whenever a process may have changed the pool. */
  edition(): Promise<string>;
  /** Lists repositories by name, then by forge. */
  repositories(): Promise<readonly KnownRepository[]>;
  /** @returns undefined if the repository no longer exists. */
  head(id: number): Promise<AuthorshipHead | undefined>;
  /** Reads only `logins` of the head. */
  logins(id: number): Promise<AuthorshipHead["logins"] | undefined>;
  /** @returns undefined if the repository has no known rules. */
  ownership(id: number): Promise<KnownOwnership | undefined>;
  /** Reads the blocks numbered `from` to `to`. Leaves out removed blocks. */
  blocks(id: number, from: number, to: number): Promise<readonly PathBlock[]>;
  /** Returns the files that make or use a package. `name` may include the ecosystem. Case is ignored. */
  packageFiles(name: string): Promise<readonly (PackageFiles & { readonly repository: number })[]>;
  /**
   * Returns the fingerprints of the stored repositories, by key.
   * @param only.whole also checks the stored data, and leaves out damaged repositories.
   */
  fingerprints(only?: { readonly whole: boolean }): Promise<ReadonlyMap<string, string>>;
  /** Stores a repository in short transactions. Requires the import lock. */
  replace(repository: RepositoryAuthorship): Promise<void>;
  /** Assigns logins to the authors, by their numbers. Leaves out logins that the pool does not show. */
  nameAuthors(key: string, logins: readonly (string | undefined)[]): Promise<void>;
  /** Stores the rules of the ownership files. Empty rules remove the stored rules. */
  stateOwnership(key: string, ownership: KnownOwnership): Promise<void>;
  /** Removes every repository that is not in `keys`. */
  keepOnly(keys: ReadonlySet<string>): Promise<void>;
}
