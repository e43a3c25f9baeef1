/** A commit as `git log` prints it. */
import type { CreditKind } from "./stored-commit.ts";

/** An author in the log. Every author has exactly one object, so the object can be a key. */
export interface Signature {
  /** The name after the mailmap, without the suffix of an agent. */
  readonly name: string;
  readonly email: string;
  /** The address before the mailmap. */
  readonly rawEmail: string;
  /** `name <email>` after the mailmap, one character per byte, as in `git shortlog -se`. */
  readonly line: string;
  /** Hashes of the names that the mailmap replaces by `name`. */
  readonly replaced?: readonly string[];
}

/** A person whom a signature or a trailer names. */
export type SignedName = Omit<Signature, "line">;

/** Formats a name and its addresses. Different people give different texts. */
export function formatSignedName({ name, email, rawEmail }: SignedName): string {
  return `${name} <${email}> ${rawEmail}`;
}

/** The part that a person other than the author had in a commit. */
export interface TrailerCredit {
  readonly kind: CreditKind;
  /** The person in the trailer, as `Name <address>`. */
  readonly trailer: string;
}

export interface LoggedCommit {
  readonly sha: string;
  readonly parents: number;
  /** Author date in seconds since 1970; NaN when git could not read one. */
  readonly seconds: number;
  /** Committer date in seconds since 1970; NaN when git could not read one. */
  readonly committedSeconds: number;
  readonly author: Signature;
  readonly committerName: string;
  /** Co-authors in trailers, each as `Name <address>`. */
  readonly coAuthors: readonly string[];
  readonly credits: readonly TrailerCredit[];
  readonly message: string;
  readonly files: readonly FileChange[];
  /** Whether the commit is at the boundary of a shallow clone. Its files are then unknown. */
  readonly isIncomplete: boolean;
}

export interface FileChange {
  readonly path: string;
  /** The path before a rename or copy; undefined otherwise. */
  readonly from: string | undefined;
  readonly added: number;
  readonly deleted: number;
  readonly isNew: boolean;
  /** Whether the commit changed only the content of the file, and neither the name nor the mode. */
  readonly isEdited: boolean;
  /** Whether the path is a regular file, not a link or a submodule. */
  readonly isRegular: boolean;
  /** Object id of the content before; empty for new files and submodules. */
  readonly before: string;
  readonly after: string;
}
