import { inArray } from "drizzle-orm";
import { type Card, type WrittenCard, writeCard } from "../../../contract/people/developer.ts";
import type { Statements } from "../../../postgres/database.ts";
import { toQueries } from "../../../postgres/run-awaited.ts";
import { parseStored } from "../../rows/unpack.ts";
import { poolTables } from "../tables.ts";

const { cards } = poolTables;

/** The most cards to cache. They take some 100 MB. */
const cachedMax = 32_768;

/**
 * Caches cards. Each call asks the database which rows still exist, because another node may have erased a developer.
 * @package
 * @returns a function that reads cards as JSON for answers: one for each row id, in order.
 */
export function createWrittenCards() {
  const cached = new Map<number, WrittenCard>();
  const readNew = async (orm: Statements, rowIds: number[]) => {
    if (rowIds.length === 0) return;
    const rows = await toQueries(orm).select().from(cards).where(inArray(cards.rowId, rowIds));
    for (const { rowId, card } of rows) {
      if (cached.size >= cachedMax) cached.delete(cached.keys().next().value as number);
      cached.set(rowId, writeCard(parseStored(card) as Card));
    }
  };
  const dropGone = async (orm: Statements, rowIds: number[]) => {
    if (rowIds.length === 0) return;
    const { rowId } = cards;
    const rows = await toQueries(orm).select({ rowId }).from(cards).where(inArray(rowId, rowIds));
    const there = new Set(rows.map((row) => row.rowId));
    for (const each of rowIds) if (!there.has(each)) cached.delete(each);
  };
  return async (orm: Statements, given: readonly (number | undefined)[]) => {
    const rowIds = given.filter((rowId) => rowId !== undefined);
    const known = rowIds.filter((rowId) => cached.has(rowId));
    const unknown = rowIds.filter((rowId) => !cached.has(rowId));
    await Promise.all([dropGone(orm, known), readNew(orm, unknown)]);
    return given.map((rowId) => (rowId === undefined ? undefined : cached.get(rowId)));
  };
}
