/**
 * One transaction adds the person to the suppression list and deletes all their rows, so a crash leaves
 * them whole or gone. The files are cleaned afterwards: until then the receipt has no `completedAt`, and
 * the next erasure cleans them.
 */
import { and, desc, eq, isNull } from "drizzle-orm";
import type { Database } from "../../../sqlite/database.ts";
import { type Immediate, toPromises } from "../../../sqlite/to-promises.ts";
import {
  type Identifier,
  listAddressIdentifiers,
  listAuthorIdentifiers,
  listKeptIdentifiers,
  listLoginIdentifiers,
  toLoginKey,
} from "../../identifiers.ts";
import type { ErasureSubject, PoolErasure } from "../../pool.ts";
import { type GatheredRows, isPersonNamed } from "../../rows/gathered-rows.ts";
import type { SaltSource } from "../../rows/suppression-hash.ts";
import { toReceipt } from "../../rows/to-receipt.ts";
import { eraseOwnership } from "../authorship/ownership-rows.ts";
import { eraseDecisions } from "../decision-rows.ts";
import { createRowFinder } from "../reading/row-finder.ts";
import { developers, erasures } from "../tables.ts";
import { adoptErasures, readErasures } from "./adopt.ts";
import { cleanFiles } from "./clean.ts";
import { gatherNewerRows, gatherRows } from "./gather-rows.ts";
import { purgeRows } from "./purge.ts";
import type { Suppression } from "./suppression.ts";

export function createPoolErasure(
  store: Database,
  suppression: Suppression,
  { now, random }: { readonly now: () => Date; readonly random: SaltSource },
): PoolErasure {
  const { orm } = store;
  const receipts = () =>
    orm.select().from(erasures).orderBy(desc(erasures.id)).all().map(toReceipt);
  const findReceipt = (id: string) => receipts().find((receipt) => receipt.id === id);
  const stamp = (id: string, field: "completedAt" | "undoneAt") => {
    const isUnset = isNull(erasures[field]);
    const set = { [field]: now().toISOString() };
    orm
      .update(erasures)
      .set(set)
      .where(and(eq(erasures.receiptId, id), isUnset))
      .run();
  };
  const hide: Immediate<PoolErasure>["hide"] = (subject, order = {}) => {
    const seed = [
      ...seedOf(store, subject),
      ...(order.alsoLogins ?? []).flatMap(listLoginIdentifiers),
      ...(order.alsoAddresses ?? []).flatMap(listAddressIdentifiers),
    ];
    for (;;) {
      const person = gatherRows(store, seed);
      if (person.rowIds.size === 0 && !order.evenIfUnknown) return undefined;
      if (isPersonNamed(order.reason ?? "", person)) return "names the person";
      const at = now().toISOString();
      const id = `ers_${Buffer.from(random(10)).toString("hex")}`;
      const entry = { receiptId: id, at, reason: order.reason ?? null };
      const { alsoRows = 0 } = order;
      if (purgePerson(store, { person, suppression, entry, alsoRows })) return findReceipt(id);
    }
  };
  return toPromises<PoolErasure>(store.path, {
    find: (subject) => [...loginsOf(store, gatherRows(store, seedOf(store, subject)))].sort(),
    hide,
    clean: (attempts) => cleanFiles(store, attempts),
    unfinished: () =>
      receipts()
        .filter(({ completedAt }) => !completedAt)
        .reverse(),
    finish: (id) => stamp(id, "completedAt"),
    receipts,
    findReceipt,
    receiptsOf: (subject) => {
      const ids = new Set([...suppression.find(seedOf(store, subject)).values()].flat());
      return receipts().filter(({ id }) => ids.has(id));
    },
    undo: (id) => {
      store.sqlite
        .transaction(() => {
          suppression.remove(id);
          stamp(id, "undoneAt");
        })
        .immediate();
    },
    suppressionList: (receiptIds) => readErasures(store, receiptIds),
    adopt: (list) => adoptErasures(store, suppression, list),
    suppression: () => ({
      // Almost every pool has no list: then the identifiers are not needed.
      isSuppressed: (facts) =>
        !suppression.isEmpty() && suppression.holds(listKeptIdentifiers(facts)),
      holdsAuthorIdentity: (author) => suppression.find(listAuthorIdentifiers(author)).size > 0,
    }),
  });
}

/**
 * A stored login is taken as a login even if it looks like an address (`ada@gitlab.com`). A former login means the
 * developer who had it, and rows that are replaced but not yet swept may still have it.
 */
function seedOf(store: Database, subject: ErasureSubject): readonly Identifier[] {
  const text = subject.trim();
  const current = findCurrentLogin(store, text);
  if (current !== undefined) return [text, current].flatMap(listLoginIdentifiers);
  const stored = store.orm
    .select({ rowId: developers.rowId })
    .from(developers)
    .where(eq(developers.loginKey, toLoginKey(text)))
    .get();
  if (stored || !text.includes("@")) return listLoginIdentifiers(text);
  return listAddressIdentifiers(text);
}

function findCurrentLogin(store: Database, login: string): string | undefined {
  const rowId = createRowFinder(store).find(login);
  if (rowId === undefined) return undefined;
  const of = eq(developers.rowId, rowId);
  return store.orm.select({ login: developers.login }).from(developers).where(of).get()?.login;
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
function purgePerson(store: Database, { person, suppression, entry, alsoRows }: Purge): boolean {
  const transact = () => {
    if (!gatherNewerRows(store, person)) return false;
    const removed = purgeRows(store, person.rowIds);
    // Whoever has one of the former logins now is somebody else, and stays.
    const { findCurrent } = createRowFinder(store);
    const former = [...person.formerLogins].filter((login) => findCurrent(login) === undefined);
    for (const one of former.flatMap(listLoginIdentifiers)) person.identifiers.add(one);
    eraseOwnership(store, person.identifiers);
    const identifiers = suppression.add(person.identifiers, entry.receiptId);
    eraseDecisions(store, {
      has: (identifier) => person.identifiers.has(identifier),
      isNamedIn: (text) => isPersonNamed(text, person),
    });
    store.orm
      .insert(erasures)
      .values({ ...entry, ...removed, rows: removed.rows + alsoRows, identifiers })
      .run();
    return true;
  };
  return store.orm.transaction(transact, { behavior: "immediate" });
}

function loginsOf({ orm }: Database, { rowIds }: GatheredRows): ReadonlySet<string> {
  const of = (rowId: number) =>
    orm.select({ login: developers.login }).from(developers).where(eq(developers.rowId, rowId));
  return new Set([...rowIds].flatMap((rowId) => of(rowId).get()?.login ?? []));
}
