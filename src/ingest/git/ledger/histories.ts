/** Reads and writes the histories of locations: commits in segments, what paths mean, and the people that a history names. */
import type { Connection } from "../../../sqlite/connection.ts";
import { packValue, unpackValue } from "../commit/compact-bytes.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import type { History, HistoryNames, NamedPeople, PathMetadata } from "../read/history.ts";

type StoredHistory = Omit<History, "commits" | "roots" | "latest">;

export function readStoredHistory(sqlite: Connection, placeId: number): StoredHistory {
  const names = unpackValue<HistoryNames>(readRow(sqlite, placeId).names);
  return {
    names,
    metadata: readMetadata(sqlite, placeId),
    segments: readSegments(sqlite, placeId),
  };
}

export function readMetadata(sqlite: Connection, placeId: number): PathMetadata {
  const sense = unpackValue<PathMetadata>(readRow(sqlite, placeId).sense);
  const stored = { ...sense, ...readPeople(sqlite, placeId) };
  const edition = sqlite.readValue<string>`SELECT edition FROM place WHERE id = ${placeId}`;
  const isOlder = Number(/\/(\d+)$/.exec(edition ?? "")?.[1]) < mappedTrailersForm;
  return isOlder ? { ...stored, coAuthors: stored.coAuthors.map(withoutMailmap) } : stored;
}

export function readSegments(sqlite: Connection, placeId: number): readonly Uint8Array[] {
  return sqlite.readColumn`SELECT commits FROM segment WHERE place_id = ${placeId} ORDER BY sequence`;
}

export function readNamedPeople(sqlite: Connection, placeId: number): NamedPeople {
  return readPeople(sqlite, placeId) ?? readMetadata(sqlite, placeId);
}

/** Stores the people that a history names. Call it inside a transaction. */
export function writeNamedPeople(sqlite: Connection, placeId: number, people: NamedPeople): void {
  if (!readPeople(sqlite, placeId)) {
    const sense = packSense(readMetadata(sqlite, placeId));
    sqlite.execute`UPDATE history SET sense = ${sense} WHERE place_id = ${placeId}`;
  }
  storePeople(sqlite, placeId, people);
}

/** Writes a history whose first `stored` segments are already stored. Call it inside a transaction. */
export function writeHistory(
  sqlite: Connection,
  placeId: number,
  { names, metadata, segments }: StoredHistory,
  stored: number,
): void {
  sqlite.execute`
    INSERT INTO history (place_id, names, sense)
    VALUES (${placeId}, ${packValue(names)}, ${packSense(metadata)})
    ON CONFLICT (place_id) DO UPDATE SET names = excluded.names, sense = excluded.sense`;
  storePeople(sqlite, placeId, metadata);
  for (const [sequence, commits] of segments.entries()) {
    if (sequence < stored) continue;
    sqlite.execute`INSERT INTO segment (place_id, sequence, commits)
      VALUES (${placeId}, ${sequence}, ${commits})`;
  }
}

export function removeHistory(sqlite: Connection, placeId: number): void {
  for (const table of ["history", "history_people", "segment", "note"]) {
    sqlite.execute(`DELETE FROM ${table} WHERE place_id = ?`, placeId);
  }
}

function readRow(sqlite: Connection, placeId: number) {
  const history = sqlite.readRow<{ names: Uint8Array; sense: Uint8Array }>`
    SELECT names, sense FROM history WHERE place_id = ${placeId}`;
  if (!history) throw new Error(`Location ${placeId} has no history.`);
  return history;
}

function readPeople(sqlite: Connection, placeId: number): NamedPeople | undefined {
  const content = sqlite.readValue<Uint8Array>`
    SELECT content FROM history_people WHERE place_id = ${placeId}`;
  return content && unpackValue<NamedPeople>(content);
}

function storePeople(
  sqlite: Connection,
  placeId: number,
  { signatures, coAuthors, ownership }: NamedPeople,
): void {
  const content = packValue({ signatures, coAuthors, ownership });
  sqlite.execute`INSERT INTO history_people (place_id, content) VALUES (${placeId}, ${content})
    ON CONFLICT (place_id) DO UPDATE SET content = excluded.content`;
}

/** The first form that tells a trailer with two addresses from a person with a mailmap entry. */
const mappedTrailersForm = 8;

function withoutMailmap(named: SignedName | null): SignedName | null {
  return named && named.email !== named.rawEmail
    ? { name: "", email: named.rawEmail, rawEmail: named.rawEmail }
    : named;
}

function packSense({ signatures: _, coAuthors: __, ownership: ___, ...sense }: PathMetadata) {
  return packValue(sense);
}
