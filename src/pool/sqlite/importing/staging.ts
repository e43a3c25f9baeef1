import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Assessment } from "../../../contract/people/assessment.ts";
import type { Database } from "../../../sqlite/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import type { SuppressionMatcher } from "../../pool.ts";
import { type PackedDeveloper, packDeveloper } from "../../rows/pack-developer.ts";
import { packFindable } from "../../rows/pack-findable.ts";
import { deleteRows } from "../changing.ts";
import * as tables from "../tables.ts";
import { isVisible } from "../visible.ts";

const { developers, cards, rankingFeatures, dossiers, formerLogins, findables } = tables;

/** A transaction within these bounds takes at most about 50 ms, even on a slow disk. */
const rowsPerTransaction = 100;
const bytesPerTransaction = 4 * 2 ** 20;

/** @package Writes rows that stay invisible until their import gets a revision. */
export interface Staging {
  readonly importId: number;
  /** @returns those left out because they are on the suppression list. */
  put(batch: readonly Assessment[]): readonly Assessment[];
  remove(logins: readonly string[]): void;
  /** Marks the developers of a source that are not in this import as removed by it. */
  removeSource(source: string): void;
}

/** @package */
export function createStaging(
  store: Database,
  importId: number,
  isSuppressed: SuppressionMatcher["isSuppressed"],
): Staging {
  const { stage, drop } = stageOne(store, importId);
  // Checked inside the transaction, so that a person erased while this import runs is left out.
  const stageAll = store.sqlite.transaction((items: readonly StagingItem[]): Assessment[] => {
    const leftOut: Assessment[] = [];
    for (const { row, assessment } of items) {
      if (isSuppressed(assessment.facts)) {
        drop(row);
        leftOut.push(assessment);
      } else stage(row, assessment);
    }
    return leftOut;
  });
  return {
    importId,
    put: (batch) =>
      inTransactions(batch)
        .flatMap((items) => stageAll.immediate(items))
        .toArray(),
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

interface StagingItem {
  readonly row: PackedDeveloper;
  readonly assessment: Assessment;
}

/** Packs outside the transactions, so that they do not wait for compression. */
function* inTransactions(batch: readonly Assessment[]): Generator<StagingItem[]> {
  let items: StagingItem[] = [];
  let bytes = 0;
  for (const assessment of batch) {
    const row = packDeveloper(assessment);
    items.push({ row, assessment });
    bytes += row.card.length + row.standing.length + row.facts.length + row.analysis.length;
    if (items.length < rowsPerTransaction && bytes < bytesPerTransaction) continue;
    yield items;
    items = [];
    bytes = 0;
  }
  if (items.length > 0) yield items;
}

function stageOne(store: Database, importId: number) {
  const { orm } = store;
  const key = eq(developers.loginKey, sql.placeholder("key"));
  const visible = orm
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
  /** Deletes the same login from earlier in this import: the later one wins. */
  const drop = (row: PackedDeveloper): void => {
    const earlier = staged.all({ key: toLoginKey(row.login) }).map(({ rowId }) => rowId);
    if (earlier.length > 0) deleteRows(store, earlier);
  };
  const stage = (row: PackedDeveloper, assessment: Assessment): void => {
    drop(row);
    const before = visible.get({ key: toLoginKey(row.login) });
    if (before && before.wholeHash === row.wholeHash) {
      confirm.run({ rowId: before.rowId });
      return;
    }
    if (before) supersede.run({ rowId: before.rowId });
    insert(row, assessment, changeOf(row, before));
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
  const former = orm
    .insert(formerLogins)
    .values({ rowId, loginKey: slot("key") })
    .onConflictDoNothing()
    .prepare();
  const findable = orm
    .insert(findables)
    .values({ rowId, keys: slot("keys") })
    .prepare();
  return (row: PackedDeveloper, assessment: Assessment, change: Change): void => {
    const key = toLoginKey(row.login);
    const { rowId } = developer.get({ ...row, key, change });
    const values = { ...row, rowId };
    card.run(values);
    standing.run(values);
    dossier.run(values);
    for (const login of assessment.facts.formerLogins ?? [])
      former.run({ rowId, key: toLoginKey(login) });
    findable.run({ rowId, keys: packFindable(assessment) });
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
