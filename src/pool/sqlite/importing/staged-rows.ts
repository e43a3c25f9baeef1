/**
 * The statements that are run for each developer of an import. They go to SQLite directly: on this path the query builder
 * takes longer than the database.
 */
import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { runAtOnce } from "../../../sqlite/run-at-once.ts";
import { toLoginKey } from "../../identifiers.ts";
import { deleteRows } from "../../rows/change-rows.ts";
import type { PackedDeveloper } from "../../rows/pack-developer.ts";
import { isVisible } from "../../rows/visible.ts";
import { getQueries } from "../get-queries.ts";
import { developers } from "../tables.ts";

/** @package A row of `developers`, visible or of this import or neither. */
export interface KnownRow {
  readonly row_id: number;
  readonly import_id: number;
  readonly facts_hash: string;
  readonly whole_hash: string;
  readonly basis: string | null;
  readonly confirmed_by: number | null;
  readonly is_visible: 0 | 1;
}

/** @package Call all but `find` inside a transaction. */
export interface StagedRows {
  /** All rows of a login. */
  find(loginKey: string): readonly KnownRow[];
  /** Takes back what an earlier line of this import did: deletes what it staged, and what it confirmed is not in it. */
  takeBack(known: readonly KnownRow[]): void;
  confirm(before: KnownRow, basis: string | null): void;
  replace(before: KnownRow | undefined, row: PackedDeveloper, basis: string | null): void;
}

type Change = typeof developers.$inferSelect.change;

/** @package */
export function prepareRows(store: Database, importId: number): StagedRows {
  const { sqlite } = store;
  const find = sqlite.prepare<KnownRow, [string]>(writeFindQuery(store));
  const confirm = sqlite.prepare<void, [number, string | null, number]>(
    "UPDATE developer SET superseded_by = NULL, confirmed_by = ?, basis = ? WHERE row_id = ?",
  );
  const unconfirm = sqlite.prepare<void, [number]>(
    "UPDATE developer SET confirmed_by = NULL WHERE row_id = ?",
  );
  const supersede = sqlite.prepare<void, [number, number]>(
    "UPDATE developer SET superseded_by = ? WHERE row_id = ?",
  );
  const insert = prepareInsert(store, importId);
  return {
    find: (loginKey) => find.all(loginKey),
    takeBack(known) {
      for (const { row_id, confirmed_by } of known) {
        if (confirmed_by === importId) unconfirm.run(row_id);
      }
      const staged = known.filter(({ import_id }) => import_id === importId);
      const rowIds = staged.map(({ row_id }) => row_id);
      runAtOnce(store.orm, () => deleteRows(getQueries(store), rowIds));
    },
    confirm(before, basis) {
      confirm.run(importId, basis, before.row_id);
    },
    replace(before, row, basis) {
      if (before) supersede.run(importId, before.row_id);
      insert(row, changeOf(row, before), basis);
    },
  };
}

function writeFindQuery(store: Database): string {
  const { rowId, importId, factsHash, wholeHash, basis, confirmedBy, loginKey } = developers;
  return store.orm
    .select({
      ...{ rowId, importId, factsHash, wholeHash, basis, confirmedBy },
      isVisible: sql`${isVisible(getQueries(store))}`.as("is_visible"),
    })
    .from(developers)
    .where(eq(loginKey, sql.placeholder("key")))
    .toSQL().sql;
}

function changeOf(row: PackedDeveloper, before: KnownRow | undefined): Change {
  if (!before) return "added";
  return before.facts_hash === row.factsHash ? "unchanged" : "replaced";
}

function prepareInsert({ sqlite }: Database, importId: number) {
  const developer = sqlite.prepare(
    "INSERT INTO developer (import_id, login_key, login, source, searchable, change, facts_hash, whole_hash, basis) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const card = sqlite.prepare("INSERT INTO card (row_id, card) VALUES (?, ?)");
  const standing = sqlite.prepare("INSERT INTO standing (row_id, standing) VALUES (?, ?)");
  const dossier = sqlite.prepare("INSERT INTO dossier (row_id, facts, analysis) VALUES (?, ?, ?)");
  const former = sqlite.prepare(
    "INSERT OR IGNORE INTO former_login (row_id, login_key) VALUES (?, ?)",
  );
  const findable = sqlite.prepare("INSERT INTO findable (row_id, keys) VALUES (?, ?)");
  return (row: PackedDeveloper, change: Change, basis: string | null): void => {
    const { login, source, searchable, factsHash, wholeHash } = row;
    const key = toLoginKey(login);
    const { lastInsertRowid: rowId } = developer.run(
      ...[importId, key, login, source, searchable, change, factsHash, wholeHash, basis],
    );
    card.run(rowId, row.card);
    standing.run(rowId, row.standing);
    dossier.run(rowId, row.facts, row.analysis);
    for (const each of row.formerLogins) former.run(rowId, toLoginKey(each));
    findable.run(rowId, row.findable);
  };
}
