/** Runs one import at a time, across all processes and nodes. */
import { isFault } from "../../../contract/fault.ts";
import type { Assessment } from "../../../contract/people/assessment.ts";
import type { GivenFacts, Import, ImportLock, ImportWait, Pool, ProgressNote } from "../../pool.ts";
import { fetchAdded } from "../change-rows.ts";
import { listJudgedOtherwise } from "../judged-by.ts";
import type { PackedDeveloper } from "../pack-developer.ts";
import type { PoolContext } from "../pool-context.ts";
import { createRunningFault } from "./import-notes.ts";
import { publishImport } from "./publish-import.ts";
import { refuseRemovals } from "./refuse-removals.ts";
import { removeLogins, removeSource } from "./remove-rows.ts";
import { sweep } from "./sweep.ts";

/** Writes rows that stay invisible until their import gets a revision. */
export interface Staging {
  /** @returns the developers left out because they are on the suppression list. */
  put(batch: readonly Assessment[], basis?: string): Promise<readonly PackedDeveloper[]>;
  /** @returns for each developer whether the stored row is up to date. */
  confirm(given: readonly GivenFacts[], basis: string): Promise<readonly boolean[]>;
}

/** Checks the disk before and during an import. */
export interface Room {
  /** @throws Fault (`no_space`) if too little space would be left for a server. */
  require(): void;
  /** Checks the space for the rest of the input. @param share the share of the input that was already put, from 0 to 1. */
  requireRest(share: number): void;
}

/** The held import lock. It ends with its process, so that a dead process does not block others. */
export interface ImportSession {
  /** A context whose writes fail once the lock is lost. */
  readonly context: PoolContext;
  createRoom(): Room;
  createStaging(importId: number): Staging;
  /** Writes the progress for display, at most once a second. */
  noteProgress(progress: ProgressNote): void | Promise<void>;
  /** Deletes the remains of aborted imports. */
  sweepAborted(): Promise<void>;
  release(): void | Promise<void>;
}

/**
 * @param isAskedAgain whether the caller retries until the lock is free. Then each attempt must be short.
 * @throws Fault `import_running`, which names the holder.
 */
export type StartSession = (source: string, isAskedAgain: boolean) => Promise<ImportSession>;

const askAgainMs = 500;

/** Returns the pool's methods for imports, and what only the pool itself calls. */
export function createImporting(startSession: StartSession, now: () => Date) {
  let held: HeldLock | undefined;
  let isTaking = false;
  const take = async (source: string, isAskedAgain = false): Promise<HeldLock> => {
    if (held || isTaking) throw createRunningFault();
    isTaking = true;
    try {
      const session = await startSession(source, isAskedAgain);
      held = createLock(session, now, async () => {
        held = undefined;
        await session.release();
      });
      return held;
    } finally {
      isTaking = false;
    }
  };
  const takeInTime = async (source: string, wait: ImportWait): Promise<HeldLock> => {
    for (const end = performance.now() + wait.longestMs; ; ) {
      wait.signal?.throwIfAborted();
      try {
        return await take(source, true);
      } catch (error) {
        if (!isFault(error, "import_running") || performance.now() >= end) throw error;
        wait.onBusy(error.message);
      }
      await Bun.sleep(Math.min(askAgainMs, Math.max(0, end - performance.now())));
    }
  };
  return {
    port: {
      lockImports: (source, wait) => (wait ? takeInTime(source, wait) : take(source)),
      async beginImport(source) {
        const { beginImport, release } = await take(source);
        try {
          return await beginImport(source, release);
        } catch (error) {
          await release();
          throw error;
        }
      },
      noteProgress: async (progress) => held?.noteProgress(progress),
    } satisfies Partial<Pool>,
    /** Whether this process holds the import lock or is about to take it. */
    isHeld: () => held !== undefined || isTaking,
    /** Aborts an import that is still open, and releases the lock. */
    close: async () => held?.release(),
  };
}

interface HeldLock extends ImportLock, Pick<ImportSession, "noteProgress"> {
  /** @param onEnd called when the import has ended. */
  beginImport(source: string, onEnd?: () => Promise<void>): Promise<Import>;
}

function createLock(
  session: ImportSession,
  now: () => Date,
  release: () => Promise<void>,
): HeldLock {
  let running: Import | undefined;
  let isHeld = true;
  return {
    noteProgress: session.noteProgress,
    async beginImport(source, onEnd = async () => {}) {
      if (running || !isHeld) throw createRunningFault();
      running = await stageImport(session, source, {
        now,
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

async function stageImport(
  session: ImportSession,
  source: string,
  { now, onEnd }: { readonly now: () => Date; readonly onEnd: () => Promise<void> },
): Promise<Import> {
  const { context } = session;
  await sweep(context, now());
  const room = session.createRoom();
  room.require();
  const startedAt = now().toISOString();
  const { id } = await context.change(({ queries, tables: { imports } }) =>
    fetchAdded(queries.insert(imports).values({ source, startedAt }).returning({ id: imports.id })),
  );
  const staging = session.createStaging(id);
  const removals = new Set<string>();
  let suppressed = 0;
  let isOpen = true;
  const assertOpen = () => {
    if (!isOpen) throw new Error("This import has already ended.");
  };
  const stageRemovals = async () => {
    for (const removed of removals) await removeSource(context, id, removed);
  };
  const endAfter = async (last: () => Promise<void>): Promise<void> => {
    isOpen = false;
    try {
      await last();
    } finally {
      await onEnd();
    }
  };
  return {
    async put(batch, basis) {
      assertOpen();
      room.require();
      const leftOut = await staging.put(batch, basis);
      suppressed += leftOut.length;
      return leftOut;
    },
    async confirm(given, basis) {
      assertOpen();
      return staging.confirm(given, basis);
    },
    async judgedOtherwise(model) {
      assertOpen();
      await stageRemovals();
      return context.read((rows) => listJudgedOtherwise(rows, id, model));
    },
    async requireRoom(share) {
      assertOpen();
      room.requireRest(share);
    },
    async remove(logins) {
      assertOpen();
      await removeLogins(context, id, logins);
    },
    async removeSource(removed) {
      assertOpen();
      removals.add(removed);
    },
    async limitRemovals(removalsMax) {
      assertOpen();
      await stageRemovals();
      await context.read((rows) => refuseRemovals(rows, id, removalsMax));
    },
    async commit() {
      assertOpen();
      await stageRemovals();
      const published = await publishImport(context, id, now().toISOString());
      const counts = { ...published, suppressed };
      await endAfter(() => sweep(context, now()));
      return counts;
    },
    async abort() {
      if (isOpen) await endAfter(session.sweepAborted);
    },
  };
}
