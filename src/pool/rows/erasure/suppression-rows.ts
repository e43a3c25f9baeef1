/**
 * The suppression list of erased people. It stores hashes of their identifiers with a random salt, which is in the same database.
 */
import { asc, eq, inArray } from "drizzle-orm";
import { execute, fetchRows, splitInBatches, type Work } from "../../../queries/work.ts";
import {
  type Identifier,
  listAuthorIdentifiers,
  listStoredIdentifiers,
} from "../../identifiers.ts";
import type { SuppressionMatcher } from "../../pool.ts";
import type { PoolQueries, PoolRows, RandomSource } from "../pool-context.ts";

/** The suppression list in memory. */
export interface ListedSuppression extends SuppressionMatcher {
  holds(identifier: Identifier): boolean;
}

const hashesAtOnce = 1000;

/** @returns the given identifiers that are on the list, each with the receipt ids of the erasures that suppress it. */
export function* findSuppressed(
  rows: PoolQueries,
  identifiers: Iterable<Identifier>,
): Work<ReadonlyMap<Identifier, readonly string[]>> {
  const { queries, tables } = rows;
  const { suppressed } = tables;
  const salts = yield* listSalts(rows);
  // Computes no identifiers if the list is empty, as in almost every pool.
  if (salts.length === 0) return new Map();
  const hashed = [...identifiers].flatMap((identifier) =>
    salts.map((salt) => ({ identifier, hash: hashIdentifier(salt, identifier) })),
  );
  const found = new Map<Identifier, string[]>();
  for (const some of splitInBatches(hashed, hashesAtOnce)) {
    const hashes = some.map(({ hash }) => hash);
    const stored = yield* fetchRows(
      queries.select().from(suppressed).where(inArray(suppressed.hash, hashes)),
    );
    const receipts = Map.groupBy(stored, ({ hash }) => toText(hash));
    for (const { identifier, hash } of some) {
      const ids = (receipts.get(toText(hash)) ?? []).map(({ receiptId }) => receiptId);
      if (ids.length > 0) found.set(identifier, [...(found.get(identifier) ?? []), ...ids]);
    }
  }
  return found;
}

/** Adds identifiers to the list. Call it inside a change. @returns the number of given identifiers. */
export function* addSuppressed(
  rows: PoolRows,
  identifiers: ReadonlySet<Identifier>,
  { receiptId, random }: { readonly receiptId: string; readonly random: RandomSource },
): Work<number> {
  const { queries, tables } = rows;
  const salt = yield* requireSalt(rows, random);
  const added = [...identifiers].map((one) => ({ hash: hashIdentifier(salt, one), receiptId }));
  for (const some of splitInBatches(added, hashesAtOnce)) {
    yield* execute(queries.insert(tables.suppressed).values(some).onConflictDoNothing());
  }
  yield* rows.countSuppression();
  return identifiers.size;
}

export function* removeSuppressed(rows: PoolRows, receiptId: string): Work<void> {
  const { suppressed } = rows.tables;
  yield* execute(rows.queries.delete(suppressed).where(eq(suppressed.receiptId, receiptId)));
  yield* rows.countSuppression();
}

export function* listSalts({
  queries,
  tables: { suppressionSalts },
}: PoolQueries): Work<readonly Buffer[]> {
  const { id, salt } = suppressionSalts;
  const rows = yield* fetchRows(queries.select({ salt }).from(suppressionSalts).orderBy(asc(id)));
  return rows.map((row) => row.salt);
}

const saltBytes = 32;

function* requireSalt(rows: PoolQueries, random: RandomSource): Work<Buffer> {
  const [stored] = yield* listSalts(rows);
  if (stored) return stored;
  const salt = Buffer.from(random(saltBytes));
  yield* execute(rows.queries.insert(rows.tables.suppressionSalts).values({ salt }));
  return salt;
}

/** Reads the suppression list into memory. */
export function* loadSuppression(rows: PoolQueries): Work<ListedSuppression> {
  const { queries, tables } = rows;
  const salts = yield* listSalts(rows);
  const { hash } = tables.suppressed;
  const stored = yield* fetchRows(queries.selectDistinct({ hash }).from(tables.suppressed));
  const hashes = new Set(stored.map((row) => toText(row.hash)));
  const holds = (identifier: Identifier) =>
    salts.some((salt) => hashes.has(toText(hashIdentifier(salt, identifier))));
  // Computes no identifiers if the list is empty, as in almost every pool.
  return {
    holds,
    isSuppressed: (facts) => hashes.size > 0 && listStoredIdentifiers(facts).some(holds),
    holdsAuthorIdentity: (author) => hashes.size > 0 && listAuthorIdentifiers(author).some(holds),
  };
}

/** Returns the hash of an identifier, as the suppression list stores it. */
function hashIdentifier(salt: Uint8Array, identifier: Identifier): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha256", salt).update(identifier).digest());
}

function toText(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
