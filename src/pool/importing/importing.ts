import { type Store, StoreFault } from "../../store/store.ts";
import type { Import } from "../pool.ts";
import { imports } from "../tables.ts";
import { showImport } from "./committing.ts";
import { lockImports, type Release } from "./import-lock.ts";
import { openStaging } from "./staging.ts";
import { hasDead, sweepDead, sweepReplaced } from "./sweep.ts";

/** Long enough for another process that only sweeps at its start. */
const waitMilliseconds = 2000;
/** A start must stay quick: what is left then waits for the next import. */
const batchesAtStart = 10;

/**
 * The writing half of the pool: one import at a time, over all processes.
 */
export interface Importing {
  begin(source: string): Import;
  /** Gives up an import that is still open. */
  close(): void;
}

export function openImporting(store: Store, path: string, now: () => Date): Importing {
  let running: Import | undefined;
  sweepAfterCrash(store, path);
  return {
    begin(source) {
      const release = running ? undefined : lockImports(path, waitMilliseconds);
      if (!release) throw new StoreFault("Another import is running. Start this one when it ends.");
      running = stagedImport(store, source, now, () => {
        running = undefined;
        release();
      });
      return running;
    },
    close: () => running?.abort(),
  };
}

function sweepAfterCrash(store: Store, path: string): void {
  if (!hasDead(store)) return;
  const release = lockImports(path, 0);
  if (!release) return;
  try {
    sweepDead(store, batchesAtStart);
  } finally {
    release();
  }
}

function stagedImport(store: Store, source: string, now: () => Date, release: Release): Import {
  const staging = beginStaging(store, source, now, release);
  const removals = new Set<string>();
  let isOpen = true;
  const assertOpen = () => {
    if (!isOpen) throw new Error("This import has already ended.");
  };
  const endAfter = <T>(last: () => T): T => {
    isOpen = false;
    try {
      return last();
    } finally {
      release();
    }
  };
  return {
    put(batch) {
      assertOpen();
      staging.put(batch);
    },
    removeSource(removed) {
      assertOpen();
      removals.add(removed);
    },
    commit() {
      assertOpen();
      for (const removed of removals) staging.removeSource(removed);
      const shown = showImport(store, staging.importId, now().toISOString());
      return endAfter(() => {
        sweepReplaced(store, now());
        return shown;
      });
    },
    abort() {
      if (isOpen) endAfter(() => sweepDead(store));
    },
  };
}

function beginStaging(store: Store, source: string, now: () => Date, release: Release) {
  try {
    sweepDead(store);
    const begun = store.orm
      .insert(imports)
      .values({ source, startedAt: now().toISOString() })
      .returning({ id: imports.id })
      .get();
    return openStaging(store, begun.id);
  } catch (error) {
    release();
    throw error;
  }
}
