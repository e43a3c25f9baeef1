/** The stored history of one repository: commits as numbers, signatures, and what each path means in the newest tree. */
import type { RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import type { Signature, SignedName } from "../commit/logged-commit.ts";
import type { ManifestDates } from "../evidence/manifest-log.ts";
import type { PathMeaning } from "../evidence/path-meaning.ts";
import type { PackageWindows } from "../evidence/windows.ts";
import type { MissingHistory } from "../repository/cut-history.ts";

/** What is needed to continue recording where the last run ended. */
export interface HistoryNames {
  readonly paths: readonly string[];
  /** Hashes of the trailers, because the texts of trailers name people. */
  readonly trailers: readonly string[];
  /** Renames as a flat list of pairs of path numbers: from, to. */
  readonly renames: readonly number[];
  readonly manifestDates: ManifestDates;
}

/** Everything that counting needs besides the commits. The ledger stores it as JSON. */
export interface PathMetadata {
  readonly signatures: readonly StoredSignature[];
  /** The person in each trailer, by number of the trailer; null if the trailer names nobody or an erased person. */
  readonly coAuthors: readonly (SignedName | null)[];
  /** Ids of agents, by number; undefined in older forms, which do not know agents. */
  readonly agents?: readonly string[];
  /** The distinct meanings of paths. For each path, `meaningOf` has an index into this list. */
  readonly meanings: readonly PathMeaning[];
  readonly meaningOf: readonly number[];
  /** Fingerprints, in hexadecimal digits, of the commits that change only white space. */
  readonly whitespaceOnly: readonly string[];
  /** Packages that each commit added to manifests, as `ecosystem:package`, by fingerprint of the commit. */
  readonly added: Readonly<Record<string, readonly string[]>>;
  /** When the repository used each package that its files import; undefined in older forms. */
  readonly windows?: PackageWindows;
  /** Which paths are in the newest tree: one bit for each path, in base64; undefined in older forms. */
  readonly newest?: string;
  readonly language: string | undefined;
  /** The code owners that files of the newest tree name; undefined without such files, and in older forms. */
  readonly ownership?: RepositoryOwnership | undefined;
  /** What is missing from the history; undefined for a complete history. */
  readonly missing?: MissingHistory | undefined;
}

export type NamedPeople = Pick<PathMetadata, "signatures" | "coAuthors" | "ownership">;

export interface StoredSignature extends Signature {
  /** Number of non-merge commits. */
  readonly commits: number;
  /** Id of one of the author's commits. A forge can tell the account behind the commit. */
  readonly sample?: string | undefined;
  /** Set after the person was erased. The texts are then empty, and the commits belong to nobody. */
  readonly isErased?: true;
}

export interface History {
  readonly names: HistoryNames;
  readonly metadata: PathMetadata;
  /** Compressed commits. Segments of later runs follow those of earlier runs. */
  readonly segments: readonly Uint8Array[];
  readonly commits: number;
  /** Ids of the commits without parents. */
  readonly roots: readonly string[];
  /** The latest author date, in seconds. */
  readonly latest: number;
}
