/**
 * An older pool put in place of the present one knows nothing of the erasures since. So the list is taken
 * out of the present pool and given to the older one, which then drops whoever is on it.
 */
import type { Facts } from "../../../contract/facts/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { SuppressionList } from "../../pool.ts";
import { eraseDecisions } from "../decision-rows.ts";
import { unpackJson } from "../pack-developer.ts";
import { streamRows } from "../read-pool.ts";
import { dossiers, erasures, suppressed, suppressionSalts } from "../tables.ts";
import { purgeRows } from "./purge.ts";
import type { Suppression } from "./suppression.ts";

/** @package */
export function readSuppressionList({ orm }: Database): SuppressionList {
  return {
    salts: orm
      .select()
      .from(suppressionSalts)
      .orderBy(suppressionSalts.id)
      .all()
      .map(({ salt }) => salt),
    suppressed: orm.select().from(suppressed).all(),
    erasures: orm
      .select()
      .from(erasures)
      .orderBy(erasures.id)
      .all()
      .map(({ id: _, ...row }) => row),
  };
}

/**
 * @package
 * @returns how many shown developers left; their bytes are in the files until these are cleaned.
 */
export function adoptSuppressionList(
  store: Database,
  list: SuppressionList,
  suppression: Suppression,
): number {
  const { orm } = store;
  const transact = () => {
    for (const salt of list.salts) {
      const isKnown = readSuppressionList(store).salts.some((own) => own.equals(salt));
      if (!isKnown) orm.insert(suppressionSalts).values({ salt }).run();
    }
    for (const row of list.suppressed) {
      orm.insert(suppressed).values(row).onConflictDoNothing().run();
    }
    for (const row of list.erasures) {
      const { completedAt, undoneAt } = row;
      const set = { completedAt, undoneAt };
      orm
        .insert(erasures)
        .values(row)
        .onConflictDoUpdate({ target: erasures.receiptId, set })
        .run();
      if (undoneAt !== null) suppression.remove(row.receiptId);
    }
    eraseDecisions(store, {
      has: (identifier) => suppression.find([identifier]).size > 0,
      isNamedIn: () => false,
    });
    return purgeRows(store, heldRows(store, suppression)).developers;
  };
  return orm.transaction(transact, { behavior: "immediate" });
}

function heldRows(store: Database, suppression: Suppression): ReadonlySet<number> {
  const query = store.orm.select({ rowId: dossiers.rowId, facts: dossiers.facts }).from(dossiers);
  const held = new Set<number>();
  for (const row of streamRows<{ row_id: number; facts: Uint8Array }>(store, query.toSQL())) {
    if (suppression.holds(unpackJson(row.facts) as Facts)) held.add(row.row_id);
  }
  return held;
}
