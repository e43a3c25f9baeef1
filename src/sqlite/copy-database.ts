/** Copies a SQLite file while other processes use it, and summarizes the content of a database. */
import { existsSync } from "node:fs";
import { Fault } from "../contract/fault.ts";
import { Connection } from "./connection.ts";
import { readFormNumber } from "./database.ts";
import { measureFile } from "./file-form.ts";
import { removeDatabase } from "./folder/move-files.ts";
import { readPages } from "./pages.ts";
import { readStamp } from "./read-only.ts";

/** One figure about a database. `sql` selects one row with one column, `value`. */
export interface DatabaseFigure {
  /** The table that the figure is about. Files of earlier versions may lack the table. */
  readonly table: string;
  readonly sql: string;
}

/**
 * Writes one committed state of a database to a new file, without free pages. Other processes may use the database meanwhile.
 * @throws Fault if the database is damaged or cannot be read. @throws the system's error if the copy cannot be written.
 */
export function copyDatabase(path: string, copy: string): void {
  read(path, (sqlite) => {
    // The copy is temporary, so it need not be synced.
    sqlite.run("PRAGMA synchronous = OFF");
    // The earlier attempt without locks may have left a partial copy.
    removeDatabase(copy);
    sqlite.execute`VACUUM INTO ${copy}`;
  });
}

/**
 * Changes a copy that nobody else uses. Nothing remains of the values that are replaced.
 * @param table the table that the statement changes. Files of earlier versions may lack it.
 */
export function replaceInCopy(copy: string, table: string, sql: string): void {
  using sqlite = new Connection(copy, "write");
  if (!sqlite.readValue`SELECT 1 FROM sqlite_schema WHERE name = ${table}`) return;
  sqlite.run("PRAGMA journal_mode = MEMORY");
  sqlite.run("PRAGMA secure_delete = ON");
  sqlite.run(sql);
}

/** @returns the size that a copy will have. @throws Fault like `copyDatabase`. */
export function measureDatabase(path: string): number {
  return read(path, (sqlite) => readPages({ sqlite }).usedBytes);
}

/**
 * @returns SQLite's application_id, the number of migrations applied, and the figures by name, without those of missing tables.
 * @throws Fault like `copyDatabase`.
 */
export function summariseDatabase<Name extends string>(
  path: string,
  wanted: Readonly<Record<Name, DatabaseFigure>>,
) {
  return read(path, (sqlite) => {
    const figures: { [Key in Name]?: number | string } = {};
    for (const [name, { table, sql }] of Object.entries<DatabaseFigure>(wanted)) {
      const isThere = sqlite.readValue`SELECT 1 FROM sqlite_schema WHERE name = ${table}`;
      if (!isThere) continue;
      const value = sqlite.readValue<number | string>(sql);
      if (value !== undefined) figures[name as Name] = value;
    }
    const applicationId = sqlite.readValue<number>`PRAGMA application_id` ?? 0;
    return { applicationId, form: readFormNumber(sqlite), figures };
  });
}

/** @param sql selects one column, `value`. @throws Fault like `copyDatabase`. */
export function readDigests(path: string, sql: string): readonly Uint8Array[] {
  return read(path, (sqlite) => sqlite.readColumn<Uint8Array>(sql));
}

/** Reads a database without migrating it, and leaves no files next to it. Uses locks only if a process uses the database. */
function read<Result>(path: string, use: (sqlite: Connection) => Result): Result {
  try {
    if (isUnused(path)) {
      const stamp = readStamp(path);
      const wasAlone = () => isUnused(path) && readStamp(path) === stamp;
      try {
        const result = open(path, "immutable", use);
        if (wasAlone()) return result;
      } catch (error) {
        if (wasAlone()) throw error;
      }
    }
    return open(path, "read", use);
  } catch (error) {
    throw toFault(error, path);
  }
}

function isUnused(path: string): boolean {
  return measureFile(`${path}-wal`) === 0 && !existsSync(`${path}-shm`);
}

function open<Result>(
  path: string,
  access: "immutable" | "read",
  use: (sqlite: Connection) => Result,
): Result {
  using sqlite = new Connection(path, access);
  sqlite.run("PRAGMA busy_timeout = 10000");
  return use(sqlite);
}

function toFault(error: unknown, path: string): unknown {
  const code = String((error as { code?: unknown }).code);
  const reason = error instanceof Error ? error.message : String(error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new Fault("damaged", `${path} is damaged or not a database: ${reason}.`, {
      cause: error,
    });
  }
  // The copy could not be written. The caller knows its path.
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return error;
  return new Fault("store", `${path} cannot be read: ${reason}.`, { cause: error });
}
