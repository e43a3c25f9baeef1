import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Assessment } from "../../../contract/people/assessment.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import { listKeptIdentifiers, toLoginKey } from "../../identifiers.ts";
import type { GivenFacts } from "../../pool.ts";
import { hashFacts, type PackedDeveloper, packInBatches } from "../../rows/pack-developer.ts";
import type { Suppression } from "../erasure/suppression.ts";
import { developers } from "../tables.ts";
import { isVisible } from "../visible.ts";
import { prepareRows } from "./staged-rows.ts";

/** Keeps a transaction short. */
const loginsPerTransaction = 100;

/** @package Writes rows that stay invisible until their import gets a revision. */
export interface Staging {
  readonly importId: number;
  /** @returns those left out because they are on the suppression list. */
  put(batch: readonly (Assessment | PackedDeveloper)[], basis?: string): readonly PackedDeveloper[];
  /** @returns for each whether its row is as `put` would leave it. */
  confirm(given: readonly GivenFacts[], basis: string): readonly boolean[];
  remove(logins: readonly string[]): void;
  /** Marks the developers of a source that are not in this import as removed by it. */
  removeSource(source: string): void;
}

/** @package */
export function createStaging(
  store: Database,
  importId: number,
  suppression: Pick<Suppression, "isEmpty" | "holds">,
): Staging {
  const rows = prepareRows(store, importId);
  // The suppression list is asked inside the transaction, so that a person erased while this import runs is left out.
  const stageAll = (
    items: readonly PackedDeveloper[],
    basis: string | undefined,
  ): PackedDeveloper[] => {
    const isListEmpty = suppression.isEmpty();
    const leftOut: PackedDeveloper[] = [];
    for (const row of items) {
      const known = rows.find(toLoginKey(row.login));
      // The same login from earlier in this import: the later one wins.
      rows.takeBack(known);
      if (!isListEmpty && suppression.holds(row.identifiers)) {
        leftOut.push(row);
        continue;
      }
      const before = known.find(({ is_visible }) => is_visible);
      if (before?.whole_hash === row.wholeHash) rows.confirm(before, basis ?? before.basis);
      else rows.replace(before, row, basis ?? null);
    }
    return leftOut;
  };
  const confirmAll = (given: readonly GivenFacts[], basis: string): boolean[] => {
    const isListEmpty = suppression.isEmpty();
    return given.map(({ login, text }) => {
      const known = rows.find(toLoginKey(login));
      const before = known.find(({ is_visible }) => is_visible);
      if (before?.basis !== basis || before.facts_hash !== hashFacts(text)) return false;
      // The text was checked when it was first put.
      const listIdentifiers = () => listKeptIdentifiers(JSON.parse(text) as Facts);
      if (!isListEmpty && suppression.holds(listIdentifiers())) return false;
      rows.takeBack(known);
      rows.confirm(before, basis);
      return true;
    });
  };
  const stageInTransaction = store.sqlite.transaction(stageAll);
  const confirmInTransaction = store.sqlite.transaction(confirmAll);
  return {
    importId,
    put: (batch, basis) =>
      packInBatches(batch)
        .flatMap((items) => stageInTransaction.immediate(items, basis))
        .toArray(),
    confirm: (given, basis) => confirmInTransaction.immediate(given, basis),
    remove(logins) {
      for (let at = 0; at < logins.length; at += loginsPerTransaction) {
        markLogins(store, importId, logins.slice(at, at + loginsPerTransaction));
      }
    },
    removeSource(source) {
      while (markRemoved(store, importId, source) > 0);
    },
  };
}

/** Rows of this import stay: they are not visible yet. */
function markLogins(store: Database, importId: number, logins: readonly string[]): void {
  store.orm
    .update(developers)
    .set({ supersededBy: importId })
    .where(and(inArray(developers.loginKey, logins.map(toLoginKey)), isVisible(store)))
    .run();
}

function markRemoved(store: Database, importId: number, source: string): number {
  const rowsPerMark = 2000;
  const { orm } = store;
  const isNot = (column: typeof developers.supersededBy | typeof developers.confirmedBy): SQL =>
    sql`(${column} IS NOT ${importId})`;
  const marked = orm
    .select({ rowId: developers.rowId })
    .from(developers)
    .where(
      and(
        eq(developers.source, source),
        isNot(developers.supersededBy),
        isNot(developers.confirmedBy),
        isVisible(store),
      ),
    )
    .limit(rowsPerMark);
  return store.sqlite
    .transaction(() => {
      const update = orm
        .update(developers)
        .set({ supersededBy: importId })
        .where(sql`${developers.rowId} IN ${marked}`)
        .returning({ rowId: developers.rowId });
      return update.all().length;
    })
    .immediate();
}
