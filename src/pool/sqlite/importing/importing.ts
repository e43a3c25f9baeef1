import { isFault } from "../../../contract/fault.ts";
import type { Database } from "../../../sqlite/database.ts";
import { readPages } from "../../../sqlite/pages.ts";
import { toStoreFault } from "../../../sqlite/store-fault.ts";
import { type Immediate, toPromises } from "../../../sqlite/to-promises.ts";
import type { Import, ImportLock, ImportUnderWay, ProgressNote } from "../../pool.ts";
import { createRunningFault } from "../../rows/import-notes.ts";
import type { Suppression } from "../erasure/suppression.ts";
import { imports } from "../tables.ts";
import { lockImports, lockWithNote, type Release, readUnderWay } from "./import-lock.ts";
import { publishImport } from "./publish-import.ts";
import { refuseRemovals } from "./refuse-removals.ts";
import { createRoom } from "./room.ts";
import { shrinkPool } from "./shrink.ts";
import { createStaging } from "./staging.ts";
import { hasDead, sweepDead, sweepReplaced } from "./sweep.ts";

/** Long enough for another process that only sweeps when it starts. */
const waitMilliseconds = 2000;
/** A start must stay quick: the rest waits for the next import. */
const batchesAtStart = 10;

/** Runs one import at a time, across all processes. */
export interface PoolImporting {
  begin(source: string): Import;
  lock(source: string): Immediate<ImportLock>;
  noteProgress(progress: ProgressNote): void;
  underWay(): ImportUnderWay | undefined;
  /** Gives back a little of the space that imports have left. @returns whether more is left. */
  reclaim(): boolean;
  /** Aborts an import that is still open, and lets others import. */
  close(): void;
}

export interface ImportingOptions {
  readonly store: Database;
  readonly path: string;
  readonly now: () => Date;
  readonly isReadOnly: boolean;
  /** Asked about every developer of an import. */
  readonly suppression: Pick<Suppression, "isEmpty" | "holds">;
}

export function createImporting(parts: ImportingOptions): PoolImporting {
  const { store, path } = parts;
  let held: HeldLock | undefined;
  let noteProgress: PoolImporting["noteProgress"] = () => {};
  if (!parts.isReadOnly) sweepAfterCrash(store, path);
  const lock = (source: string): HeldLock => {
    if (held) throw createRunningFault();
    const file = lockWithNote(path, source, { waitMilliseconds, now: parts.now });
    noteProgress = file.noteProgress;
    held = createLock(parts, () => {
      held = undefined;
      noteProgress = () => {};
      file.release();
    });
    return held;
  };
  return {
    lock,
    begin(source) {
      const { beginImport, release } = lock(source);
      try {
        return beginImport(source, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    noteProgress: (progress) => noteProgress(progress),
    underWay: () => (path === ":memory:" ? undefined : readUnderWay(path)),
    reclaim: () => !held && reclaimSome(store, path),
    close: () => held?.release(),
  };
}

type HeldLock = ReturnType<typeof createLock>;

function createLock(parts: ImportingOptions, release: Release) {
  let running: Immediate<Import> | undefined;
  let isHeld = true;
  return {
    /** @param onEnd called when the import has ended. */
    beginImport(source: string, onEnd: Release = () => {}): Import {
      if (running || !isHeld) throw createRunningFault();
      running = stagedImport(parts, source, () => {
        running = undefined;
        onEnd();
      });
      return toPromises<Import>(parts.path, running);
    },
    release(): void {
      if (!isHeld) return;
      isHeld = false;
      try {
        running?.abort();
      } finally {
        release();
      }
    },
  };
}

function sweepAfterCrash(store: Database, path: string): void {
  if (!hasDead(store)) return;
  const release = lockImports(path, 0);
  if (!release) return;
  try {
    sweepIfRoom(store, batchesAtStart);
  } finally {
    release();
  }
}

/** Sweeping writes too: without any room it waits for the next time, and stops nothing else. */
function sweepIfRoom(store: Database, batches?: number): boolean {
  try {
    sweepDead(store, batches);
    return true;
  } catch (error) {
    if (!isFault(toStoreFault(error, store.path), "no_space")) throw error;
    return false;
  }
}

/** Fewer free pages than this stay for the next import. */
const freeShareMax = 0.1;
const stepsAtOnce = 4;

function reclaimSome(store: Database, path: string): boolean {
  const { usedBytes, freeBytes } = readPages(store);
  const isSwept = !hasDead(store);
  if (isSwept && freeBytes <= freeShareMax * (usedBytes + freeBytes)) return false;
  const release = lockImports(path, 0);
  if (!release) return false;
  try {
    if (isSwept) return shrinkPool(store, stepsAtOnce);
    return sweepIfRoom(store, 1);
  } finally {
    release();
  }
}

function stagedImport(parts: ImportingOptions, source: string, onEnd: Release): Immediate<Import> {
  const { store, now } = parts;
  const { staging, room } = beginStaging(parts, source);
  const removals = new Set<string>();
  let suppressed = 0;
  let isOpen = true;
  const assertOpen = () => {
    if (!isOpen) throw new Error("This import has already ended.");
  };
  const stageRemovals = () => {
    for (const removed of removals) staging.removeSource(removed);
  };
  const endAfter = <T>(last: () => T): T => {
    isOpen = false;
    try {
      return last();
    } finally {
      onEnd();
    }
  };
  return {
    put(batch, basis) {
      assertOpen();
      room.require();
      const leftOut = staging.put(batch, basis);
      suppressed += leftOut.length;
      return leftOut;
    },
    confirm(given, basis) {
      assertOpen();
      return staging.confirm(given, basis);
    },
    requireRoom(share) {
      assertOpen();
      room.requireRest(share);
    },
    remove(logins) {
      assertOpen();
      staging.remove(logins);
    },
    removeSource(removed) {
      assertOpen();
      removals.add(removed);
    },
    limitRemovals(removalsMax) {
      assertOpen();
      stageRemovals();
      refuseRemovals(store, staging.importId, removalsMax);
    },
    commit() {
      assertOpen();
      stageRemovals();
      const counts = publishImport(store, staging.importId, now().toISOString());
      return endAfter(() => {
        sweepReplaced(store, now());
        return { ...counts, suppressed };
      });
    },
    abort() {
      if (isOpen) endAfter(() => void (sweepIfRoom(store) && shrinkPool(store)));
    },
  };
}

function beginStaging({ store, now, suppression }: ImportingOptions, source: string) {
  sweepDead(store);
  sweepReplaced(store, now());
  const room = createRoom(store);
  room.require();
  const { id } = store.orm
    .insert(imports)
    .values({ source, startedAt: now().toISOString() })
    .returning({ id: imports.id })
    .get();
  return { staging: createStaging(store, id, suppression), room };
}
