/** Compares control.db with its high-water mark when it is opened, and moves the mark with every commit. */
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../contract/fault.ts";
import type { Database } from "../../sqlite/database.ts";
import { removeDeadDrafts } from "../../sqlite/folder/draft.ts";
import {
  type CountedCalls,
  createHighWaterMark,
  getHighWaterMarkPath,
  type HighWaterMark,
  type HighWaterMarkWriter,
  openHighWaterMark,
  readHighWaterMark,
} from "../../sqlite/folder/high-water-mark.ts";
import { runAtOnce } from "../../sqlite/run-at-once.ts";
import { appendAudit, hasChainHead, readChainHead } from "../rows/audit-rows.ts";
import { recordLossRow } from "../rows/folder-rows.ts";
import { tables } from "./tables.ts";

/** @throws Fault if the database is gone although its high-water mark exists. */
export function readMark(path: string): HighWaterMark | undefined {
  if (path === ":memory:") return undefined;
  const markPath = getHighWaterMarkPath(path);
  // There may be drafts without a mark, if a crash interrupted the writing of the first mark.
  if (existsSync(dirname(path))) removeDeadDrafts(markPath);
  const marked = readHighWaterMark(markPath);
  if (!marked || existsSync(path)) return marked;
  throw new Fault("data_lost", `${path} is missing, but ${markPath} shows that it existed.`);
}

/**
 * Compares the database with its high-water mark, and records what it has lost.
 * @returns a text about the loss. `undefined` means that nothing is lost.
 * @throws Fault if the mark belongs to another database.
 */
export function recordLostWrites(
  store: Database,
  marked: HighWaterMark,
  { path, name }: { readonly path: string; readonly name: string },
): string | undefined {
  if (marked.name !== name) {
    throw new Fault(
      "data_lost",
      `${path} is not the database that ${getHighWaterMarkPath(path)} belongs to: it was swapped. Put the right file back, or delete the mark to keep this file.`,
    );
  }
  const lost = describeLoss(store, marked);
  if (!lost) return undefined;
  const { what, at } = lost;
  const text = `${path} has lost ${what}: its -wal file was damaged or removed, or an older copy was put in its place`;
  const record = store.sqlite.transaction(() =>
    runAtOnce(store.orm, (queries) =>
      recordLossRow(queries, tables, { what: text, at }, (by) => appendAudit(queries, tables, by)),
    ),
  );
  record.immediate();
  return text;
}

function describeLoss(
  store: Database,
  { audit, counted }: HighWaterMark,
): { readonly what: string; readonly at: Date } | undefined {
  const until = (at: Date) => `committed by ${at.toISOString()}`;
  if (!runAtOnce(store.orm, (queries) => hasChainHead(queries, tables, audit))) {
    const at = new Date(audit.atMs ?? counted?.atMs ?? 0);
    return { what: `changes of accounts or keys ${until(at)}`, at };
  }
  if (!counted) return undefined;
  const { charges } = readInstance(store);
  if (charges >= counted.charges) return undefined;
  const at = new Date(counted.atMs);
  const calls = counted.charges - charges;
  return { what: `${calls} counted ${calls === 1 ? "call" : "calls"} ${until(at)}`, at };
}

function readInstance({ orm }: Database) {
  const { charges, latestMs } = tables.instance;
  const row = orm.select({ charges, latestMs }).from(tables.instance).get();
  return row ?? { charges: 0, latestMs: 0 };
}

/** Removes the high-water mark. The database is then accepted as it is. */
export function removeMark(path: string): void {
  rmSync(getHighWaterMarkPath(path), { force: true });
}

export type MarkMover = ReturnType<typeof createMarkMover>;

/**
 * Updates the high-water mark after commits. If it cannot be written, calls still succeed.
 * @param isStale whether the mark must be created again.
 */
export function createMarkMover(
  store: Database,
  {
    path,
    name,
    isStale,
  }: { readonly path: string; readonly name: string; readonly isStale: boolean },
) {
  const markPath = getHighWaterMarkPath(path);
  const readHead = () => runAtOnce(store.orm, (queries) => readChainHead(queries, tables));
  let writer: HighWaterMarkWriter | undefined;
  const create = () => {
    const { charges, latestMs } = readInstance(store);
    const counted = { charges, atMs: latestMs };
    return createHighWaterMark(markPath, { name, audit: readHead(), counted });
  };
  let mustCreate = isStale;
  const attempt = (write: (writer: HighWaterMarkWriter) => void) => {
    if (path === ":memory:") return;
    try {
      writer ??= mustCreate || !existsSync(markPath) ? create() : openHighWaterMark(markPath);
      mustCreate = false;
      write(writer);
    } catch {
      writer?.close();
      writer = undefined;
    }
  };
  if (isStale) attempt(() => {});
  return {
    /** Called after a commit with audit entries. */
    moveAudit: () => attempt((to) => to.writeAudit({ name, audit: readHead() })),
    moveCounted: (counted: CountedCalls) => attempt((to) => to.writeCounted(counted)),
    close: () => writer?.close(),
  };
}
