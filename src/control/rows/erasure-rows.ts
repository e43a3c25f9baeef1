/** A copy of the pool's suppression list, stored with the accounts. */
import { asc, inArray, isNotNull, sql } from "drizzle-orm";
import type { ErasureReceipt, SuppressionList } from "../../contract/people/erasure-receipt.ts";
import { execute, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { ControlRow, ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** @package */
export function createErasureRows({ tables, read, transact }: RowsContext) {
  const { erasures, suppressedHashes, suppressionSalts } = tables;
  return {
    suppressionList: (): Promise<SuppressionList> =>
      read(function* (queries) {
        // The receipts are read first, so that an erasure that is added meanwhile is left out as a whole.
        const receipts = yield* fetchRows(
          queries.select().from(erasures).orderBy(asc(erasures.at)),
        );
        const rows = yield* fetchRows(queries.select().from(suppressedHashes));
        const hashes = Map.groupBy(rows, (row) => row.receiptId);
        const salts = yield* fetchRows(
          queries.select().from(suppressionSalts).orderBy(asc(suppressionSalts.id)),
        );
        return {
          salts: salts.map(({ salt }) => salt),
          erasures: receipts.map((row) => ({
            ...toReceipt(row),
            hashes: (hashes.get(row.receiptId) ?? []).map(({ hash }) => hash),
          })),
        };
      }),
    /** Adds the erasures that are not stored yet. An erasure that the list calls undone becomes undone in the store too. */
    addSuppressionList: (list: SuppressionList): Promise<void> =>
      transact(function* (queries) {
        for (const salt of list.salts) {
          const row = { salt: Buffer.from(salt) };
          yield* execute(queries.insert(suppressionSalts).values(row).onConflictDoNothing());
        }
        for (const erasure of list.erasures) yield* addErasure(queries, tables, erasure);
        const undone = queries
          .select({ id: erasures.receiptId })
          .from(erasures)
          .where(isNotNull(erasures.undoneAt));
        const isUndone = inArray(suppressedHashes.receiptId, undone);
        yield* execute(queries.delete(suppressedHashes).where(isUndone));
      }),
  };
}

function* addErasure(
  queries: Queries,
  { erasures, suppressedHashes }: ControlTables,
  { id, hashes, ...receipt }: SuppressionList["erasures"][number],
): Work<void> {
  const { completedAt = null, undoneAt = null, reason = null } = receipt;
  // The greater number is kept, because an erasure covers more once more is known about the person.
  const greater = (name: "developers" | "rows" | "identifiers") => {
    const [stored, given] = [erasures[name], sql`excluded.${sql.identifier(name)}`];
    return sql`case when ${given} > ${stored} then ${given} else ${stored} end`;
  };
  yield* execute(
    queries
      .insert(erasures)
      .values({ ...receipt, receiptId: id, reason, completedAt, undoneAt })
      .onConflictDoUpdate({
        target: erasures.receiptId,
        set: {
          developers: greater("developers"),
          rows: greater("rows"),
          identifiers: greater("identifiers"),
          completedAt: sql`coalesce(${erasures.completedAt}, excluded.completed_at)`,
          undoneAt: sql`coalesce(${erasures.undoneAt}, excluded.undone_at)`,
        },
      }),
  );
  const rows = hashes.map((hash) => ({ hash: Buffer.from(hash), receiptId: id }));
  if (rows.length > 0) {
    yield* execute(queries.insert(suppressedHashes).values(rows).onConflictDoNothing());
  }
}

function toReceipt(row: ControlRow<"erasures">): ErasureReceipt {
  const { receiptId, reason, completedAt, undoneAt, ...counts } = row;
  return {
    id: receiptId,
    ...counts,
    ...(reason === null ? {} : { reason }),
    ...(completedAt === null ? {} : { completedAt }),
    ...(undoneAt === null ? {} : { undoneAt }),
  };
}
