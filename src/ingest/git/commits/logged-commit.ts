/** What one pass of `git log` tells of a commit. */

/** An author as the log spells it; one object per spelling and pass, so it can be a key. */
export interface Signature {
  /** After the mailmap. */
  readonly name: string;
  readonly email: string;
  /** As the commit says. */
  readonly rawEmail: string;
  /** `name <email>` after the mailmap, one character per byte: what `git shortlog -se` groups by. */
  readonly line: string;
}

export interface LoggedCommit {
  readonly sha: string;
  readonly parents: number;
  /** Author date in seconds since 1970; NaN when git could not read one. */
  readonly seconds: number;
  /** Committer date, likewise. */
  readonly committedSeconds: number;
  readonly author: Signature;
  /** Values of Co-authored-by trailers, as written. */
  readonly coAuthors: readonly string[];
  readonly message: string;
  readonly files: readonly FileChange[];
}

export interface FileChange {
  readonly path: string;
  /** Where it was before, when renamed or copied. */
  readonly from: string | undefined;
  readonly added: number;
  readonly deleted: number;
  readonly isNew: boolean;
  /** Only its content changed: not new, gone, renamed, or of another mode. */
  readonly edited: boolean;
  /** A regular file: no link and no submodule. */
  readonly regular: boolean;
  /** Names of its contents; empty where there is none. */
  readonly before: string;
  readonly after: string;
}
