/** The pool's suppression list, kept a second time beside the accounts. */
import { asc, inArray, isNotNull, sql } from "drizzle-orm";
import type { ErasureReceipt, SuppressionList } from "../../contract/people/erasure-receipt.ts";
import type { Database } from "../../sqlite/database.ts";
import type { Immediate } from "../../sqlite/to-promises.ts";
import type { FolderRecords } from "../folder-records.ts";
import type { Transact } from "./folder-rows.ts";
import { keptErasures, keptHashes, keptSalts } from "./tables.ts";

export function createErasureRows(
  { orm }: Database,
  transact: Transact,
): Immediate<Pick<FolderRecords, "erasures" | "suppressionList" | "addSuppressionList">> {
  const receipts = () => orm.select().from(keptErasures).orderBy(asc(keptErasures.at)).all();
  const salts = () => orm.select().from(keptSalts).orderBy(asc(keptSalts.id)).all();
  return {
    erasures: () => receipts().map(asReceipt),
    suppressionList() {
      const hashes = Map.groupBy(orm.select().from(keptHashes).all(), (row) => row.receiptId);
      return {
        salts: salts().map(({ salt }) => salt),
        erasures: receipts().map((row) => ({
          ...asReceipt(row),
          hashes: (hashes.get(row.receiptId) ?? []).map(({ hash }) => hash),
        })),
      };
    },
    addSuppressionList: (list) =>
      transact(() => {
        for (const salt of list.salts) {
          const row = { salt: Buffer.from(salt) };
          orm.insert(keptSalts).values(row).onConflictDoNothing().run();
        }
        for (const erasure of list.erasures) addErasure({ orm }, erasure);
        const undone = orm
          .select({ id: keptErasures.receiptId })
          .from(keptErasures)
          .where(isNotNull(keptErasures.undoneAt));
        orm.delete(keptHashes).where(inArray(keptHashes.receiptId, undone)).run();
      }),
  };
}

function addErasure(
  { orm }: Pick<Database, "orm">,
  { id, hashes, ...receipt }: SuppressionList["erasures"][number],
): void {
  const { completedAt = null, undoneAt = null, reason = null } = receipt;
  orm
    .insert(keptErasures)
    .values({ ...receipt, receiptId: id, reason, completedAt, undoneAt })
    .onConflictDoUpdate({
      target: keptErasures.receiptId,
      set: {
        completedAt: sql`coalesce(${keptErasures.completedAt}, excluded.completed_at)`,
        undoneAt: sql`coalesce(${keptErasures.undoneAt}, excluded.undone_at)`,
      },
    })
    .run();
  for (const hash of hashes) {
    const row = { hash: Buffer.from(hash), receiptId: id };
    orm.insert(keptHashes).values(row).onConflictDoNothing().run();
  }
}

function asReceipt(row: typeof keptErasures.$inferSelect): ErasureReceipt {
  const { receiptId, reason, completedAt, undoneAt, ...counts } = row;
  return {
    id: receiptId,
    ...counts,
    ...(reason === null ? {} : { reason }),
    ...(completedAt === null ? {} : { completedAt }),
    ...(undoneAt === null ? {} : { undoneAt }),
  };
}
