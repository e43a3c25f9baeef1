import { Fault } from "../contract/fault.ts";
import { Connection } from "./connection.ts";
import { type Database, toDatabase, toOpenFault } from "./database.ts";

/**
 * Opens a database of any version for this process only, until `close` or the end of the process.
 * @throws Fault `folder_in_use` if another process has it open. @throws Fault `store` if it cannot be opened.
 */
export function openExclusively(path: string): Database {
  let sqlite: Connection | undefined;
  try {
    sqlite = new Connection(path, "write");
    sqlite.run("PRAGMA busy_timeout = 2000");
    // Every connection to the file has a shared lock, so this fails while another connection exists.
    sqlite.run("PRAGMA locking_mode = EXCLUSIVE");
    sqlite.run("BEGIN EXCLUSIVE");
    sqlite.run("COMMIT");
    return toDatabase(sqlite, path);
  } catch (error) {
    sqlite?.close();
    if (/^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code))) {
      throw new Fault("folder_in_use", `${path} is in use by another process.`, { cause: error });
    }
    throw toOpenFault(error, path);
  }
}
