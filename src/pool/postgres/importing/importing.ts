import { createImporting } from "../../rows/importing/importing.ts";
import { hasWaste, sweepSome } from "../../rows/importing/sweep.ts";
import { releaseLock, takeLock } from "../advisory-locks.ts";
import { createSessionContext, runWork } from "../postgres-context.ts";
import { type ImportingParts, startImportSession } from "./import-lock.ts";

export function createSharedImporting(parts: ImportingParts) {
  const { database, now } = parts;
  const { port, isHeld, close } = createImporting(
    (...asked) => startImportSession(parts, ...asked),
    now,
  );
  const reclaim = async () => {
    if (isHeld() || !(await runWork(database.orm, (rows) => hasWaste(rows, now())))) return false;
    const connection = await takeLock(database, "import");
    if (!connection) return false;
    try {
      await createSessionContext(connection).change((rows) => sweepSome(rows, now()));
      return true;
    } finally {
      await releaseLock(connection, "import");
    }
  };
  return { port: { ...port, reclaim }, close };
}
