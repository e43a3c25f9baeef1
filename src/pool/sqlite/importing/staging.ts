import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Assessment } from "../../../contract/people/assessment.ts";
import type { Database } from "../../../sqlite/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import type { SuppressionMatcher } from "../../pool.ts";
import { deleteRows } from "../changing.ts";
import { type PackedDeveloper, packDeveloper } from "../pack-developer.ts";
import * as tables from "../tables.ts";
import { isVisible } from "../visible.ts";

const { developers, cards, rankingFeatures, dossiers } = tables;

/** A transaction of these bounds ends within some 50 ms on a slow disk too. */
const rowsPerTransaction = 100;
const bytesPerTransaction = 4 * 2 ** 20;

/** @package Writes rows that nobody sees until their import is given a revision. */
export interface Staging {
  readonly importId: number;
  /** @returns who was left out: those on the suppression list. */
  put(batch: readonly Assessment[]): readonly Assessment[];
  remove(logins: readonly string[]): void;
  /** Marks what this import has not brought itself as removed by it. */
  removeSource(source: string): void;
}

/** @package */
export function createStaging(
  store: Database,
  importId: number,
  isSuppressed: SuppressionMatcher["isSuppressed"],
): Staging {
  const { stage, drop } = stageOne(store, importId);
  // Asked inside the transaction: who is erased while this import runs does not come in by it.
  const stageAll = store.sqlite.transaction((parcels: readonly Parcel[]): Assessment[] => {
    const leftOut: Assessment[] = [];
    for (const { row, assessment } of parcels) {
      if (isSuppressed(assessment.facts)) {
        drop(row);
        leftOut.push(assessment);
      } else stage(row);
    }
    return leftOut;
  });
  return {
    importId,
    put(batch) {
      const leftOut: Assessment[] = [];
      for (const parcels of inTransactions(batch)) leftOut.push(...stageAll.immediate(parcels));
      return leftOut;
    },
    remove(logins) {
      for (let at = 0; at < logins.length; at += rowsPerTransaction) {
        markLogins(store, importId, logins.slice(at, at + rowsPerTransaction));
      }
    },
    removeSource(source) {
      while (markRemoved(store, importId, source) > 0);
    },
  };
}

interface Parcel {
  readonly row: PackedDeveloper;
  readonly assessment: Assessment;
}

/** Packs outside the transactions: nobody waits for a compression. */
function* inTransactions(batch: readonly Assessment[]): Generator<Parcel[]> {
  let parcels: Parcel[] = [];
  let bytes = 0;
  for (const assessment of batch) {
    const row = packDeveloper(assessment);
    parcels.push({ row, assessment });
    bytes += row.card.length + row.standing.length + row.facts.length + row.analysis.length;
    if (parcels.length < rowsPerTransaction && bytes < bytesPerTransaction) continue;
    yield parcels;
    parcels = [];
    bytes = 0;
  }
  if (parcels.length > 0) yield parcels;
}

function stageOne(store: Database, importId: number) {
  const { orm } = store;
  const key = eq(developers.loginKey, sql.placeholder("key"));
  const held = orm
    .select()
    .from(developers)
    .where(and(key, isVisible(store)))
    .prepare();
  const staged = orm
    .select({ rowId: developers.rowId })
    .from(developers)
    .where(and(key, eq(developers.importId, importId)))
    .prepare();
  const mark = (set: { supersededBy: number | null; confirmedBy?: number }) =>
    orm
      .update(developers)
      .set(set)
      .where(eq(developers.rowId, sql.placeholder("rowId")))
      .prepare();
  const supersede = mark({ supersededBy: importId });
  const confirm = mark({ supersededBy: null, confirmedBy: importId });
  const insert = prepareInsert(store, importId);
  /** The same login earlier in this import: the later one wins. */
  const drop = (row: PackedDeveloper): void => {
    const earlier = staged.all({ key: toLoginKey(row.login) }).map(({ rowId }) => rowId);
    if (earlier.length > 0) deleteRows(store, earlier);
  };
  const stage = (row: PackedDeveloper): void => {
    drop(row);
    const before = held.get({ key: toLoginKey(row.login) });
    if (before && before.wholeHash === row.wholeHash) {
      confirm.run({ rowId: before.rowId });
      return;
    }
    if (before) supersede.run({ rowId: before.rowId });
    insert(row, changeOf(row, before));
  };
  return { stage, drop };
}

type Change = typeof developers.$inferSelect.change;

function changeOf(row: PackedDeveloper, before: { factsHash: string } | undefined): Change {
  if (!before) return "added";
  return before.factsHash === row.factsHash ? "unchanged" : "replaced";
}

function prepareInsert({ orm }: Database, importId: number) {
  const slot = sql.placeholder;
  const developer = orm
    .insert(developers)
    .values({
      importId,
      login: slot("login"),
      loginKey: slot("key"),
      source: slot("source"),
      searchable: slot("searchable"),
      change: slot("change"),
      factsHash: slot("factsHash"),
      wholeHash: slot("wholeHash"),
    })
    .returning({ rowId: developers.rowId })
    .prepare();
  const rowId = slot("rowId");
  const card = orm
    .insert(cards)
    .values({ rowId, card: slot("card") })
    .prepare();
  const standing = orm
    .insert(rankingFeatures)
    .values({ rowId, standing: slot("standing") })
    .prepare();
  const dossier = orm
    .insert(dossiers)
    .values({ rowId, facts: slot("facts"), analysis: slot("analysis") })
    .prepare();
  return (row: PackedDeveloper, change: Change): void => {
    const { rowId } = developer.get({ ...row, key: toLoginKey(row.login), change });
    const values = { ...row, rowId };
    card.run(values);
    standing.run(values);
    dossier.run(values);
  };
}

/** What this import has brought itself stays: it is not visible yet. */
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
