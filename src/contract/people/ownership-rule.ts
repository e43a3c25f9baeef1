/** The rules of ownership files, in one shape for all formats of these files. */

/** An owner as the file states it. A team is `organisation/team`, or on GitLab a role such as `@maintainer`. */
export type StatedOwner =
  | { readonly login: string }
  | { readonly email: string }
  | { readonly team: string };

export interface OwnershipRule {
  /** The format of the file. `folder` means a file named OWNERS. */
  readonly form: "github" | "gitlab" | "folder";
  readonly file: string;
  /** The number of the line, counted from 1. */
  readonly line: number;
  /** The glob as the file states it, or the path of a folder. `""` is the whole repository. */
  readonly pattern: string;
  /** The owners. An empty list removes the owners of the files that match. */
  readonly owners: readonly StatedOwner[];
  /** The section in a GitLab file. It is in lower case, because GitLab ignores case in names of sections. */
  readonly section?: string;
  /** The rule excludes its files from the section. */
  readonly isExclusion?: true;
  /** For an OWNERS file: rules of parent folders do not apply in this folder. */
  readonly isFinal?: true;
  /** For an OWNERS file: the rule applies only to paths that match one of these filters. */
  readonly filter?: readonly PathFilter[];
}

/** A filter for paths that contain these texts in this order, without overlap. */
export interface PathFilter {
  readonly texts: readonly string[];
  /** Whether the path must begin with the first text. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/** A line of an ownership file, or a complete file, that could not be read. */
export interface UnreadOwnership {
  readonly file: string;
  /** The number of the line, counted from 1. It is 0 if the complete file could not be read. */
  readonly line: number;
  readonly reason: string;
  /** The line exceeds a limit of Roster, but a forge reads it. */
  readonly isLimit?: true;
}

export interface RepositoryOwnership {
  readonly rules: readonly OwnershipRule[];
  readonly unread: readonly UnreadOwnership[];
}

/** An owner. `person` is the login of the developer who is this owner, in lower case. */
export type KnownOwner = StatedOwner & { readonly person?: string };

export interface KnownRule extends OwnershipRule {
  readonly owners: readonly KnownOwner[];
}
