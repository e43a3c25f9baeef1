/** Writes the rows of an import, which stay invisible until the import gets a revision. */
import { and, eq, inArray } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import { execute, fetchRows, insertRows, type Work } from "../../../queries/work.ts";
import { listStoredIdentifiers, toLoginKey } from "../../identifiers.ts";
import type { GivenFacts } from "../../pool.ts";
import { deleteRows } from "../change-rows.ts";
import { findSuppressed } from "../erasure/suppression-rows.ts";
import { hashFacts, type PackedDeveloper, packInBatches } from "../pack-developer.ts";
import type { PoolContext, PoolRows } from "../pool-context.ts";
import { selectVisible } from "../visible.ts";
import type { Staging } from "./importing.ts";

interface JudgedImport {
  readonly importId: number;
  /** The version of the model, and its inputs. */
  readonly basis: string | undefined;
}

export function createStaging(context: PoolContext, importId: number): Staging {
  return {
    async put(batch, basis) {
      const leftOut: PackedDeveloper[] = [];
      for (const items of packInBatches(batch)) {
        const stage = (rows: PoolRows) => stageAll(rows, { importId, basis }, items);
        leftOut.push(...(await context.change(stage)));
      }
      return leftOut;
    },
    confirm: (given, basis) =>
      context.change((rows) => confirmAll(rows, { importId, basis }, given)),
  };
}

function* stageAll(
  rows: PoolRows,
  { importId, basis }: JudgedImport,
  items: readonly PackedDeveloper[],
): Work<readonly PackedDeveloper[]> {
  // Reads the suppression list inside the transaction, because a person may be erased during the import.
  const suppressed = yield* findSuppressed(
    rows,
    items.values().flatMap(({ identifiers }) => identifiers),
  );
  const isSuppressed = ({ identifiers }: PackedDeveloper) =>
    identifiers.some((identifier) => suppressed.has(identifier));
  // If a login occurs twice, the later developer wins.
  const byKey = new Map(items.map((row) => [toLoginKey(row.login), row]));
  yield* dropStaged(rows, importId, [...byKey.keys()]);
  const visible = yield* findVisibleRows(rows, [...byKey.keys()]);
  const confirmed: number[] = [];
  const superseded: number[] = [];
  const added: NewRow[] = [];
  for (const [loginKey, row] of byKey) {
    if (isSuppressed(row)) continue;
    const before = visible.get(loginKey);
    if (before?.wholeHash === row.wholeHash) {
      confirmed.push(before.rowId);
      continue;
    }
    if (before) superseded.push(before.rowId);
    const kind = before?.factsHash === row.factsHash ? "unchanged" : "replaced";
    const firstRowId = before ? (before.firstRowId ?? before.rowId) : null;
    added.push({ loginKey, row, change: before ? kind : "added", firstRowId });
  }
  const judged = basis === undefined ? {} : { basis };
  yield* mark(rows, confirmed, { supersededBy: null, confirmedBy: importId, ...judged });
  yield* mark(rows, superseded, { supersededBy: importId });
  yield* insertAll(rows, { importId, basis: basis ?? null }, added);
  return items.filter(isSuppressed);
}

function* confirmAll(
  rows: PoolRows,
  { importId, basis }: JudgedImport,
  given: readonly GivenFacts[],
): Work<readonly boolean[]> {
  const keys = given.map(({ login }) => toLoginKey(login));
  const visible = yield* findVisibleRows(rows, keys);
  const unchanged = given.map(({ text }, at) => {
    const row = visible.get(keys[at] as string);
    if (row?.basis !== basis || row?.factsHash !== hashFacts(text)) return undefined;
    // The text needs no validation, because it equals stored facts.
    return { row, facts: JSON.parse(text) as Facts };
  });
  const suppressed = yield* findSuppressed(
    rows,
    unchanged.values().flatMap((one) => (one ? listStoredIdentifiers(one.facts) : [])),
  );
  const isSuppressed = (facts: Facts) =>
    suppressed.size > 0 && listStoredIdentifiers(facts).some((one) => suppressed.has(one));
  const confirmed = unchanged.map((one) => (one && !isSuppressed(one.facts) ? one.row : undefined));
  const same = confirmed.filter((row) => row !== undefined);
  yield* dropStaged(
    rows,
    importId,
    same.map(({ loginKey }) => loginKey),
  );
  const rowIds = same.map(({ rowId }) => rowId);
  yield* mark(rows, rowIds, { supersededBy: null, confirmedBy: importId });
  return confirmed.map((row) => row !== undefined);
}

/** Deletes rows that this import staged earlier for these logins. */
function* dropStaged(rows: PoolRows, importId: number, loginKeys: readonly string[]): Work<void> {
  const { developers } = rows.tables;
  const isStaged = and(inArray(developers.loginKey, loginKeys), eq(developers.importId, importId));
  const staged = yield* fetchRows(
    rows.queries.select({ rowId: developers.rowId }).from(developers).where(isStaged),
  );
  const rowIds = staged.map(({ rowId }) => rowId);
  yield* deleteRows(rows, rowIds);
}

function* findVisibleRows(rows: PoolRows, loginKeys: readonly string[]) {
  const { rowId, loginKey, factsHash, wholeHash, basis, firstRowId } = rows.tables.developers;
  const fields = { rowId, loginKey, factsHash, wholeHash, basis, firstRowId };
  const visible = yield* fetchRows(selectVisible(rows, fields, inArray(loginKey, loginKeys)));
  return new Map(visible.map((row) => [row.loginKey, row]));
}

type DeveloperRow = PoolRows["tables"]["developers"]["$inferInsert"];

function* mark(
  { queries, tables: { developers } }: PoolRows,
  rowIds: readonly number[],
  set: Partial<Pick<DeveloperRow, "supersededBy" | "confirmedBy" | "basis">>,
): Work<void> {
  if (rowIds.length === 0) return;
  yield* execute(queries.update(developers).set(set).where(inArray(developers.rowId, rowIds)));
}

interface NewRow extends Pick<DeveloperRow, "loginKey" | "change" | "firstRowId"> {
  readonly row: PackedDeveloper;
}

function* insertAll(
  rows: PoolRows,
  judged: Pick<DeveloperRow, "importId" | "basis">,
  items: readonly NewRow[],
): Work<void> {
  if (items.length === 0) return;
  const { queries, tables } = rows;
  const { developers, cards, rankingFeatures, dossiers, formerLogins, findables, identifiers } =
    tables;
  const added = yield* insertRows(
    developers,
    items.map(({ row, ...staged }) => {
      const { login, source, searchable, factsHash, wholeHash } = row;
      return { ...judged, ...staged, login, source, searchable, factsHash, wholeHash };
    }),
    { rowId: developers.rowId, loginKey: developers.loginKey },
  );
  const rowIds = new Map(added.map(({ loginKey, rowId }) => [loginKey, rowId]));
  const parts = items.map(({ loginKey, row }) => {
    const rowId = rowIds.get(loginKey);
    if (rowId === undefined) throw new Error("The insertion returned no row.");
    return { rowId, row };
  });
  const valuesOf = <Value>(toValue: (row: PackedDeveloper) => Value) =>
    parts.map(({ rowId, row }) => ({ rowId, ...toValue(row) }));
  yield* insertRows(
    cards,
    valuesOf(({ card }) => ({ card })),
  );
  yield* insertRows(
    rankingFeatures,
    valuesOf(({ standing }) => ({ standing })),
  );
  yield* insertRows(
    dossiers,
    valuesOf(({ facts, analysis }) => ({ facts, analysis })),
  );
  yield* insertRows(
    findables,
    valuesOf(({ findable }) => rows.toFindableValues(findable)),
  );
  yield* insertRows(
    identifiers,
    parts.flatMap(({ rowId, row }) => row.hashes.map((hash) => ({ rowId, hash }))),
  );
  const former = parts.flatMap(({ rowId, row }) =>
    row.formerLogins.map((login) => ({ rowId, loginKey: toLoginKey(login) })),
  );
  if (former.length > 0)
    yield* execute(queries.insert(formerLogins).values(former).onConflictDoNothing());
}
