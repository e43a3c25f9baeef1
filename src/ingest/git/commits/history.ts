/**
 * The history of one repository in a form that can be kept and counted again: numbers for commits, a
 * list of signatures, and what each path means by the newest tree. Not kept: messages, and any diff.
 */

import type { PathMeaning } from "../repository/newest-tree.ts";
import { ByteReader, type KeptCommit, readKeptCommit, readKeptHead } from "./kept-commit.ts";
import type { Signature } from "./logged-commit.ts";

/** Needed to go on recording where the last reading ended. */
export interface HistoryNames {
  readonly paths: readonly string[];
  /** Of the trailers: hashes, since the text names people. */
  readonly trailers: readonly string[];
  /** Numbers of paths, in pairs that lie flat: from, to. */
  readonly renames: readonly number[];
}

/** Needed to count. */
export interface PathMetadata {
  readonly signatures: readonly KeptSignature[];
  /** By trailer: what it names after the mailmap; null when that is nobody. */
  readonly coAuthors: readonly (Omit<Signature, "line"> | null)[];
  /** Different meanings, and by path the number of its meaning. */
  readonly meanings: readonly PathMeaning[];
  readonly meaningOf: readonly number[];
  /** Commits that change white space only: fingerprints of their names, in hexadecimal digits. */
  readonly whitespaceOnly: readonly string[];
  /** What commits added to manifests, `ecosystem:package`, by the same fingerprints. */
  readonly added: Readonly<Record<string, readonly string[]>>;
  /** Main language of the newest tree. */
  readonly language: string | undefined;
}

export interface KeptSignature extends Signature {
  /** Non-merge commits. */
  readonly commits: number;
  /** Somebody had it erased: its texts are empty, and its commits are nobody's. */
  readonly isErased?: true;
}

export interface History {
  readonly names: HistoryNames;
  readonly metadata: PathMetadata;
  /** Kept commits, compressed; those of a later reading follow those of an earlier one. */
  readonly segments: readonly Uint8Array[];
  readonly commits: number;
  /** Commits without parents. */
  readonly roots: readonly string[];
  /** The latest author date that can be read, in seconds; by it one sees whether as-of matters. */
  readonly latest: number;
}

/**
 * Every commit once, oldest author date first, then by name: an order that does not depend on how the
 * history was read, in one go or in many.
 */
export function* iterateCommits(segments: readonly Uint8Array[]): Generator<KeptCommit> {
  const bytes = Buffer.concat(segments.map((segment) => Bun.zstdDecompressSync(segment)));
  const reader = new ByteReader(bytes);
  const found: { sha: bigint; seconds: number; at: number }[] = [];
  while (!reader.ended) {
    const length = reader.number();
    const at = reader.at;
    const head = readKeptHead(reader);
    if (Number.isNaN(head.seconds)) head.seconds = Number.NEGATIVE_INFINITY;
    found.push({ ...head, at });
    reader.at = at + length;
  }
  found.sort((a, b) =>
    a.seconds !== b.seconds ? (a.seconds < b.seconds ? -1 : 1) : a.sha < b.sha ? -1 : 1,
  );
  for (const { at } of found) {
    reader.at = at;
    yield readKeptCommit(reader);
  }
}
