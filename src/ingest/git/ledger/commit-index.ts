/**
 * Which places hold which commits. A commit counts in one repository only, so a repository must know which of its commits others
 * hold, without reading them. Commits and their contents share one table: the last bit of a fingerprint tells them apart.
 */

import type { Connection } from "../../../sqlite/connection.ts";
import type { Database } from "../../../sqlite/database.ts";
import { Fingerprints, fingerprintSha } from "../commit/fingerprints.ts";
import { iterateFingerprints } from "../commit/stored-commits.ts";
import type { OtherHolders } from "../commits/repository-digest.ts";

export interface CommitIndex {
  /** Adds the commits that were read since. Places with commits that others turn out to hold must be counted again. */
  update(): void;
  /** Whether a place holds a commit. */
  has(place: number, sha: string): boolean;
  /** By place, the places that hold a commit of it too. */
  kin(): ReadonlyMap<number, ReadonlySet<number>>;
  /**
   * @param places of one repository.
   * @param rankOf the place of a repository in the order of counting, by one of its places.
   */
  others(places: readonly number[], rankOf: (place: number) => number | undefined): OtherHolders;
}

/** Takes the commits of a place out of the index, while its segments are still stored. Call it inside a transaction. */
export type Unindex = (placeId: number) => void;

/** Commits added in one transaction; sorting so many takes some tens of megabytes. */
const commitsAtOnce = 2_000_000;
/** From this share of new commits on, reading the whole index in order is faster than looking each of them up. */
const bulkShare = 1 / 20;

/** @package */
export function openCommitIndex({ sqlite }: Database): CommitIndex & { readonly unindex: Unindex } {
  return {
    update: () => {
      while (indexSome(sqlite));
    },
    has: (place, sha) =>
      sqlite.readValue`SELECT 1 FROM commit_holder
        WHERE fingerprint = ${toCommitKey(fingerprintSha(sha))} AND place_id = ${place}` === 1,
    unindex: (placeId) => unindex(sqlite, placeId),
    kin() {
      const found = new Map<number, Set<number>>();
      const rows = sqlite.readRows<{ place: number; other: number }>`
        SELECT place_id AS place, other_id AS other FROM kin`;
      for (const { place, other } of rows) {
        found.getOrInsertComputed(place, () => new Set()).add(other);
      }
      return found;
    },
    others: (places, rankOf) => readOthers(sqlite, places, rankOf),
  };
}

/** @package A signed number of 64 bits, as SQLite has them. */
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
    shareFresh(sqlite, added);
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

/** Notes the fresh commits that several places hold. */
function shareFresh(sqlite: Connection, added: number): void {
  const known = sqlite.readValue<number>`SELECT sum(commits) FROM place` ?? 0;
  const isBulk = added > known * bulkShare;
  sqlite.run(
    isBulk
      ? `INSERT OR IGNORE INTO shared
         SELECT fingerprint FROM commit_holder GROUP BY fingerprint HAVING count(*) > 1`
      : `INSERT OR IGNORE INTO shared SELECT fingerprint FROM fresh WHERE EXISTS (
           SELECT 1 FROM commit_holder AS other
           WHERE other.fingerprint = fresh.fingerprint AND other.place_id <> fresh.place_id)`,
  );
  const places = new Set<number>();
  const rows = sqlite.query<{ place: number }, []>(
    `INSERT OR IGNORE INTO shared_commit (place_id, fingerprint)
     SELECT place_id, fingerprint FROM shared CROSS JOIN commit_holder USING (fingerprint)
     RETURNING place_id AS place`,
  );
  for (const { place } of rows.all()) places.add(place);
  if (places.size > 0) {
    sqlite.run(
      `INSERT OR IGNORE INTO kin SELECT one.place_id, other.place_id
       FROM shared CROSS JOIN commit_holder AS one USING (fingerprint)
         CROSS JOIN commit_holder AS other USING (fingerprint)
       WHERE one.place_id <> other.place_id`,
    );
  }
  discount(sqlite, places);
  sqlite.run("DELETE FROM shared");
}

function discount(sqlite: Connection, places: Iterable<number>): void {
  const mark = sqlite.query("UPDATE place SET is_counted = 0 WHERE id = ?");
  for (const place of places) mark.run(place);
}

function unindex(sqlite: Connection, placeId: number): void {
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

/** The other places that hold a commit of this one are counted again, and commits that only one of them holds are not shared. */
function unshare(sqlite: Connection, placeId: number): void {
  const kin = sqlite.readColumn<number>`SELECT other_id FROM kin WHERE place_id = ${placeId}`;
  if (kin.length === 0) return;
  discount(sqlite, kin);
  sqlite.execute`
    DELETE FROM shared_commit WHERE fingerprint IN (
      SELECT mine.fingerprint FROM shared_commit AS mine JOIN shared_commit AS theirs USING (fingerprint)
      WHERE mine.place_id = ${placeId} GROUP BY mine.fingerprint HAVING count(*) <= 2)`;
  sqlite.execute`DELETE FROM shared_commit WHERE place_id = ${placeId}`;
  sqlite.execute`DELETE FROM kin WHERE place_id = ${placeId} OR other_id = ${placeId}`;
}

function readOthers(
  sqlite: Connection,
  places: readonly number[],
  rankOf: (place: number) => number | undefined,
): OtherHolders {
  const own = new Set(places);
  const rank = rankOf(places[0] ?? 0) ?? 0;
  const shared = new Fingerprints();
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
    isShared: (sha) => shared.find(unsigned(toCommitKey(sha))) !== undefined,
    firstAuthor: (sha) => {
      const found = before.get(unsigned(toCommitKey(sha)));
      return found && (found.author ?? "nobody");
    },
    hasContent: (content) => before.has(unsigned(toContentKey(content))),
  };
}
