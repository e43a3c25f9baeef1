import { and, eq, inArray } from "drizzle-orm";
import type { Facts } from "../../../contract/people/facts.ts";
import type { PostgresSession, Statements } from "../../../postgres/database.ts";
import { toLoginKey } from "../../identifiers.ts";
import type { GivenFacts } from "../../pool.ts";
import { deleteRows } from "../../rows/change-rows.ts";
import type { ListedSuppression } from "../../rows/erasure/suppression-rows.ts";
import type { Staging } from "../../rows/importing/importing.ts";
import {
  hashFacts,
  type PackedDeveloper,
  packInBatches,
  parseStored,
} from "../../rows/pack-developer.ts";
import { unpackFindable } from "../../rows/pack-findable.ts";
import { isVisible } from "../../rows/visible.ts";
import type { ReadSuppression } from "../erasure/suppression.ts";
import { applyChange, runWork, toRows } from "../postgres-context.ts";
import { toFindableColumns } from "../reading/prepare-findables.ts";
import * as tables from "../tables.ts";

const { developers, cards, rankingFeatures, dossiers, formerLogins, findables } = tables;

interface StagingOptions {
  readonly importId: number;
  /** The suppression list as it is in this transaction. */
  readonly readSuppression: ReadSuppression;
}

/** @package */
export function createStaging(
  connection: Pick<PostgresSession, "transact">,
  { importId, readSuppression }: StagingOptions,
): Staging {
  // Checked inside the transaction, so that a person erased while this import runs is left out.
  const stageAll = (items: readonly PackedDeveloper[], basis: string | undefined) =>
    applyChange(connection, async (orm) => {
      const { holds } = await readSuppression(orm);
      const isSuppressed = ({ identifiers }: PackedDeveloper) => identifiers.some(holds);
      const byKey = new Map(items.map((row) => [toLoginKey(row.login), row]));
      await dropStaged(orm, importId, [...byKey.keys()]);
      const kept = [...byKey].filter(([, row]) => !isSuppressed(row));
      await stage(orm, { importId, basis }, new Map(kept));
      return items.filter(isSuppressed);
    });
  return {
    async put(batch, basis) {
      const leftOut: PackedDeveloper[] = [];
      for (const items of packInBatches(batch)) leftOut.push(...(await stageAll(items, basis)));
      return leftOut;
    },
    confirm: (given, basis) =>
      applyChange(connection, async (orm) => {
        const { isSuppressed } = await readSuppression(orm);
        return confirmAll(orm, { importId, basis }, given, isSuppressed);
      }),
  };
}

/** Deletes the same logins from earlier in this import: the later one wins. */
async function dropStaged(
  orm: Statements,
  importId: number,
  keys: readonly string[],
): Promise<void> {
  const staged = await orm
    .select({ rowId: developers.rowId })
    .from(developers)
    .where(and(inArray(developers.loginKey, [...keys]), eq(developers.importId, importId)));
  const rowIds = staged.map(({ rowId }) => rowId);
  await runWork(orm, (rows) => deleteRows(rows, rowIds));
}

/** An import, and what its people were judged by. */
interface JudgedImport {
  readonly importId: number;
  readonly basis: string | undefined;
}

async function stage(
  orm: Statements,
  { importId, basis }: JudgedImport,
  items: ReadonlyMap<string, PackedDeveloper>,
): Promise<void> {
  if (items.size === 0) return;
  const before = await findVisibleRows(orm, [...items.keys()]);
  const isSame = ([key, row]: [string, PackedDeveloper]) =>
    before.get(key)?.wholeHash === row.wholeHash;
  const rowsOf = (some: readonly [string, PackedDeveloper][]) =>
    some.flatMap(([key]) => before.get(key)?.rowId ?? []);
  const [same, changed] = [[...items].filter(isSame), [...items].filter((item) => !isSame(item))];
  const judged = basis === undefined ? {} : { basis };
  await mark(orm, rowsOf(same), { supersededBy: null, confirmedBy: importId, ...judged });
  await mark(orm, rowsOf(changed), { supersededBy: importId });
  await insert(
    orm,
    { importId, basis },
    changed.map(([key, row]) => {
      const old = before.get(key);
      const kind = old?.factsHash === row.factsHash ? "unchanged" : "replaced";
      return { key, row, change: old ? kind : "added" };
    }),
  );
}

async function findVisibleRows(orm: Statements, keys: readonly string[]) {
  const { rowId, loginKey, factsHash, wholeHash, basis } = developers;
  const visible = await orm
    .select({ rowId, loginKey, factsHash, wholeHash, basis })
    .from(developers)
    .where(and(inArray(loginKey, [...keys]), isVisible(toRows(orm))));
  return new Map(visible.map((row) => [row.loginKey, row]));
}

async function confirmAll(
  orm: Statements,
  { importId, basis }: JudgedImport,
  given: readonly GivenFacts[],
  isSuppressed: ListedSuppression["isSuppressed"],
): Promise<readonly boolean[]> {
  const keys = given.map(({ login }) => toLoginKey(login));
  const before = await findVisibleRows(orm, keys);
  const confirmed = given.map(({ text }, at) => {
    const row = before.get(keys[at] as string);
    if (row?.basis !== basis || row?.factsHash !== hashFacts(text)) return undefined;
    // The text was checked when it was first put.
    return isSuppressed(JSON.parse(text) as Facts) ? undefined : row;
  });
  const rows = confirmed.filter((row) => row !== undefined);
  await dropStaged(
    orm,
    importId,
    rows.map(({ loginKey }) => loginKey),
  );
  await mark(
    orm,
    rows.map(({ rowId }) => rowId),
    { supersededBy: null, confirmedBy: importId },
  );
  return confirmed.map((row) => row !== undefined);
}

async function mark(
  orm: Statements,
  rowIds: number[],
  set: { supersededBy: number | null; confirmedBy?: number; basis?: string },
): Promise<void> {
  if (rowIds.length > 0) {
    await orm.update(developers).set(set).where(inArray(developers.rowId, rowIds));
  }
}

interface NewRow {
  readonly key: string;
  readonly row: PackedDeveloper;
  readonly change: (typeof developers.$inferInsert)["change"];
}

async function insert(
  orm: Statements,
  { importId, basis }: JudgedImport,
  items: readonly NewRow[],
): Promise<void> {
  if (items.length === 0) return;
  const added = await orm
    .insert(developers)
    .values(
      items.map(({ key, change, row: { login, source, searchable, factsHash, wholeHash } }) => ({
        ...{
          importId,
          basis,
          loginKey: key,
          change,
          login,
          source,
          searchable,
          factsHash,
          wholeHash,
        },
      })),
    )
    .returning({ rowId: developers.rowId, loginKey: developers.loginKey });
  const rowIds = new Map(added.map(({ loginKey, rowId }) => [loginKey, rowId]));
  const parts = items.map(({ key, row }) => {
    const rowId = rowIds.get(key);
    if (rowId === undefined) throw new Error("An inserted row is returned.");
    return { rowId, row };
  });
  await orm.insert(cards).values(parts.map(({ rowId, row: { card } }) => ({ rowId, card })));
  await orm
    .insert(rankingFeatures)
    .values(parts.map(({ rowId, row: { standing } }) => ({ rowId, standing })));
  await orm
    .insert(dossiers)
    .values(parts.map(({ rowId, row: { facts, analysis } }) => ({ rowId, facts, analysis })));
  await orm.insert(findables).values(
    parts.map(({ rowId, row: { findable } }) => {
      const columns = toFindableColumns(unpackFindable(parseStored(findable)));
      return { rowId, keys: findable, ...columns };
    }),
  );
  const former = parts.flatMap(({ rowId, row }) =>
    row.formerLogins.map((login) => ({ rowId, loginKey: toLoginKey(login) })),
  );
  if (former.length > 0) await orm.insert(formerLogins).values(former).onConflictDoNothing();
}
