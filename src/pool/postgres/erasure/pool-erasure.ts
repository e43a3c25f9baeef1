/**
 * One transaction adds the person to the suppression list and deletes all their rows, so a crash leaves
 * them whole or gone. The tables are cleaned afterwards: until then the receipt has no `completedAt`, and
 * the next erasure cleans them.
 */
import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { PostgresDatabase, Statements } from "../../../postgres/database.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listLoginIdentifiers,
  toLoginKey,
} from "../../identifiers.ts";
import type { ErasureSubject, PoolErasure } from "../../pool.ts";
import { type GatheredRows, isPersonNamed } from "../../rows/gathered-rows.ts";
import type { SaltSource } from "../../rows/suppression-hash.ts";
import { toReceipt } from "../../rows/to-receipt.ts";
import { eraseOwnership } from "../authorship/ownership-rows.ts";
import { applyChange, runOnOwnConnection } from "../changing.ts";
import { eraseDecisions } from "../decision-rows.ts";
import { findCurrentRows, findRows } from "../reading/row-finder.ts";
import { developers, erasures } from "../tables.ts";
import { adoptErasures, readErasures } from "./adopt.ts";
import { cleanTables } from "./clean.ts";
import { gatherNewerRows, gatherRows } from "./gather-rows.ts";
import { purgeRows } from "./purge.ts";
import type { Suppression } from "./suppression.ts";

export function createPoolErasure(
  database: PostgresDatabase,
  suppression: Suppression,
  { now, random }: { readonly now: () => Date; readonly random: SaltSource },
): PoolErasure {
  const { orm } = database;
  const receipts = async () => {
    const rows = await orm.select().from(erasures).orderBy(desc(erasures.id));
    return rows.map(toReceipt);
  };
  const findReceipt = async (id: string) => (await receipts()).find((receipt) => receipt.id === id);
  const stamp = async (on: Statements, id: string, field: "completedAt" | "undoneAt") => {
    await on
      .update(erasures)
      .set({ [field]: now().toISOString() })
      .where(and(eq(erasures.receiptId, id), isNull(erasures[field])));
  };
  const hide: PoolErasure["hide"] = async (subject, order = {}) => {
    const seed = [
      ...(await seedOf(orm, subject)),
      ...(order.alsoLogins ?? []).flatMap(listLoginIdentifiers),
      ...(order.alsoAddresses ?? []).flatMap(listAddressIdentifiers),
    ];
    for (;;) {
      const person = await gatherRows(orm, seed);
      if (person.rowIds.size === 0 && !order.evenIfUnknown) return undefined;
      if (isPersonNamed(order.reason ?? "", person)) return "names the person";
      const id = `ers_${Buffer.from(random(10)).toString("hex")}`;
      const entry = { receiptId: id, at: now().toISOString(), reason: order.reason ?? null };
      const purge = { person, suppression, entry, alsoRows: order.alsoRows ?? 0 };
      if (await applyChange(database, (transaction) => purgePerson(transaction, purge))) {
        return findReceipt(id);
      }
    }
  };
  return {
    find: async (subject) => {
      const { rowIds } = await gatherRows(orm, await seedOf(orm, subject));
      return [...(await listLogins(orm, rowIds))].sort();
    },
    hide,
    clean: () => cleanTables(database),
    unfinished: async () => (await receipts()).filter(({ completedAt }) => !completedAt).reverse(),
    finish: (id) => stamp(orm, id, "completedAt"),
    receipts,
    findReceipt,
    receiptsOf: async (subject) => {
      const found = await suppression.find(orm, await seedOf(orm, subject));
      const ids = new Set([...found.values()].flat());
      return (await receipts()).filter(({ id }) => ids.has(id));
    },
    undo: (id) =>
      applyChange(database, async (transaction) => {
        await suppression.remove(transaction, id);
        await stamp(transaction, id, "undoneAt");
      }),
    suppressionList: (receiptIds) => readErasures(orm, receiptIds),
    adopt: (list) =>
      runOnOwnConnection(database, (connection) => adoptErasures(connection, suppression, list)),
    suppression: () => suppression.readMatcher(orm),
  };
}

/**
 * A stored login is taken as a login even if it looks like an address (`ada@gitlab.com`). A former login means the
 * developer who had it, and rows that are replaced but not yet swept may still have it.
 */
async function seedOf(orm: Statements, subject: ErasureSubject): Promise<readonly Identifier[]> {
  const text = subject.trim();
  const [rowId] = await findRows(orm, [text]);
  const [current] = rowId === undefined ? [] : await listLogins(orm, new Set([rowId]));
  if (current !== undefined) return [text, current].flatMap(listLoginIdentifiers);
  const stored = await orm.$count(developers, eq(developers.loginKey, toLoginKey(text)));
  if (stored > 0 || !text.includes("@")) return listLoginIdentifiers(text);
  return listAddressIdentifiers(text);
}

interface Purge {
  readonly person: GatheredRows;
  readonly suppression: Suppression;
  readonly entry: {
    readonly receiptId: string;
    readonly at: string;
    readonly reason: string | null;
  };
  readonly alsoRows: number;
}

/** @returns false, with nothing done, when rows added since then have more identifiers of the person. */
async function purgePerson(
  orm: Statements,
  { person, suppression, entry, alsoRows }: Purge,
): Promise<boolean> {
  if (!(await gatherNewerRows(orm, person))) return false;
  const removed = await purgeRows(orm, person.rowIds);
  // Whoever has one of the former logins now is somebody else, and stays.
  const former = [...person.formerLogins];
  const rows = await findCurrentRows(orm, former);
  for (const [at, login] of former.entries()) {
    if (rows[at] !== undefined) continue;
    for (const one of listLoginIdentifiers(login)) person.identifiers.add(one);
  }
  await eraseOwnership(orm, person.identifiers);
  const identifiers = await suppression.add(orm, person.identifiers, entry.receiptId);
  await eraseDecisions(orm, {
    has: (identifier) => person.identifiers.has(identifier),
    isNamedIn: (text) => isPersonNamed(text, person),
  });
  await orm
    .insert(erasures)
    .values({ ...entry, ...removed, rows: removed.rows + alsoRows, identifiers });
  return true;
}

async function listLogins(
  orm: Statements,
  rowIds: ReadonlySet<number>,
): Promise<ReadonlySet<string>> {
  if (rowIds.size === 0) return new Set();
  const rows = await orm
    .select({ login: developers.login })
    .from(developers)
    .where(inArray(developers.rowId, [...rowIds]));
  return new Set(rows.map(({ login }) => login));
}
