/** The suppression list of erased people: salted hashes, as in SQLite, so that a list can move from one to the other. */
import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Statements } from "../../../postgres/database.ts";
import { type Identifier, listAuthorIdentifiers, listKeptIdentifiers } from "../../identifiers.ts";
import type { SuppressionMatcher } from "../../pool.ts";
import { hashIdentifier, type SaltSource, saltBytes } from "../../rows/suppression-hash.ts";
import { poolState, suppressed, suppressionSalts } from "../tables.ts";

/** The list in memory. */
export interface ListedSuppression extends SuppressionMatcher {
  holds(identifier: Identifier): boolean;
}

export interface Suppression {
  /** The list as this query or transaction sees it, in memory; read again when it has changed. */
  readMatcher(orm: Statements): Promise<ListedSuppression>;
  /** The given identifiers that are on the list, each with the receipt ids of the erasures that added it. */
  find(
    orm: Statements,
    identifiers: Iterable<Identifier>,
  ): Promise<ReadonlyMap<Identifier, readonly string[]>>;
  /** Call it inside a change. @returns how many there are. */
  add(orm: Statements, identifiers: ReadonlySet<Identifier>, receiptId: string): Promise<number>;
  remove(orm: Statements, receiptId: string): Promise<void>;
}

const hashesAtOnce = 1000;

export function createSuppression(random: SaltSource): Suppression {
  let known: { readonly version: number; readonly matcher: ListedSuppression } | undefined;
  return {
    async readMatcher(orm) {
      const version = await readVersion(orm);
      if (known?.version !== version) known = { version, matcher: await loadMatcher(orm) };
      return known.matcher;
    },
    async find(orm, identifiers) {
      const salts = await listSalts(orm);
      const byHash = new Map<string, Identifier>();
      for (const identifier of identifiers) {
        for (const salt of salts) byHash.set(toText(hashIdentifier(salt, identifier)), identifier);
      }
      const found = new Map<Identifier, string[]>();
      const hashes = [...byHash.keys()];
      for (let at = 0; at < hashes.length; at += hashesAtOnce) {
        const some = hashes.slice(at, at + hashesAtOnce).map((hash) => Buffer.from(hash, "hex"));
        for (const row of await orm
          .select()
          .from(suppressed)
          .where(inArray(suppressed.hash, some))) {
          const identifier = byHash.get(toText(row.hash));
          if (identifier === undefined) continue;
          found.set(identifier, [...(found.get(identifier) ?? []), row.receiptId]);
        }
      }
      return found;
    },
    async add(orm, identifiers, receiptId) {
      const salt = await requireSalt(orm, random);
      const rows = [...identifiers].map((one) => ({ hash: hashIdentifier(salt, one), receiptId }));
      for (let at = 0; at < rows.length; at += hashesAtOnce) {
        const some = rows.slice(at, at + hashesAtOnce);
        await orm.insert(suppressed).values(some).onConflictDoNothing();
      }
      await countChange(orm);
      return identifiers.size;
    },
    async remove(orm, receiptId) {
      await orm.delete(suppressed).where(eq(suppressed.receiptId, receiptId));
      await countChange(orm);
    },
  };
}

/** @package Makes every process read the list again. */
export async function countChange(orm: Statements): Promise<void> {
  await orm.update(poolState).set({ suppression: sql`${poolState.suppression} + 1` });
}

/** @package */
export async function listSalts(orm: Statements): Promise<readonly Uint8Array[]> {
  const rows = await orm.select().from(suppressionSalts).orderBy(asc(suppressionSalts.id));
  return rows.map(({ salt }) => salt);
}

async function readVersion(orm: Statements): Promise<number> {
  const [state] = await orm.select({ version: poolState.suppression }).from(poolState);
  return state?.version ?? 0;
}

async function requireSalt(orm: Statements, random: SaltSource): Promise<Uint8Array> {
  const [stored] = await listSalts(orm);
  if (stored) return stored;
  const salt = Buffer.from(random(saltBytes));
  await orm.insert(suppressionSalts).values({ salt });
  return salt;
}

async function loadMatcher(orm: Statements): Promise<ListedSuppression> {
  const salts = await listSalts(orm);
  const rows = await orm.selectDistinct({ hash: suppressed.hash }).from(suppressed);
  const hashes = new Set(rows.map(({ hash }) => toText(hash)));
  const holds = (identifier: Identifier) =>
    salts.some((salt) => hashes.has(toText(hashIdentifier(salt, identifier))));
  // Almost every pool has no list: then the identifiers are not needed.
  return {
    holds,
    isSuppressed: (facts) => hashes.size > 0 && listKeptIdentifiers(facts).some(holds),
    holdsAuthorIdentity: (author) => hashes.size > 0 && listAuthorIdentifiers(author).some(holds),
  };
}

function toText(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
