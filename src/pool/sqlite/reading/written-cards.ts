import { type Card, type WrittenCard, writeCard } from "../../../contract/people/developer.ts";
import type { Database } from "../../../sqlite/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import { parseStored } from "../../rows/unpack.ts";
import type { RowFinder } from "./row-finder.ts";

/** The most cards to cache. They take about 50 MB. */
const cachedMax = 32_768;

/**
 * Reads cards as JSON for answers, and caches them. The cache is emptied when the revision of the pool changes. Plain SQLite
 * statements are used, because drizzle takes longer.
 * @package
 */
export function createWrittenCards(store: Database, rows: RowFinder) {
  const { sqlite } = store;
  const revisions = sqlite.prepare<{ revision: number }, []>("SELECT revision FROM pool_state");
  const texts = sqlite.prepare<{ card: string }, [number]>(
    "SELECT card FROM card WHERE row_id = ?",
  );
  const revision = () => revisions.get()?.revision ?? 0;
  const cards = new Map<number, WrittenCard>();
  const rowIds = new Map<string, number>();
  const followPool = createFollower(store, revision, () => {
    cards.clear();
    rowIds.clear();
  });
  /** Works like `RowFinder.find`. */
  const findRow = (login: string) => {
    followPool();
    const key = toLoginKey(login);
    return rowIds.get(key) ?? keep(rowIds, key, rows.find(login));
  };
  const readOne = (rowId: number) => {
    const known = cards.get(rowId);
    if (known) return known;
    const stored = texts.get(rowId);
    return stored ? keep(cards, rowId, writeCard(parseStored(stored.card) as Card)) : undefined;
  };
  /** Returns one card for each row id, in order. */
  const read = (ids: readonly number[]) => {
    followPool();
    return ids.map(readOne);
  };
  const find = (login: string) => {
    const rowId = findRow(login);
    return rowId === undefined ? undefined : readOne(rowId);
  };
  return { revision, findRow, read, find };
}

/** Adds to a cache. A full cache drops its oldest entry. */
function keep<Key, Value>(cached: Map<Key, Value>, key: Key, value: Value | undefined) {
  if (value === undefined) return undefined;
  if (cached.size >= cachedMax) cached.delete(cached.keys().next().value as Key);
  cached.set(key, value);
  return value;
}

/** @returns a function that calls `forget` if the pool has changed since the last call. */
function createFollower({ sqlite }: Database, revision: () => number, forget: () => void) {
  let isSameTurn = false;
  let seenRevision = -1;
  let seenOwn = -1;
  const endTurn = () => {
    isSameTurn = false;
  };
  return () => {
    const own = sqlite.changes;
    if (isSameTurn && own === seenOwn) return;
    const now = revision();
    if (now !== seenRevision) forget();
    seenRevision = now;
    seenOwn = own;
    isSameTurn = true;
    setImmediate(endTurn);
  };
}
