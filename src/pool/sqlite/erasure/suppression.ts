/**
 * The suppression list of erased people. It stores HMACs under a salt that never leaves the file, so the
 * list alone identifies nobody; a person with the pool's file can still test a name that they already know.
 */
import { eq, sql } from "drizzle-orm";
import { type Database, prepareOnce } from "../../../sqlite/database.ts";
import type { Identifier } from "../../identifiers.ts";
import { hashIdentifier, type SaltSource, saltBytes } from "../../rows/suppression-hash.ts";
import { suppressed, suppressionSalts } from "../tables.ts";

export interface Suppression {
  isEmpty(): boolean;
  /** Whether one of these identifiers is on the list. */
  holds(identifiers: Iterable<Identifier>): boolean;
  /** The given identifiers that are on the list, each with the receipt ids of the erasures that added it. */
  find(identifiers: Iterable<Identifier>): ReadonlyMap<Identifier, readonly string[]>;
  /** Call it inside a transaction. @returns how many there are. */
  add(identifiers: ReadonlySet<Identifier>, receiptId: string): number;
  remove(receiptId: string): void;
}

export function createSuppression(store: Database, random: SaltSource): Suppression {
  const { orm } = store;
  const allSalts = prepareOnce(() =>
    orm.select({ salt: suppressionSalts.salt }).from(suppressionSalts).orderBy(suppressionSalts.id),
  );
  const listSalts = () =>
    allSalts()
      .all()
      .map(({ salt }) => salt);
  const receiptsOf = prepareOnce(() =>
    orm
      .select({ receiptId: suppressed.receiptId })
      .from(suppressed)
      .where(eq(suppressed.hash, sql.placeholder("hash"))),
  );
  const find: Suppression["find"] = (identifiers) => {
    const found = new Map<Identifier, readonly string[]>();
    const salts = listSalts();
    if (salts.length === 0) return found;
    for (const identifier of identifiers) {
      const receipts = salts
        .flatMap((salt) => receiptsOf().all({ hash: hashIdentifier(salt, identifier) }))
        .map(({ receiptId }) => receiptId);
      if (receipts.length > 0) found.set(identifier, receipts);
    }
    return found;
  };
  const ownSalt = (): Buffer => {
    const [stored] = listSalts();
    if (stored) return stored;
    const salt = Buffer.from(random(saltBytes));
    orm.insert(suppressionSalts).values({ salt }).run();
    return salt;
  };
  const isEmpty = () => listSalts().length === 0;
  return {
    isEmpty,
    find,
    holds: (identifiers) => find(identifiers).size > 0,
    add(identifiers, receiptId) {
      const salt = ownSalt();
      for (const identifier of identifiers) {
        const hash = hashIdentifier(salt, identifier);
        orm.insert(suppressed).values({ hash, receiptId }).onConflictDoNothing().run();
      }
      return identifiers.size;
    },
    remove: (receiptId) => {
      orm.delete(suppressed).where(eq(suppressed.receiptId, receiptId)).run();
    },
  };
}
