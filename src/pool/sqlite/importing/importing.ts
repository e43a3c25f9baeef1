import { isFault } from "../../../contract/fault.ts";
import type { Database } from "../../../sqlite/database.ts";
import { readPages } from "../../../sqlite/pages.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import { guardMethods, toPromises } from "../../../sqlite/to-promises.ts";
import type { Pool } from "../../pool.ts";
import {
  createImporting,
  type ImportSession,
  type StartSession,
} from "../../rows/importing/importing.ts";
import { createStaging } from "../../rows/importing/staging.ts";
import { hasWaste, sweepSome } from "../../rows/importing/sweep.ts";
import type { SqliteContext } from "../sqlite-context.ts";
import { lockImports, readUnderWay, takeImportLock } from "./import-lock.ts";
import { createRoom } from "./room.ts";
import { shrinkPool } from "./shrink.ts";

/** How long to wait for the lock. The wait blocks the thread, so a caller that retries does not wait here. */
const waitMilliseconds = 2000;
/** The most steps of deletion at a start, which must be quick. */
const stepsAtStart = 10;

export interface ImportingOptions {
  readonly store: Database;
  readonly context: SqliteContext;
  readonly now: () => Date;
  readonly isReadOnly: boolean;
}

export function createFileImporting(parts: ImportingOptions) {
  const { store, now } = parts;
  const { path } = store;
  if (!parts.isReadOnly) sweepAfterCrash(parts);
  const { startSession } = toPromises<{ startSession: StartSession }>(path, {
    startSession: (source, isAskedAgain) => startLocked(parts, source, isAskedAgain),
  });
  const { port, isHeld, close } = createImporting(startSession, now);
  const others = toPromises<Pick<Pool, "importUnderWay" | "reclaim">>(path, {
    importUnderWay: () => (path === ":memory:" ? undefined : readUnderWay(path)),
    reclaim: () => !isHeld() && reclaimSome(parts),
  });
  return { port: { ...port, ...others }, close };
}

/** @throws Fault `import_running`. */
function startLocked(
  parts: ImportingOptions,
  source: string,
  isAskedAgain: boolean,
): ImportSession {
  const { store, context, now } = parts;
  const { path } = store;
  const { noteProgress, release } = takeImportLock(path, source, {
    waitMilliseconds: isAskedAgain ? 0 : waitMilliseconds,
    now,
  });
  const { sweepAborted } = toPromises<Pick<ImportSession, "sweepAborted">>(path, {
    sweepAborted: () => void (sweepIfRoom(parts) && shrinkPool(store)),
  });
  return {
    context,
    createRoom: () => guardMethods(path, createRoom(store)),
    createStaging: (importId) => createStaging(context, importId),
    noteProgress,
    sweepAborted,
    release,
  };
}

function sweepAfterCrash({ now: _, ...parts }: ImportingOptions): void {
  // With a time in 1970, only rows of dead imports are deleted.
  const now = () => new Date(0);
  if (!parts.context.readAtOnce((rows) => hasWaste(rows, now()))) return;
  const release = lockImports(parts.store.path, 0);
  if (!release) return;
  try {
    sweepIfRoom({ ...parts, now }, stepsAtStart);
  } finally {
    release();
  }
}

/** Deletes old rows. @returns false if the disk is too full, because deleting needs space. */
function sweepIfRoom(
  { store, context, now }: ImportingOptions,
  steps = Number.POSITIVE_INFINITY,
): boolean {
  try {
    for (
      let step = 0;
      step < steps && context.readAtOnce((rows) => hasWaste(rows, now()));
      step++
    ) {
      context.changeAtOnce((rows) => sweepSome(rows, now()));
    }
    return true;
  } catch (error) {
    if (!isFault(toStoreFault(error, store.path), "no_space")) throw error;
    return false;
  }
}

/** The file is not shrunk if its share of free pages is lower. */
const freeShareMax = 0.1;
const stepsAtOnce = 4;

function reclaimSome(parts: ImportingOptions): boolean {
  const { store, context, now } = parts;
  const { usedBytes, freeBytes } = readPages(store);
  const isSwept = !context.readAtOnce((rows) => hasWaste(rows, now()));
  if (isSwept && freeBytes <= freeShareMax * (usedBytes + freeBytes)) return false;
  const release = lockImports(store.path, 0);
  if (!release) return false;
  try {
    return isSwept ? shrinkPool(store, stepsAtOnce) : sweepIfRoom(parts, 1);
  } finally {
    release();
  }
}
