import type { PostgresDatabase } from "../../../postgres/database.ts";
import type { Import, ImportLock, ImportUnderWay, ProgressNote } from "../../pool.ts";
import { createRunningFault } from "../../rows/import-notes.ts";
import { releaseLock, takeLock } from "../advisory-locks.ts";
import { applyChange, type PoolConnection } from "../changing.ts";
import type { Suppression } from "../erasure/suppression.ts";
import { imports } from "../tables.ts";
import { type ImportSession, readUnderWay, startImportSession } from "./import-lock.ts";
import { publishImport } from "./publish-import.ts";
import { refuseRemovals } from "./refuse-removals.ts";
import { createStaging } from "./staging.ts";
import { hasDead, sweepDead, sweepReplaced } from "./sweep.ts";

/** Runs one import at a time, across all nodes. */
export interface PoolImporting {
  begin(source: string): Promise<Import>;
  lock(source: string): Promise<ImportLock>;
  noteProgress(progress: ProgressNote): Promise<void>;
  underWay(): Promise<ImportUnderWay | undefined>;
  reclaim(): Promise<boolean>;
  /** Aborts an import that is still open, and lets others import. */
  close(): Promise<void>;
}

export interface ImportingParts {
  readonly database: PostgresDatabase;
  readonly now: () => Date;
  readonly suppression: Pick<Suppression, "readMatcher">;
}

export function createImporting(parts: ImportingParts): PoolImporting {
  const { database, now } = parts;
  let held: HeldLock | undefined;
  let isTaking = false;
  const take = async (source: string): Promise<HeldLock> => {
    if (held || isTaking) throw createRunningFault();
    isTaking = true;
    try {
      const session = await startImportSession(database, source, now);
      held = createLock(parts, session, async () => {
        held = undefined;
        await session.release();
      });
      return held;
    } finally {
      isTaking = false;
    }
  };
  return {
    lock: take,
    async begin(source) {
      const { beginImport, release } = await take(source);
      try {
        return await beginImport(source, release);
      } catch (error) {
        await release();
        throw error;
      }
    },
    noteProgress: async (progress) => held?.noteProgress(progress),
    underWay: () => readUnderWay(database),
    async reclaim() {
      if (held || !(await hasDead(database))) return false;
      const connection = await takeLock(database, "import");
      if (!connection) return false;
      try {
        await sweepDead(connection, 1);
        return true;
      } finally {
        await releaseLock(connection, "import");
      }
    },
    close: async () => held?.release(),
  };
}

interface HeldLock extends ImportLock {
  beginImport(source: string, onEnd?: () => Promise<void>): Promise<Import>;
  noteProgress(progress: ProgressNote): Promise<void>;
}

function createLock(
  parts: ImportingParts,
  session: ImportSession,
  release: () => Promise<void>,
): HeldLock {
  let running: Import | undefined;
  let isHeld = true;
  return {
    noteProgress: session.noteProgress,
    /** @param onEnd called when the import has ended. */
    async beginImport(source, onEnd = async () => {}) {
      if (running || !isHeld) throw createRunningFault();
      running = await stageImport(session.connection, parts, {
        source,
        onEnd: async () => {
          running = undefined;
          await onEnd();
        },
      });
      return running;
    },
    async release() {
      if (!isHeld) return;
      isHeld = false;
      try {
        await running?.abort();
      } finally {
        await release();
      }
    },
  };
}

interface ImportStart {
  readonly source: string;
  readonly onEnd: () => Promise<void>;
}

/** @param connection the one that holds the lock. */
async function stageImport(
  connection: PoolConnection,
  { now, suppression }: ImportingParts,
  { source, onEnd }: ImportStart,
): Promise<Import> {
  await sweepDead(connection);
  await sweepReplaced(connection, now());
  const importId = await applyChange(connection, async (transaction) => {
    const row = { source, startedAt: now().toISOString() };
    const [added] = await transaction.insert(imports).values(row).returning({ id: imports.id });
    if (!added) throw new Error("An inserted row is returned.");
    return added.id;
  });
  const staging = createStaging(connection, { importId, readSuppression: suppression.readMatcher });
  const removals = new Set<string>();
  let suppressed = 0;
  let isOpen = true;
  const assertOpen = () => {
    if (!isOpen) throw new Error("This import has already ended.");
  };
  const stageRemovals = async () => {
    for (const removed of removals) await staging.removeSource(removed);
  };
  const endAfter = async <T>(last: () => Promise<T>): Promise<T> => {
    isOpen = false;
    try {
      return await last();
    } finally {
      await onEnd();
    }
  };
  return {
    async put(batch, basis) {
      assertOpen();
      const leftOut = await staging.put(batch, basis);
      suppressed += leftOut.length;
      return leftOut;
    },
    async confirm(given, basis) {
      assertOpen();
      return staging.confirm(given, basis);
    },
    // Whoever operates the database watches its disk.
    async requireRoom() {
      assertOpen();
    },
    async remove(logins) {
      assertOpen();
      await staging.remove(logins);
    },
    async removeSource(removed) {
      assertOpen();
      removals.add(removed);
    },
    async limitRemovals(removalsMax) {
      assertOpen();
      await stageRemovals();
      await refuseRemovals(connection.orm, importId, removalsMax);
    },
    async commit() {
      assertOpen();
      await stageRemovals();
      const counts = await publishImport(connection, importId, now().toISOString());
      return endAfter(async () => {
        await sweepReplaced(connection, now());
        return { ...counts, suppressed };
      });
    },
    async abort() {
      if (isOpen) await endAfter(() => sweepDead(connection));
    },
  };
}
