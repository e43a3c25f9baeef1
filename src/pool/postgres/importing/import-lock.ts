import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import type { PostgresDatabase, PostgresSession } from "../../../postgres/database.ts";
import type { ImportUnderWay } from "../../pool.ts";
import {
  createNoter,
  createRunningFault,
  describeHolder,
  parseProgress,
} from "../../rows/importing/import-notes.ts";
import type { ImportSession } from "../../rows/importing/importing.ts";
import { createStaging } from "../../rows/importing/staging.ts";
import { sweep } from "../../rows/importing/sweep.ts";
import { lockKeys, releaseLock, takeLock } from "../advisory-locks.ts";
import { createSessionContext } from "../postgres-context.ts";
import { importNotes } from "../tables.ts";

export interface ImportingParts {
  readonly database: PostgresDatabase;
  readonly now: () => Date;
}

const pauseMs = 100;

/** @package @returns undefined if the lock is still taken after the last attempt. */
export async function takeImportLock(
  database: PostgresDatabase,
  attempts = 10,
): Promise<PostgresSession | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await Bun.sleep(pauseMs);
    const connection = await takeLock(database, "import");
    if (connection) return connection;
  }
  return undefined;
}

/** @package @throws Fault `import_running`, which names the holder. */
export async function startImportSession(
  { database, now }: ImportingParts,
  source: string,
  isAskedAgain: boolean,
): Promise<ImportSession> {
  const connection = await takeImportLock(database, isAskedAgain ? 1 : undefined);
  if (!connection) throw createRunningFault((await readUnderWay(database))?.holder);
  const holder = describeHolder(source, now(), hostname());
  const write = async (progress: string | null) => {
    const note = { holder, progress };
    await connection.commitOne((statements) =>
      statements
        .insert(importNotes)
        .values({ id: 1, ...note })
        .onConflictDoUpdate({ target: importNotes.id, set: note }),
    );
  };
  await write(null);
  const context = createSessionContext(connection);
  return {
    context,
    // Never checks for space, because the database may be on another machine.
    createRoom: () => ({ require() {}, requireRest() {} }),
    createStaging: (importId) => createStaging(context, importId),
    sweepAborted: () => sweep(context, now()),
    noteProgress: createNoter(write),
    release: () => releaseLock(connection, "import"),
  };
}

/** @returns the import that runs now, on any node. Undefined if none runs. */
export async function readUnderWay({
  orm,
}: Pick<PostgresDatabase, "orm">): Promise<ImportUnderWay | undefined> {
  const isHeld = sql<boolean>`EXISTS (
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = ${lockKeys.import}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
  const { holder, progress } = importNotes;
  const [found] = await orm.select({ holder, progress, isHeld }).from(importNotes);
  if (!found?.isHeld) return undefined;
  return { holder: found.holder, progress: parseProgress(found.progress ?? "") };
}
