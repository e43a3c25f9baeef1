/** Reads the commits of a stored history from its compressed segments. */
import { ByteReader } from "./compact-bytes.ts";
import { toDayNumber } from "./day-number.ts";
import { readStoredCommit, readStoredHead, type StoredCommit } from "./stored-commit.ts";

/** Yields all commits, oldest author date first. Commits of the same second are ordered by id. */
export function* iterateCommits(segments: readonly Uint8Array[]): Generator<StoredCommit> {
  const reader = openSegments(segments);
  const found: { sha: bigint; seconds: number; at: number }[] = [];
  for (const { sha, seconds, at } of iterateHeads(reader)) {
    found.push({ sha, seconds: Number.isNaN(seconds) ? Number.NEGATIVE_INFINITY : seconds, at });
  }
  found.sort((a, b) =>
    a.seconds !== b.seconds ? (a.seconds < b.seconds ? -1 : 1) : a.sha < b.sha ? -1 : 1,
  );
  for (const { at } of found) {
    reader.at = at;
    yield readStoredCommit(reader);
  }
}

/** Yields the fingerprints of commits in a stored segment. `content` is undefined for a commit that cannot be a copy. */
export function* iterateFingerprints(segment: Uint8Array) {
  for (const head of iterateHeads(openSegments([segment]))) {
    const { sha, content, seconds, isMerge, isDisordered } = head;
    const isCountable = !isMerge && !isDisordered && toDayNumber(seconds) !== undefined;
    yield { sha, content: isCountable ? content : undefined };
  }
}

/** Finds single commits of a stored history by their fingerprints. */
export function openCommits(segments: readonly Uint8Array[]) {
  const reader = openSegments(segments);
  const places = new Map(iterateHeads(reader).map(({ sha, at }) => [sha, at]));
  return {
    has: (sha: bigint) => places.has(sha),
    find(sha: bigint): StoredCommit | undefined {
      const at = places.get(sha);
      if (at === undefined) return undefined;
      reader.at = at;
      return readStoredCommit(reader);
    },
  };
}

function openSegments(segments: readonly Uint8Array[]): ByteReader {
  return new ByteReader(Buffer.concat(segments.map((one) => Bun.zstdDecompressSync(one))));
}

function* iterateHeads(reader: ByteReader) {
  while (!reader.ended) {
    const length = reader.number();
    const at = reader.at;
    const head = readStoredHead(reader);
    reader.at = at + length;
    yield { ...head, at };
  }
}
