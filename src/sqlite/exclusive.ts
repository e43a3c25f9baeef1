import { drizzle } from "drizzle-orm/bun-sqlite";
import { Fault } from "../contract/fault.ts";
import { Connection } from "./connection.ts";
import { type Database, toOpenFault } from "./database.ts";

/** A database that no other process has open or can open. */
export interface ExclusiveDatabase extends Database {
  /** Writes the database's state to a new file, without its free pages. */
  copyTo(path: string): void;
}

/**
 * Opens a database of any version for this process only, until `close` or the end of the process.
 * @throws Fault `folder_in_use` if another process has it open. @throws Fault `store` if it cannot be opened.
 */
export function openExclusively(path: string): ExclusiveDatabase {
  let sqlite: Connection | undefined;
  try {
    sqlite = new Connection(path, "write");
    sqlite.run("PRAGMA busy_timeout = 2000");
    // Every connection to the file has a shared lock, so this fails while another connection exists.
    sqlite.run("PRAGMA locking_mode = EXCLUSIVE");
    sqlite.run("BEGIN EXCLUSIVE");
    sqlite.run("COMMIT");
    const taken = sqlite;
    return {
      orm: drizzle(taken),
      sqlite: taken,
      path,
      isNew: false,
      copyTo: (target) => void taken.execute`VACUUM INTO ${target}`,
      close: () => taken.close(),
    };
  } catch (error) {
    sqlite?.close();
    if (/^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code))) {
      throw new Fault("folder_in_use", `${path} is in use by another process.`, { cause: error });
    }
    throw toOpenFault(error, path);
  }
}
