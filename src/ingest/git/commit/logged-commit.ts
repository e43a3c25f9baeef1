/** A commit as `git log` prints it. */
import type { CreditKind } from "./stored-commit.ts";

/** An author as in the log; one object per author and pass, so that it can serve as a key. */
export interface Signature {
  /** After the mailmap; without the suffix of an agent. */
  readonly name: string;
  readonly email: string;
  /** Before the mailmap. */
  readonly rawEmail: string;
  /** `name <email>` after the mailmap, one character per byte: what `git shortlog -se` groups by. */
  readonly line: string;
  /** Hashes (`hashName`) of the names that the mailmap replaces by this one. */
  readonly replaced?: readonly string[];
}

/** A person as a signature or a trailer names them. */
export type SignedName = Omit<Signature, "line">;

/** Another text for each name with its addresses. */
export function formatSignedName({ name, email, rawEmail }: SignedName): string {
  return `${name} <${email}> ${rawEmail}`;
}

/** The part that a person other than the author had in a commit. */
export interface TrailerCredit {
  readonly kind: CreditKind;
  /** `Name <address>`. */
  readonly trailer: string;
}

export interface LoggedCommit {
  readonly sha: string;
  readonly parents: number;
  /** Author date in seconds since 1970; NaN when git could not read one. */
  readonly seconds: number;
  /** Committer date, likewise. */
  readonly committedSeconds: number;
  readonly author: Signature;
  readonly committerName: string;
  /** People of Co-authored-by trailers, as `Name <address>`. */
  readonly coAuthors: readonly string[];
  readonly credits: readonly TrailerCredit[];
  readonly message: string;
  readonly files: readonly FileChange[];
  /** Whether git has nothing to compare it with, at the boundary of a shallow clone: its files are unknown. */
  readonly isIncomplete: boolean;
}

export interface FileChange {
  readonly path: string;
  /** The earlier path, when renamed or copied. */
  readonly from: string | undefined;
  readonly added: number;
  readonly deleted: number;
  readonly isNew: boolean;
  /** Whether only the content changed: not added, deleted, renamed or given another mode. */
  readonly isEdited: boolean;
  /** Whether it is a regular file, not a link or a submodule. */
  readonly isRegular: boolean;
  /** Object ids of the contents before and after; empty when there is none, and for a submodule. */
  readonly before: string;
  readonly after: string;
}
