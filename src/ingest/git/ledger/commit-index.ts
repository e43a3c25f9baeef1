/**
 * Which locations hold which commits: a commit counts in one repository only. The last bit of a fingerprint tells commits from
 * contents.
 */

import type { Connection } from "../../../sqlite/connection.ts";
import { fingerprintSha } from "../commit/fingerprints.ts";
import { iterateFingerprints } from "../commit/stored-commits.ts";

/** Commits added in one transaction; sorting so many takes some tens of megabytes. */
const commitsAtOnce = 2_000_000;

/** Adds the commits that were read since. What locations with commits that others turn out to hold are counted from has changed. */
export function extendIndex(sqlite: Connection): void {
  while (indexSome(sqlite));
}

/** Whether a location holds a commit. */
export function hasCommit(sqlite: Connection, place: number, sha: string): boolean {
  return (
    sqlite.readValue`SELECT 1 FROM commit_holder
      WHERE fingerprint = ${toCommitKey(fingerprintSha(sha))} AND place_id = ${place}` === 1
  );
}

/** By location, the locations that hold a commit of it too. */
export function readKin(sqlite: Connection): ReadonlyMap<number, ReadonlySet<number>> {
  const rows = sqlite.readRows<{ place: number; other: number }>`
    SELECT place_id AS place, other_id AS other FROM kin`;
  const found = new Map<number, Set<number>>();
  for (const { place, other } of rows) {
    found.getOrInsertComputed(place, () => new Set()).add(other);
  }
  return found;
}

/** A signed number of 64 bits, as SQLite has them. */
export function toCommitKey(sha: bigint): bigint {
  return BigInt.asIntN(64, sha & ~1n);
}

/** @package */
export function toContentKey(content: bigint): bigint {
  return BigInt.asIntN(64, content | 1n);
}

/** @returns whether more is left. */
function indexSome(sqlite: Connection): boolean {
  // A table of this connection: it is dropped with it.
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

/** Fills the table of fresh commits. @returns how many. */
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

/** Notes the fresh commits that several locations hold. */
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
    // Also those that held a commit before: another location may count it now.
    sqlite.run(
      `UPDATE place SET changes = changes + 1 WHERE id IN (
         SELECT holder.place_id FROM fresh CROSS JOIN shared USING (fingerprint)
           CROSS JOIN commit_holder AS holder USING (fingerprint))`,
    );
  }
  sqlite.run("DELETE FROM shared");
}

/** Takes the commits of a location out of the index, while its segments are still stored. Call it inside a transaction. */
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

/** What the others that hold a commit of this one are counted from has changed, and commits that only one of them holds are not shared. */
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

/** What the index knows of the commits of one repository: where else they are. */
export type OtherHolders = ReturnType<typeof readOthers>;

/** @param rankOf the rank of a repository in the order of counting, by one of its locations. */
export function readOthers(
  sqlite: Connection,
  places: readonly number[],
  rankOf: (place: number) => number | undefined,
) {
  const own = new Set(places);
  const rank = rankOf(places[0] ?? 0) ?? 0;
  const shared = new Set<bigint>();
  const before = new Map<bigint, { readonly rank: number; readonly author: number | null }>();
  // Read in halves: a number of JavaScript has 53 bits.
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
    /** Whether a location of another repository has the commit, whichever is counted first. */
    isShared: (sha: bigint) => shared.has(unsigned(toCommitKey(sha))),
    /** The author's spelling in the first repository before this one with the commit; "nobody" if that author was forgotten. */
    firstAuthor: (sha: bigint): number | "nobody" | undefined => {
      const found = before.get(unsigned(toCommitKey(sha)));
      return found && (found.author ?? "nobody");
    },
    /** Whether a repository before this one has a commit of the same content. */
    hasContent: (content: bigint) => before.has(unsigned(toContentKey(content))),
  };
}
