/** The rules of ownership files, in one shape for every form of such files. */

/** A login of the forge without `@`, an address, or `organisation/team` (on GitLab also a role, as `@maintainer`). */
export type StatedOwner =
  | { readonly login: string }
  | { readonly email: string }
  | { readonly team: string };

/** One rule; of a file, rules stand in the order of its lines. */
export interface OwnershipRule {
  /** Decides how patterns match; `folder` is an OWNERS file. */
  readonly form: "github" | "gitlab" | "folder";
  /** Path of the file in the repository. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** A glob as written, or a folder without slashes at its ends: `""` is the whole repository. */
  readonly pattern: string;
  /** Empty where the rule takes files out of ownership. */
  readonly owners: readonly StatedOwner[];
  /** Of a GitLab file; in lower case, since case does not distinguish sections. */
  readonly section?: string;
  /** Excludes files from its section, whatever other rules of the section say. */
  readonly isExclusion?: true;
  /** For a folder: rules of the folders above do not apply below it. */
  readonly isFinal?: true;
  /** For a folder: the rule is only for paths that match one of these. */
  readonly filter?: readonly PathFilter[];
}

/** Matches paths that contain these texts in this order, without overlap. */
export interface PathFilter {
  readonly texts: readonly string[];
  /** Whether the path must begin with the first text, and end with the last. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/** A line or file that could not be read. */
export interface UnreadOwnership {
  readonly file: string;
  /** Counted from 1; 0 for the whole file. */
  readonly line: number;
  readonly reason: string;
  /** A forge reads it. */
  readonly isLimit?: true;
}

export interface RepositoryOwnership {
  readonly rules: readonly OwnershipRule[];
  readonly unread: readonly UnreadOwnership[];
}

/** An owner and, if history shows the person, the lower-cased login. Teams have none. */
export type KnownOwner = StatedOwner & { readonly person?: string };

export interface KnownRule extends OwnershipRule {
  readonly owners: readonly KnownOwner[];
}
