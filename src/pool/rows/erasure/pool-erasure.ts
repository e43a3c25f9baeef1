/**
 * One transaction suppresses the person and deletes all rows of the person. The files are cleaned afterwards; until then the
 * receipt has no `completedAt`.
 */
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { ErasureReceipt } from "../../../contract/people/erasure-receipt.ts";
import { execute, fetchRow, fetchRows, type Work } from "../../../queries/work.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listLoginIdentifiers,
  listNamedIdentifiers,
  toLoginKey,
} from "../../identifiers.ts";
import type { ErasureSubject, PoolErasure } from "../../pool.ts";
import { eraseOwnership } from "../authorship/ownership-rows.ts";
import { listDeparted, listLoginKeys, recordErased } from "../changes/departures.ts";
import { eraseDecisions } from "../decision-rows.ts";
import { listUnlisted } from "../identifier-index.ts";
import type {
  PoolContext,
  PoolQueries,
  PoolRows,
  PoolSources,
  RandomSource,
} from "../pool-context.ts";
import { adoptErasures, readErasures } from "./adopt.ts";
import {
  type GatheredRows,
  gatherNewerRows,
  gatherPerson,
  gatherRows,
  isPersonNamed,
} from "./gather-rows.ts";
import { purgeRows } from "./purge.ts";
import { toReceipt } from "./receipts.ts";
import {
  addSuppressed,
  findSuppressed,
  loadSuppression,
  removeSuppressed,
} from "./suppression-rows.ts";

/** Implements `PoolErasure` for both databases, except `clean`. */
export function createPoolErasure(
  context: PoolContext,
  { now, random }: PoolSources,
): Omit<PoolErasure, "clean"> {
  const { read, change, changeAtLength } = context;
  const receipts = () => read(listReceipts);
  const findReceipt = async (id: string) => (await receipts()).find((receipt) => receipt.id === id);
  const findGone = ({ identifiers }: GatheredRows) =>
    read((rows) => listDeparted(rows, listLoginKeys(identifiers)));
  const hide: PoolErasure["hide"] = async (subject, order = {}) => {
    await listUnlisted(context);
    const seed = [
      ...(await read((rows) => listSeed(rows, subject))),
      ...(order.alsoLogins ?? []).flatMap(listLoginIdentifiers),
      ...(order.alsoAddresses ?? []).flatMap(listAddressIdentifiers),
      ...(order.alsoAuthors ?? []).flatMap(listNamedIdentifiers),
    ];
    for (;;) {
      const person = await gatherPerson(context, seed);
      const isKnown = person.rowIds.size > 0 || (await findGone(person)).length > 0;
      if (!isKnown && !order.evenIfUnknown) return undefined;
      if (isPersonNamed(order.reason ?? "", person)) return "names the person";
      const id = `ers_${Buffer.from(random(10)).toString("hex")}`;
      const at = now().toISOString();
      const entry = { receiptId: id, at, reason: order.reason ?? null };
      const purge = { person, entry, at, alsoRows: order.alsoRows ?? 0, random };
      if (await change((rows) => purgePerson(rows, purge))) return findReceipt(id);
    }
  };
  return {
    find: async (subject) => {
      const person = await gatherPerson(context, await read((rows) => listSeed(rows, subject)));
      const logins = await read((rows) => listLogins(rows, person.rowIds));
      if (logins.size > 0) return [...logins].sort();
      return (await findGone(person)).map(({ login }) => login).sort();
    },
    hide,
    extend: async (people) => {
      await listUnlisted(context);
      const extendOne = createExtend(context, { now, random });
      const extended = [];
      for (const identifiers of people) extended.push(await extendOne(identifiers));
      return {
        receipts: new Set(extended.flatMap(({ receipts }) => receipts)),
        isLonger: extended.some(({ isLonger }) => isLonger),
      };
    },
    unfinished: async () => (await receipts()).filter(({ completedAt }) => !completedAt).reverse(),
    finish: (id) => change((rows) => stamp(rows, id, { completedAt: now().toISOString() })),
    receipts,
    findReceipt,
    receiptsOf: async (subject) => {
      const found = await read(function* (rows) {
        return yield* findSuppressed(rows, yield* listSeed(rows, subject));
      });
      const ids = new Set([...found.values()].flat());
      return (await receipts()).filter(({ id }) => ids.has(id));
    },
    undo: (id) =>
      change(function* (rows) {
        yield* removeSuppressed(rows, id);
        yield* stamp(rows, id, { undoneAt: now().toISOString() });
      }),
    suppressionList: (receiptIds) => read((rows) => readErasures(rows, receiptIds)),
    suppression: () => read(loadSuppression),
    adopt: (list) => changeAtLength((rows) => adoptErasures(rows, list, { now, random })),
  };
}

/** Creates a function that adds newly known identifiers of one person to the suppression list, if the person is on it. */
function createExtend(context: PoolContext, { now, random }: PoolSources) {
  const { read, change } = context;
  return async (identifiers: readonly Identifier[]) => {
    const found = await read((rows) => findSuppressed(rows, new Set(identifiers)));
    const receipts = [...new Set([...found.values()].flat())].sort();
    const [receiptId] = receipts;
    const fresh = identifiers.filter((identifier) => !found.has(identifier));
    if (receiptId === undefined || fresh.length === 0) return { receipts, isLonger: false };
    for (;;) {
      const person = await gatherRows(context, fresh);
      const at = now().toISOString();
      const purge = { person, entry: { receiptId }, at, alsoRows: 0, random };
      if (await change((rows) => purgePerson(rows, purge))) return { receipts, isLonger: true };
    }
  };
}

function* listReceipts({
  queries,
  tables: { erasures },
}: PoolQueries): Work<readonly ErasureReceipt[]> {
  const rows = yield* fetchRows(queries.select().from(erasures).orderBy(desc(erasures.id)));
  return rows.map(toReceipt);
}

/** Sets a time in a receipt if the receipt does not have it yet. */
function* stamp(
  { queries, tables: { erasures } }: PoolQueries,
  id: string,
  time: { readonly completedAt: string } | { readonly undoneAt: string },
): Work<void> {
  const isUnset = isNull("undoneAt" in time ? erasures.undoneAt : erasures.completedAt);
  const isUnstamped = and(eq(erasures.receiptId, id), isUnset);
  yield* execute(queries.update(erasures).set(time).where(isUnstamped));
}

/**
 * Lists the identifiers of a login or address. A text that looks like an address may be the login of a row (`ada@gitlab.com`).
 */
function* listSeed(rows: PoolRows, subject: ErasureSubject): Work<readonly Identifier[]> {
  const text = subject.trim();
  const [rowId] = yield* rows.findRows([text]);
  const [current] = rowId === undefined ? [] : yield* listLogins(rows, new Set([rowId]));
  if (current !== undefined) return [text, current].flatMap(listLoginIdentifiers);
  const { queries, tables } = rows;
  const { rowId: anyRow, loginKey } = tables.developers;
  const isTheirs = eq(loginKey, toLoginKey(text));
  const all = queries.select({ anyRow }).from(tables.developers).where(isTheirs);
  const stored = yield* fetchRow(all.limit(1));
  if (stored || !text.includes("@")) return listLoginIdentifiers(text);
  return listAddressIdentifiers(text);
}

interface Purge {
  readonly person: GatheredRows;
  /** A new erasure, or the receipt id of an older erasure that is extended. */
  readonly entry:
    | { readonly receiptId: string; readonly at: string; readonly reason: string | null }
    | { readonly receiptId: string };
  readonly at: string;
  readonly alsoRows: number;
  readonly random: RandomSource;
}

/** @returns false, without a change, if new rows have further identifiers of the person. */
function* purgePerson(rows: PoolRows, purge: Purge): Work<boolean> {
  const { person, entry, at, alsoRows, random } = purge;
  if (!(yield* gatherNewerRows(rows, person))) return false;
  const rowIds = person.rowIds.union(person.replacedRowIds);
  const { removed, published } = yield* purgeRows(rows, rowIds);
  // A former login that another developer has now is not suppressed.
  const former = [...person.formerLogins];
  const bearers = yield* rows.findCurrentRows(former);
  const free = former.filter((_, at) => bearers[at] === undefined);
  for (const one of free.flatMap(listLoginIdentifiers)) person.identifiers.add(one);
  const departed = yield* listDeparted(rows, listLoginKeys(person.identifiers));
  yield* recordErased(rows, [...departed, ...published], at);
  yield* eraseOwnership(rows, person.identifiers);
  const { receiptId } = entry;
  const identifiers = yield* addSuppressed(rows, person.identifiers, { receiptId, random });
  yield* eraseDecisions(rows, {
    has: (identifier) => person.identifiers.has(identifier),
    isNamedIn: (text) => isPersonNamed(text, person),
  });
  const { erasures } = rows.tables;
  if ("at" in entry) {
    const receipt = { ...entry, ...removed, rows: removed.rows + alsoRows, identifiers };
    yield* execute(rows.queries.insert(erasures).values(receipt));
    return true;
  }
  const grown = {
    developers: sql`${erasures.developers} + ${removed.developers}`,
    rows: sql`${erasures.rows} + ${removed.rows}`,
    identifiers: sql`${erasures.identifiers} + ${identifiers}`,
    completedAt: null,
  };
  yield* execute(rows.queries.update(erasures).set(grown).where(eq(erasures.receiptId, receiptId)));
  return true;
}

function* listLogins(
  { queries, tables: { developers } }: PoolQueries,
  rowIds: ReadonlySet<number>,
): Work<ReadonlySet<string>> {
  if (rowIds.size === 0) return new Set();
  const { login, rowId } = developers;
  const areTheirs = inArray(rowId, [...rowIds]);
  const rows = yield* fetchRows(queries.select({ login }).from(developers).where(areTheirs));
  return new Set(rows.map((row) => row.login));
}
