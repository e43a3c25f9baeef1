/** What the store remembers of the pool, and of the people who were erased. */
import { asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { ErasureReceipt, SuppressionList } from "../../contract/people/erasure-receipt.ts";
import type { Statements } from "../../postgres/database.ts";
import type { DataFile, FolderRecords } from "../folder-records.ts";
import type { ControlContext } from "./context.ts";
import { dataFiles, instance, keptErasures, keptHashes, keptSalts, losses } from "./tables.ts";

/** @package */
export function createFolderRecords(context: ControlContext): FolderRecords {
  return { ...createFileRows(context), ...createLossRows(context), ...createErasureRows(context) };
}

function createFileRows({ read, commitOne }: ControlContext) {
  return {
    knownFiles: () =>
      read(async (statements) => {
        const rows = await statements.select().from(dataFiles);
        return Object.fromEntries(rows.map(({ file, ...state }) => [file, state]));
      }),
    async noteFile(file, state, options) {
      const isNewer = sql`${dataFiles.name} = excluded.name AND ${dataFiles.changes} < excluded.changes`;
      await commitOne((statements) =>
        statements
          .insert(dataFiles)
          .values({ file, ...state })
          .onConflictDoUpdate({
            target: dataFiles.file,
            set: state,
            ...(options?.replaces ? {} : { setWhere: isNewer }),
          }),
      );
    },
    async dropFile(file: DataFile) {
      await commitOne((statements) => statements.delete(dataFiles).where(eq(dataFiles.file, file)));
    },
  } satisfies Partial<FolderRecords>;
}

function createLossRows({ read, transact }: ControlContext) {
  return {
    losses: () =>
      read(async (statements) => {
        const rows = await statements
          .select({ what: losses.what })
          .from(losses)
          .where(isNull(losses.acceptedMs))
          .orderBy(asc(losses.id));
        return rows.map(({ what }) => what);
      }),
    recordLoss: (what, at) =>
      transact(async (statements, log) => {
        await statements.insert(losses).values({ what, atMs: at.getTime() });
        await log({
          at,
          actor: "store",
          action: "store.loss",
          subject: "folder",
          detail: { what },
        });
      }),
    acceptLosses: (by) =>
      transact(async (statements, log) => {
        const accepted = await statements
          .update(losses)
          .set({ acceptedMs: by.at.getTime() })
          .where(isNull(losses.acceptedMs))
          .returning({ id: losses.id });
        await log(by);
        return accepted.length;
      }),
    noteBackup: (by) =>
      transact(async (statements, log) => {
        await statements.update(instance).set({ backedUpMs: by.at.getTime() });
        await log(by);
      }),
    lastBackup: () =>
      read(async (statements) => {
        const [row] = await statements.select({ atMs: instance.backedUpMs }).from(instance);
        return row?.atMs ? new Date(row.atMs) : undefined;
      }),
  } satisfies Partial<FolderRecords>;
}

function createErasureRows({ read, transact }: ControlContext) {
  const receipts = (statements: Statements) =>
    statements.select().from(keptErasures).orderBy(asc(keptErasures.at));
  return {
    erasures: () => read(async (statements) => (await receipts(statements)).map(asReceipt)),
    suppressionList: () =>
      read(async (statements) => {
        // In this order: an erasure that is added meanwhile is missing as a whole.
        const erasures = await receipts(statements);
        const rows = await statements.select().from(keptHashes);
        const hashes = Map.groupBy(rows, (row) => row.receiptId);
        const salts = await statements.select().from(keptSalts).orderBy(asc(keptSalts.id));
        return {
          salts: salts.map(({ salt }) => salt),
          erasures: erasures.map((row) => ({
            ...asReceipt(row),
            hashes: (hashes.get(row.receiptId) ?? []).map(({ hash }) => hash),
          })),
        };
      }),
    addSuppressionList: (list) =>
      transact(async (statements) => {
        for (const salt of list.salts) {
          const row = { salt: Buffer.from(salt) };
          await statements.insert(keptSalts).values(row).onConflictDoNothing();
        }
        for (const erasure of list.erasures) await addErasure(statements, erasure);
        const undone = statements
          .select({ id: keptErasures.receiptId })
          .from(keptErasures)
          .where(isNotNull(keptErasures.undoneAt));
        await statements.delete(keptHashes).where(inArray(keptHashes.receiptId, undone));
      }),
  } satisfies Partial<FolderRecords>;
}

async function addErasure(
  statements: Statements,
  { id, hashes, ...receipt }: SuppressionList["erasures"][number],
): Promise<void> {
  const { completedAt = null, undoneAt = null, reason = null } = receipt;
  await statements
    .insert(keptErasures)
    .values({ ...receipt, receiptId: id, reason, completedAt, undoneAt })
    .onConflictDoUpdate({
      target: keptErasures.receiptId,
      set: {
        completedAt: sql`coalesce(${keptErasures.completedAt}, excluded.completed_at)`,
        undoneAt: sql`coalesce(${keptErasures.undoneAt}, excluded.undone_at)`,
      },
    });
  const rows = hashes.map((hash) => ({ hash: Buffer.from(hash), receiptId: id }));
  if (rows.length > 0) await statements.insert(keptHashes).values(rows).onConflictDoNothing();
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
