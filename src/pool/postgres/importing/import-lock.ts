import { eq, sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession } from "../../../postgres/database.ts";
import type { ImportUnderWay, ProgressNote } from "../../pool.ts";
import { createRunningFault, describeHolder, parseProgress } from "../../rows/import-notes.ts";
import { importNotes } from "../tables.ts";

/** Any number, as long as it is always the same: PostgreSQL names such locks by numbers. */
const lockKey = 7_766_101;

/** @package The right to import, which ends with its connection, so that a node that dies never blocks the next. */
export interface ImportSession {
  /** The connection that holds the lock: what is written on it cannot outlive the lock. */
  readonly connection: PostgresSession;
  /** At most once a second, whatever the caller does. */
  noteProgress(progress: ProgressNote): Promise<void>;
  release(): Promise<void>;
}

const attempts = 10;
const pauseMs = 100;
const noteEveryMs = 1000;
const labelLengthMax = 300;

/** @package @param waits whether to wait a second for another holder. @returns undefined when there is one. */
export async function takeImportLock(
  database: PostgresDatabase,
  { waits }: { readonly waits: boolean },
): Promise<PostgresSession | undefined> {
  const connection = await database.reserve();
  try {
    for (let attempt = 0; attempt < (waits ? attempts : 1); attempt++) {
      if (attempt > 0) await Bun.sleep(pauseMs);
      const isFree = sql<boolean>`pg_try_advisory_lock(${lockKey})`;
      const [row] = await connection.orm.select({ isHeld: isFree }).from(sql`(SELECT 1) AS once`);
      if (row?.isHeld) return connection;
    }
  } catch (error) {
    connection.release();
    throw error;
  }
  connection.release();
  return undefined;
}

/** @package */
export async function releaseImportLock(connection: PostgresSession): Promise<void> {
  try {
    await connection.orm.execute(sql`SELECT pg_advisory_unlock(${lockKey})`);
  } finally {
    connection.release();
  }
}

/** @package @throws Fault `import_running` with the words of the holder. */
export async function startImportSession(
  database: PostgresDatabase,
  source: string,
  now: () => Date,
): Promise<ImportSession> {
  const connection = await takeImportLock(database, { waits: true });
  if (!connection) throw createRunningFault((await readUnderWay(database))?.holder);
  const { orm } = connection;
  const holder = describeHolder(source, now());
  const write = async (progress: string | null) => {
    const note = { holder, progress };
    await orm
      .insert(importNotes)
      .values({ id: 1, ...note })
      .onConflictDoUpdate({ target: importNotes.id, set: note });
  };
  await write(null);
  let notedMs = Number.NEGATIVE_INFINITY;
  return {
    connection,
    async noteProgress(progress) {
      const nowMs = performance.now();
      if (nowMs - notedMs < noteEveryMs) return;
      notedMs = nowMs;
      const label = progress.label?.slice(0, labelLengthMax);
      await write(JSON.stringify({ ...progress, ...(label !== undefined && { label }) }));
    },
    async release() {
      await orm
        .delete(importNotes)
        .where(eq(importNotes.id, 1))
        .catch(() => {});
      await releaseImportLock(connection);
    },
  };
}

/** @package */
export async function readUnderWay({ orm }: PostgresDatabase): Promise<ImportUnderWay | undefined> {
  const isHeld = sql`EXISTS (
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = ${lockKey}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
  const [note] = await orm.select().from(importNotes).where(isHeld);
  if (!note) return undefined;
  return { holder: note.holder, progress: parseProgress(note.progress ?? "") };
}
