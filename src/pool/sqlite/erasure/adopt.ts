/**
 * Takes over erasures that this file does not know, because an older copy of it was put back: their hashes first, then
 * everybody whom they name is deleted. Only hashes are known of these people, so every row is examined.
 */
import { eq, inArray, sql } from "drizzle-orm";
import type { SuppressionList } from "../../../contract/people/erasure-receipt.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import {
  type Identifier,
  listIdentifiers,
  listKeptIdentifiers,
  listNames,
} from "../../identifiers.ts";
import type { AdoptedErasures } from "../../pool.ts";
import { isNamed } from "../../rows/names.ts";
import { unpackText } from "../../rows/pack-developer.ts";
import { toReceipt } from "../../rows/to-receipt.ts";
import { eraseDecisions } from "../decision-rows.ts";
import { streamRows } from "../reading/read-pool.ts";
import { dossiers, erasures, suppressed, suppressionSalts } from "../tables.ts";
import { purgeRows } from "./purge.ts";
import type { Suppression } from "./suppression.ts";

/** @package One transaction, so that a crash leaves the file as it was, and the next start repeats it. */
export function adoptErasures(
  store: Database,
  suppression: Suppression,
  list: SuppressionList,
): AdoptedErasures {
  const { orm } = store;
  const transact = (): AdoptedErasures => {
    const known = new Map(
      orm
        .select()
        .from(erasures)
        .all()
        .map((row) => [row.receiptId, row]),
    );
    const missing = list.erasures.filter(({ id }) => !known.has(id));
    const undone = list.erasures.filter(({ id, undoneAt }) => undoneAt && !known.get(id)?.undoneAt);
    addMissing(store, { ...list, erasures: missing });
    for (const { id, undoneAt } of undone) {
      suppression.remove(id);
      orm.update(erasures).set({ undoneAt }).where(eq(erasures.receiptId, id)).run();
    }
    const active = missing.filter(({ undoneAt }) => !undoneAt);
    const developers = active.length === 0 ? 0 : deleteSuppressed(store, suppression);
    return { receipts: active.length, developers };
  };
  return orm.transaction(transact, { behavior: "immediate" });
}

function addMissing({ orm }: Database, { salts, erasures: missing }: SuppressionList): void {
  const stored = orm.select({ salt: suppressionSalts.salt }).from(suppressionSalts).all();
  for (const salt of salts) {
    if (stored.some((row) => row.salt.equals(salt))) continue;
    orm
      .insert(suppressionSalts)
      .values({ salt: Buffer.from(salt) })
      .run();
  }
  for (const { id, hashes, ...receipt } of missing) {
    // Undone ones are complete; the others are not, as long as the old bytes are in this file.
    const completedAt = receipt.undoneAt ? (receipt.completedAt ?? receipt.undoneAt) : null;
    orm
      .insert(erasures)
      .values({ ...receipt, receiptId: id, completedAt })
      .run();
    for (const hash of receipt.undoneAt ? [] : hashes) {
      const row = { hash: Buffer.from(hash), receiptId: id };
      orm.insert(suppressed).values(row).onConflictDoNothing().run();
    }
  }
}

/** @returns how many visible developers were deleted. */
function deleteSuppressed(store: Database, suppression: Suppression): number {
  const rowIds = new Set<number>();
  const names = new Set<string>();
  // A row that shares an identifier with a deleted one is the same person's, so examine all again until none is added.
  for (let added = true; added; ) {
    added = false;
    for (const { rowId, facts } of listRows(store)) {
      if (rowIds.has(rowId)) continue;
      const own = listIdentifiers(facts);
      const found = suppression.find(listKeptIdentifiers(facts));
      const [receiptId] = [...found.values()].flat();
      if (receiptId === undefined) continue;
      rowIds.add(rowId);
      for (const name of listNames(facts)) names.add(name);
      const fresh = own.filter((identifier) => !found.has(identifier));
      if (fresh.length === 0) continue;
      added = true;
      suppression.add(new Set(fresh), receiptId);
    }
  }
  const { developers } = purgeRows(store, rowIds);
  const isSuppressed = (identifier: Identifier) => suppression.find([identifier]).size > 0;
  eraseDecisions(store, { has: isSuppressed, isNamedIn: (text) => isNamed(text, names) });
  return developers;
}

function* listRows(store: Database): Generator<{ rowId: number; facts: Facts }> {
  const query = store.orm
    .select({ rowId: dossiers.rowId, facts: dossiers.facts })
    .from(dossiers)
    .orderBy(dossiers.rowId);
  for (const row of streamRows<{ row_id: number; facts: Uint8Array }>(store, query.toSQL())) {
    yield { rowId: row.row_id, facts: JSON.parse(unpackText(row.facts)) as Facts };
  }
}

/**
 * The suppression list of a file of any form, for `adoptErasures` of another.
 *
 * @param receiptIds the part that these erasures added; default: all.
 */
export function readErasures(
  { orm, sqlite }: Pick<Database, "orm" | "sqlite">,
  receiptIds?: readonly string[],
): SuppressionList {
  // The first form knew no erasures.
  if (!sqlite.query("SELECT 1 FROM sqlite_schema WHERE name = 'erasure'").get()) {
    return { salts: [], erasures: [] };
  }
  const wanted = orm
    .select()
    .from(erasures)
    .orderBy(erasures.id)
    .all()
    .map(toReceipt)
    .filter(({ id }) => receiptIds?.includes(id) ?? true);
  const ids = JSON.stringify(wanted.map(({ id }) => id));
  const rows = orm
    .select()
    .from(suppressed)
    .where(inArray(suppressed.receiptId, sql`(SELECT value FROM json_each(${ids}))`))
    .all();
  const hashes = Map.groupBy(rows, ({ receiptId }) => receiptId);
  const salts = orm.select().from(suppressionSalts).orderBy(suppressionSalts.id).all();
  return {
    salts: salts.map(({ salt }) => salt),
    erasures: wanted.map((receipt) => ({
      ...receipt,
      hashes: (hashes.get(receipt.id) ?? []).map(({ hash }) => hash),
    })),
  };
}
