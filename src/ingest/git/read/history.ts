/**
 * The history of one repository as it is stored: commits as numbers, signatures, and the meaning of each path by the newest tree.
 */

import type { RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import type { Signature, SignedName } from "../commit/logged-commit.ts";
import type { ManifestDates } from "../evidence/manifest-log.ts";
import type { PathMeaning } from "../evidence/path-meaning.ts";
import type { PackageWindows } from "../evidence/windows.ts";
import type { MissingHistory } from "../repository/cut-history.ts";

/** Needed to continue recording where the last run ended. */
export interface HistoryNames {
  readonly paths: readonly string[];
  /** Hashes of the trailers, since their text names people. */
  readonly trailers: readonly string[];
  /** Numbers of paths as a flat list of pairs: from, to. */
  readonly renames: readonly number[];
  /** When manifests had which packages. */
  readonly manifestDates: ManifestDates;
}

/** Needed to count; the ledger stores it as JSON. */
export interface PathMetadata {
  readonly signatures: readonly StoredSignature[];
  /** By trailer: the person it names after the mailmap; null when there is none or it was erased. */
  readonly coAuthors: readonly (SignedName | null)[];
  /** By number: the ids of agents; absent in older forms, which do not know. */
  readonly agents?: readonly string[];
  /** The distinct meanings, and by path the number of its meaning. */
  readonly meanings: readonly PathMeaning[];
  readonly meaningOf: readonly number[];
  /** Fingerprints, in hexadecimal digits, of the commits that change only white space. */
  readonly whitespaceOnly: readonly string[];
  /** By the same fingerprints: the packages that commits added to manifests, as `ecosystem:package`. */
  readonly added: Readonly<Record<string, readonly string[]>>;
  /** When the repository had each package that its files import; absent in older forms, which do not know. */
  readonly windows?: PackageWindows;
  /** Which paths are in the newest tree: a bit for each, in base64; absent in older forms. */
  readonly newest?: string;
  /** Main language of the newest tree. */
  readonly language: string | undefined;
  /** What the newest tree states of owners; absent when it states nothing, and in older forms. */
  readonly ownership?: RepositoryOwnership | undefined;
  /** What it was read without; absent for a complete history. */
  readonly missing?: MissingHistory | undefined;
}

/** The part of the metadata that names people. */
export type NamedPeople = Pick<PathMetadata, "signatures" | "coAuthors" | "ownership">;

export interface StoredSignature extends Signature {
  /** Non-merge commits. */
  readonly commits: number;
  /** Id of one of its commits: the forge knows the account of its author. */
  readonly sample?: string | undefined;
  /** Set when the person was forgotten: the texts are empty, and the commits belong to no one. */
  readonly isErased?: true;
}

export interface History {
  readonly names: HistoryNames;
  readonly metadata: PathMetadata;
  /** Compressed commits; those of later runs follow those of earlier ones. */
  readonly segments: readonly Uint8Array[];
  readonly commits: number;
  /** Commits without parents. */
  readonly roots: readonly string[];
  /** The latest readable author date, in seconds. */
  readonly latest: number;
}
