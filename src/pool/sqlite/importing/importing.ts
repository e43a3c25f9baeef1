import { Fault } from "../../../contract/fault.ts";
import type { Database } from "../../../sqlite/database.ts";
import { type Immediate, toPromises } from "../../../sqlite/to-promises.ts";
import type { Import, SuppressionMatcher } from "../../pool.ts";
import { imports } from "../tables.ts";
import { lockImports, type Release } from "./import-lock.ts";
import { publishImport } from "./publish-import.ts";
import { createStaging } from "./staging.ts";
import { hasDead, sweepDead, sweepReplaced } from "./sweep.ts";

/** Long enough for another process that only sweeps when it starts. */
const waitMilliseconds = 2000;
/** A start must stay quick: the rest waits for the next import. */
const batchesAtStart = 10;

/** Runs one import at a time, across all processes. */
export interface PoolImporting {
  begin(source: string): Import;
  /** Aborts an import that is still open. */
  close(): void;
}

export interface ImportingOptions {
  readonly store: Database;
  readonly path: string;
  readonly now: () => Date;
  readonly isReadOnly: boolean;
  /** Called for every developer of an import. */
  readonly isSuppressed: SuppressionMatcher["isSuppressed"];
}

export function createImporting(parts: ImportingOptions): PoolImporting {
  const { store, path } = parts;
  let running: Immediate<Import> | undefined;
  if (!parts.isReadOnly) sweepAfterCrash(store, path);
  return {
    begin(source) {
      const release = running ? undefined : lockImports(path, waitMilliseconds);
      if (!release)
        throw new Fault("store", "Another import is running. Start this one when it ends.");
      running = stagedImport(parts, source, () => {
        running = undefined;
        release();
      });
      return toPromises<Import>(running);
    },
    close: () => running?.abort(),
  };
}

function sweepAfterCrash(store: Database, path: string): void {
  if (!hasDead(store)) return;
  const release = lockImports(path, 0);
  if (!release) return;
  try {
    sweepDead(store, batchesAtStart);
  } finally {
    release();
  }
}

function stagedImport(
  parts: ImportingOptions,
  source: string,
  release: Release,
): Immediate<Import> {
  const { store, now } = parts;
  const staging = beginStaging(parts, source, release);
  const removals = new Set<string>();
  let suppressed = 0;
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
      const leftOut = staging.put(batch);
      suppressed += leftOut.length;
      return leftOut;
    },
    remove(logins) {
      assertOpen();
      staging.remove(logins);
    },
    removeSource(removed) {
      assertOpen();
      removals.add(removed);
    },
    commit() {
      assertOpen();
      for (const removed of removals) staging.removeSource(removed);
      const counts = publishImport(store, staging.importId, now().toISOString());
      return endAfter(() => {
        sweepReplaced(store, now());
        return { ...counts, suppressed };
      });
    },
    abort() {
      if (isOpen) endAfter(() => sweepDead(store));
    },
  };
}

function beginStaging(parts: ImportingOptions, source: string, release: Release) {
  const { store, now, isSuppressed } = parts;
  try {
    sweepDead(store);
    const { id } = store.orm
      .insert(imports)
      .values({ source, startedAt: now().toISOString() })
      .returning({ id: imports.id })
      .get();
    return createStaging(store, id, isSuppressed);
  } catch (error) {
    release();
    throw error;
  }
}
