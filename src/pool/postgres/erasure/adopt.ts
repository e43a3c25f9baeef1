/**
 * Takes over erasures that this database does not know, because an older copy of it was put back: their hashes first, then
 * everybody whom they name is deleted. Only hashes are known of these people, so every row is examined.
 */
import { asc, eq, inArray } from "drizzle-orm";
import type { SuppressionList } from "../../../contract/people/erasure-receipt.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Statements } from "../../../postgres/database.ts";
import { listIdentifiers, listKeptIdentifiers, listNames } from "../../identifiers.ts";
import type { AdoptedErasures } from "../../pool.ts";
import { isNamed } from "../../rows/names.ts";
import { unpackText } from "../../rows/pack-developer.ts";
import { toReceipt } from "../../rows/to-receipt.ts";
import { applyChange, type PoolConnection } from "../changing.ts";
import { eraseDecisions } from "../decision-rows.ts";
import { erasures, suppressed, suppressionSalts } from "../tables.ts";
import { streamDossiers } from "./gather-rows.ts";
import { purgeRows } from "./purge.ts";
import { countChange, listSalts, type Suppression } from "./suppression.ts";

/** @package One transaction, so that a crash leaves the pool as it was, and the next start repeats it. */
export function adoptErasures(
  database: Pick<PoolConnection, "transact">,
  suppression: Suppression,
  list: SuppressionList,
): Promise<AdoptedErasures> {
  return applyChange(database, async (orm) => {
    const stored = await orm.select().from(erasures);
    const known = new Map(stored.map((row) => [row.receiptId, row]));
    const missing = list.erasures.filter(({ id }) => !known.has(id));
    const undone = list.erasures.filter(({ id, undoneAt }) => undoneAt && !known.get(id)?.undoneAt);
    await addMissing(orm, { ...list, erasures: missing });
    for (const { id, undoneAt } of undone) {
      await suppression.remove(orm, id);
      await orm.update(erasures).set({ undoneAt }).where(eq(erasures.receiptId, id));
    }
    const active = missing.filter(({ undoneAt }) => !undoneAt);
    const developers = active.length === 0 ? 0 : await deleteSuppressed(orm, suppression);
    return { receipts: active.length, developers };
  });
}

async function addMissing(
  orm: Statements,
  { salts, erasures: missing }: SuppressionList,
): Promise<void> {
  const stored = (await listSalts(orm)).map((salt) => Buffer.from(salt));
  for (const salt of salts) {
    if (stored.some((known) => known.equals(salt))) continue;
    await orm.insert(suppressionSalts).values({ salt: Buffer.from(salt) });
  }
  for (const { id, hashes, ...receipt } of missing) {
    // Undone ones are complete; the others are not, as long as the old bytes are in this database.
    const completedAt = receipt.undoneAt ? (receipt.completedAt ?? receipt.undoneAt) : null;
    await orm.insert(erasures).values({ ...receipt, receiptId: id, completedAt });
    for (const hash of receipt.undoneAt ? [] : hashes) {
      const row = { hash: Buffer.from(hash), receiptId: id };
      await orm.insert(suppressed).values(row).onConflictDoNothing();
    }
  }
  await countChange(orm);
}

/** @returns how many visible developers were deleted. */
async function deleteSuppressed(orm: Statements, suppression: Suppression): Promise<number> {
  const rowIds = new Set<number>();
  const names = new Set<string>();
  // A row that shares an identifier with a deleted one is the same person's, so examine all again until none is added.
  for (let added = true; added; ) {
    added = false;
    const matcher = await suppression.readMatcher(orm);
    for await (const row of streamDossiers(orm, 0)) {
      if (rowIds.has(row.rowId)) continue;
      const facts = JSON.parse(unpackText(row.facts)) as Facts;
      if (!matcher.isSuppressed(facts)) continue;
      const found = await suppression.find(orm, listKeptIdentifiers(facts));
      const [receiptId] = [...found.values()].flat();
      if (receiptId === undefined) continue;
      rowIds.add(row.rowId);
      for (const name of listNames(facts)) names.add(name);
      const fresh = listIdentifiers(facts).filter((identifier) => !found.has(identifier));
      if (fresh.length === 0) continue;
      added = true;
      await suppression.add(orm, new Set(fresh), receiptId);
    }
  }
  const { developers } = await purgeRows(orm, rowIds);
  const { holds } = await suppression.readMatcher(orm);
  await eraseDecisions(orm, { has: holds, isNamedIn: (text) => isNamed(text, names) });
  return developers;
}

/** @package @param receiptIds the part that these erasures added; default: all. */
export async function readErasures(
  orm: Statements,
  receiptIds?: readonly string[],
): Promise<SuppressionList> {
  const wanted = (await orm.select().from(erasures).orderBy(asc(erasures.id)))
    .map(toReceipt)
    .filter(({ id }) => receiptIds?.includes(id) ?? true);
  const ids = wanted.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await orm.select().from(suppressed).where(inArray(suppressed.receiptId, ids));
  const hashes = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return {
    salts: await listSalts(orm),
    erasures: wanted.map((receipt) => ({
      ...receipt,
      hashes: (hashes.get(receipt.id) ?? []).map(({ hash }) => hash),
    })),
  };
}
