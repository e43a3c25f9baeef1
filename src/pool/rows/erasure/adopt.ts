/** Repeats erasures in an older copy of the pool. Every row is examined, because only hashes of the erased people are known. */
import { asc, eq, gt, sql } from "drizzle-orm";
import {
  findMissingErasures,
  type SuppressionList,
} from "../../../contract/people/erasure-receipt.ts";
import type { Facts } from "../../../contract/people/facts.ts";
import { execute, fetchRows, type Work } from "../../../queries/work.ts";
import {
  listIdentifiers,
  listLoginIdentifiers,
  listNames,
  listStoredIdentifiers,
} from "../../identifiers.ts";
import type { AdoptedErasures } from "../../pool.ts";
import { listDeparted, pruneDepartures, recordErased } from "../changes/departures.ts";
import { eraseDecisions } from "../decision-rows.ts";
import type { PoolQueries, PoolRows, PoolSources, RandomSource } from "../pool-context.ts";
import { unpackText } from "../unpack.ts";
import { findReplaced } from "../visible.ts";
import { isNamed } from "./names.ts";
import { purgeRows } from "./purge.ts";
import { toReceipt } from "./receipts.ts";
import {
  addSuppressed,
  findSuppressed,
  listSalts,
  loadSuppression,
  removeSuppressed,
} from "./suppression-rows.ts";

/** Call it as one change, so that the next start can repeat it after a crash. */
export function* adoptErasures(
  rows: PoolRows,
  list: SuppressionList,
  { now, random }: PoolSources,
): Work<AdoptedErasures> {
  const { queries, tables } = rows;
  const { erasures } = tables;
  const held = yield* readErasures(rows);
  const known = new Map(held.erasures.map((erasure) => [erasure.id, erasure]));
  const missing = findMissingErasures(list, held);
  const undone = list.erasures.filter(({ id, undoneAt }) => undoneAt && !known.get(id)?.undoneAt);
  yield* addMissing(rows, { ...list, erasures: missing });
  for (const { id, undoneAt } of undone) {
    yield* removeSuppressed(rows, id);
    yield* execute(queries.update(erasures).set({ undoneAt }).where(eq(erasures.receiptId, id)));
  }
  const active = missing.filter(({ undoneAt }) => !undoneAt);
  const [oldest] = active.map(({ at }) => at).sort();
  const developers = oldest === undefined ? 0 : yield* deleteSuppressed(rows, random, oldest);
  yield* pruneDepartures(rows, now());
  return { receipts: active.length, developers };
}

function* addMissing(rows: PoolRows, { salts, erasures: missing }: SuppressionList): Work<void> {
  const { queries, tables } = rows;
  const { suppressionSalts, erasures, suppressed } = tables;
  const stored = yield* listSalts(rows);
  for (const each of salts) {
    const salt = Buffer.from(each);
    if (stored.some((known) => salt.equals(known))) continue;
    yield* execute(queries.insert(suppressionSalts).values({ salt }));
  }
  for (const { id, hashes, ...receipt } of missing) {
    // An undone erasure is complete. Any other erasure is incomplete, because deleted bytes may still be in this file.
    const completedAt = receipt.undoneAt ? (receipt.completedAt ?? receipt.undoneAt) : null;
    const identifiers = sql`${erasures.identifiers} + ${hashes.length}`;
    yield* execute(
      queries
        .insert(erasures)
        .values({ ...receipt, receiptId: id, completedAt })
        .onConflictDoUpdate({ target: erasures.receiptId, set: { identifiers, completedAt } }),
    );
    for (const hash of receipt.undoneAt ? [] : hashes) {
      const row = { hash: Buffer.from(hash), receiptId: id };
      yield* execute(queries.insert(suppressed).values(row).onConflictDoNothing());
    }
  }
  yield* rows.countSuppression();
}

/** @param at the time from which copies may still ask for the erased logins. @returns the number of visible developers that were deleted. */
function* deleteSuppressed(rows: PoolRows, random: RandomSource, at: string): Work<number> {
  const rowIds = new Set<number>();
  const names = new Set<string>();
  // A row that shares an identifier with a deleted row is about the same person. So this repeats until it finds no further row.
  for (let added = true; added; ) {
    added = false;
    const { isSuppressed } = yield* loadSuppression(rows);
    for (let last: number | undefined = 0; last !== undefined; ) {
      const dossiers: Dossiers = yield* readDossiers(rows, last);
      const replaced = yield* findReplaced(
        rows,
        dossiers.map(({ rowId }) => rowId),
      );
      for (const { rowId, facts: stored } of dossiers) {
        if (rowIds.has(rowId)) continue;
        const facts = JSON.parse(unpackText(stored)) as Facts;
        if (!isSuppressed(facts)) continue;
        rowIds.add(rowId);
        if (replaced.has(rowId)) continue;
        for (const name of listNames(facts)) names.add(name);
        added = (yield* addIdentifiers(rows, facts, random)) || added;
      }
      last = dossiers.at(-1)?.rowId;
    }
  }
  const { removed, published } = yield* purgeRows(rows, rowIds);
  const { holds } = yield* loadSuppression(rows);
  const departed = (yield* listDeparted(rows)).filter(({ login }) =>
    listLoginIdentifiers(login).some(holds),
  );
  yield* recordErased(rows, [...departed, ...published], at);
  yield* eraseDecisions(rows, { has: holds, isNamedIn: (text) => isNamed(text, names) });
  return removed.developers;
}

type Dossiers = readonly { readonly rowId: number; readonly facts: Uint8Array }[];

const rowsAtOnce = 500;

function readDossiers(
  { queries, tables: { dossiers } }: PoolQueries,
  after: number,
): Work<Dossiers> {
  const { rowId, facts } = dossiers;
  const next = queries.select({ rowId, facts }).from(dossiers).where(gt(rowId, after));
  return fetchRows(next.orderBy(asc(rowId)).limit(rowsAtOnce));
}

/** Suppresses the remaining identifiers of a suppressed person. @returns whether any remained. */
function* addIdentifiers(rows: PoolRows, facts: Facts, random: RandomSource): Work<boolean> {
  const found = yield* findSuppressed(rows, listStoredIdentifiers(facts));
  const [receiptId = ""] = [...found.values()].flat();
  const fresh = listIdentifiers(facts).filter((identifier) => !found.has(identifier));
  if (fresh.length > 0) yield* addSuppressed(rows, new Set(fresh), { receiptId, random });
  return fresh.length > 0;
}

/** Reads the suppression list. @param receiptIds reads only the entries of these erasures; default: all. */
export function* readErasures(
  rows: PoolQueries,
  receiptIds?: readonly string[],
): Work<SuppressionList> {
  const { queries, tables } = rows;
  const { erasures, suppressed } = tables;
  const stored = yield* fetchRows(queries.select().from(erasures).orderBy(asc(erasures.id)));
  const wanted = stored.map(toReceipt).filter(({ id }) => receiptIds?.includes(id) ?? true);
  const hashes = Map.groupBy(
    yield* fetchRows(queries.select().from(suppressed)),
    ({ receiptId }) => receiptId,
  );
  return {
    salts: yield* listSalts(rows),
    erasures: wanted.map((receipt) => ({
      ...receipt,
      hashes: (hashes.get(receipt.id) ?? []).map(({ hash }) => hash),
    })),
  };
}
