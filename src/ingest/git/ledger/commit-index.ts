/** Indexes which locations contain which commits. A commit counts in only one repository. */
import type { Connection } from "../../../sqlite/connection.ts";
import { fingerprintSha } from "../commit/fingerprints.ts";
import { iterateFingerprints } from "../commit/stored-commits.ts";

const commitsAtOnce = 2_000_000;

/** Adds newly read commits to the index. If another location already has such a commit, marks both locations as changed. */
export function extendIndex(sqlite: Connection): void {
  while (indexSome(sqlite));
}

export function hasCommit(sqlite: Connection, place: number, sha: string): boolean {
  return (
    sqlite.readValue`SELECT 1 FROM commit_holder
      WHERE fingerprint = ${toCommitKey(fingerprintSha(sha))} AND place_id = ${place}` === 1
  );
}

export function readKin(sqlite: Connection): ReadonlyMap<number, ReadonlySet<number>> {
  const rows = sqlite.readRows<{ place: number; other: number }>`
    SELECT place_id AS place, other_id AS other FROM kin`;
  const found = new Map<number, Set<number>>();
  for (const { place, other } of rows) {
    found.getOrInsertComputed(place, () => new Set()).add(other);
  }
  return found;
}

/** Turns a commit's fingerprint into a key: a signed 64-bit number with 0 as its last bit. */
export function toCommitKey(sha: bigint): bigint {
  return BigInt.asIntN(64, sha & ~1n);
}

/** Turns the fingerprint of a content into a key, with 1 as its last bit. @package */
export function toContentKey(content: bigint): bigint {
  return BigInt.asIntN(64, content | 1n);
}

/** @returns false when no commit was left to index. */
function indexSome(sqlite: Connection): boolean {
  // SQLite drops temporary tables when the connection closes.
  sqlite.run(
    "CREATE TEMP TABLE IF NOT EXISTS fresh (fingerprint INTEGER NOT NULL, place_id INTEGER NOT NULL)",
  );
  sqlite.run("CREATE TEMP TABLE IF NOT EXISTS shared (fingerprint INTEGER PRIMARY KEY)");
  return sqlite.transact(() => {
    const added = collectFresh(sqlite);
    if (added === 0) return false;
    sqlite.run(
      `INSERT OR IGNORE INTO commit_holder
         SELECT fingerprint, place_id FROM fresh ORDER BY fingerprint, place_id`,
    );
    shareFresh(sqlite);
    sqlite.run("DELETE FROM fresh");
    return true;
  });
}

/** Fills the temporary table `fresh` with commits that are not indexed yet. @returns the number of these commits. */
function collectFresh(sqlite: Connection): number {
  const open = sqlite.readRows<{ place: number; sequence: number }>`
    SELECT place.id AS place, segment.sequence FROM segment JOIN place ON place.id = segment.place_id
    WHERE segment.sequence >= place.indexed ORDER BY place.id, segment.sequence`;
  const insert = sqlite.query("INSERT INTO fresh (fingerprint, place_id) VALUES (?, ?)");
  const advance = sqlite.query("UPDATE place SET indexed = ? WHERE id = ?");
  let added = 0;
  for (const { place, sequence } of open) {
    if (added >= commitsAtOnce) break;
    for (const { sha, content } of iterateFingerprints(readSegment(sqlite, place, sequence))) {
      insert.run(toCommitKey(sha), place);
      if (content !== undefined) insert.run(toContentKey(content), place);
      added += 1;
    }
    advance.run(sequence + 1, place);
  }
  return added;
}

function readSegment(sqlite: Connection, place: number, sequence: number): Uint8Array {
  const commits = sqlite.readValue<Uint8Array>`
    SELECT commits FROM segment WHERE place_id = ${place} AND sequence = ${sequence}`;
  if (!commits) throw new Error("A segment is missing that was there a moment ago.");
  return commits;
}

/** Marks the fresh commits that several locations contain. */
function shareFresh(sqlite: Connection): void {
  sqlite.run(
    `INSERT OR IGNORE INTO shared SELECT fingerprint FROM fresh WHERE EXISTS (
       SELECT 1 FROM commit_holder AS other
       WHERE other.fingerprint = fresh.fingerprint AND other.place_id <> fresh.place_id)`,
  );
  const { changes } = sqlite.execute(
    `INSERT OR IGNORE INTO shared_commit (place_id, fingerprint)
     SELECT place_id, fingerprint FROM shared CROSS JOIN commit_holder USING (fingerprint)`,
  );
  if (changes > 0) {
    sqlite.run(
      `INSERT OR IGNORE INTO kin SELECT one.place_id, other.place_id
       FROM shared CROSS JOIN commit_holder AS one USING (fingerprint)
         CROSS JOIN commit_holder AS other USING (fingerprint)
       WHERE one.place_id <> other.place_id`,
    );
    // Also marks locations that had the commit before, because another location may count it now.
    sqlite.run(
      `UPDATE place SET changes = changes + 1 WHERE id IN (
         SELECT holder.place_id FROM fresh CROSS JOIN shared USING (fingerprint)
           CROSS JOIN commit_holder AS holder USING (fingerprint))`,
    );
  }
  sqlite.run("DELETE FROM shared");
}

/** Removes a location's commits from the index. Call it inside a transaction, while the location's segments are still stored. */
export function removeFromIndex(sqlite: Connection, placeId: number): void {
  const segments = sqlite.readColumn<number>`
    SELECT segment.sequence FROM segment JOIN place ON place.id = segment.place_id
    WHERE place.id = ${placeId} AND segment.sequence < place.indexed`;
  const remove = sqlite.query("DELETE FROM commit_holder WHERE fingerprint = ? AND place_id = ?");
  for (const sequence of segments) {
    for (const { sha, content } of iterateFingerprints(readSegment(sqlite, placeId, sequence))) {
      remove.run(toCommitKey(sha), placeId);
      if (content !== undefined) remove.run(toContentKey(content), placeId);
    }
  }
  unshare(sqlite, placeId);
  sqlite.execute`UPDATE place SET indexed = 0 WHERE id = ${placeId}`;
}

/** Marks locations that share commits with this one as changed. Commits left in only one location are no longer shared. */
function unshare(sqlite: Connection, placeId: number): void {
  const { changes } = sqlite.execute`UPDATE place SET changes = changes + 1
    WHERE id IN (SELECT other_id FROM kin WHERE place_id = ${placeId})`;
  if (changes === 0) return;
  sqlite.execute`
    DELETE FROM shared_commit WHERE fingerprint IN (
      SELECT mine.fingerprint FROM shared_commit AS mine JOIN shared_commit AS theirs USING (fingerprint)
      WHERE mine.place_id = ${placeId} GROUP BY mine.fingerprint HAVING count(*) <= 2)`;
  sqlite.execute`DELETE FROM shared_commit WHERE place_id = ${placeId}`;
  sqlite.execute`DELETE FROM kin WHERE place_id = ${placeId} OR other_id = ${placeId}`;
}

/** Tells which commits of one repository are also in other repositories. */
export type OtherHolders = ReturnType<typeof readOthers>;

/** @param rankOf takes a location and returns its repository's rank in the order of counting. */
export function readOthers(
  sqlite: Connection,
  places: readonly number[],
  rankOf: (place: number) => number | undefined,
) {
  const own = new Set(places);
  const rank = rankOf(places[0] ?? 0) ?? 0;
  const shared = new Set<bigint>();
  const before = new Map<bigint, { readonly rank: number; readonly author: number | null }>();
  // Reads each number in two halves, since JavaScript's numbers have 53 bits.
  const rows = sqlite.query<
    { high: number; low: number; place: number; author: number | null },
    [number]
  >(
    `SELECT other.fingerprint >> 32 AS high, other.fingerprint & 4294967295 AS low, other.place_id AS place, other.author
     FROM shared_commit AS mine JOIN shared_commit AS other USING (fingerprint)
     WHERE mine.place_id = ? AND other.place_id <> mine.place_id`,
  );
  for (const mine of places) {
    for (const { high, low, place, author } of rows.iterate(mine)) {
      const theirs = rankOf(place);
      if (own.has(place) || theirs === undefined) continue;
      const key = BigInt.asUintN(64, (BigInt(high) << 32n) | BigInt(low));
      shared.add(key);
      const known = before.get(key);
      if (theirs >= rank || (known && known.rank <= theirs)) continue;
      before.set(key, { rank: theirs, author });
    }
  }
  const unsigned = (key: bigint) => BigInt.asUintN(64, key);
  return {
    /** Whether another repository contains the commit. */
    isShared: (sha: bigint) => shared.has(unsigned(toCommitKey(sha))),
    /** Returns the author's spelling in the repository that counts the commit; "nobody" if that author was forgotten. */
    firstAuthor: (sha: bigint): number | "nobody" | undefined => {
      const found = before.get(unsigned(toCommitKey(sha)));
      return found && (found.author ?? "nobody");
    },
    /** Whether an earlier repository contains a commit with the same content. */
    hasContent: (content: bigint) => before.has(unsigned(toContentKey(content))),
  };
}
