/**
 * The only way to open and close a SQLite file. A file can be damaged if it is renamed or linked while a connection is open. So
 * `close` closes everything or throws, and `folder/move-files.ts` moves no open file. The runtime's own `close` leaves a
 * connection open until its last statement is garbage-collected.
 */
import { type Changes, constants, type SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export type Access =
  /** Reads and writes. Creates a missing file. */
  | "create"
  /** Reads and writes an existing file. */
  | "write"
  /** Reads. Uses the locks and shared memory of the write-ahead log, if there is one. */
  | "read"
  /** Reads. Uses the existing shared memory of the write-ahead log without changing it. */
  | "readShared"
  /** Reads without locks. No process may change the file meanwhile. */
  | "immutable";

/** The URL parameter for a kind of access. Most kinds need no parameter. */
const parameters: { readonly [Key in Access]?: string } = {
  readShared: "readonly_shm=1",
  immutable: "immutable=1",
};

/**
 * The open connections of this thread. The set keeps them from being garbage-collected, because that would release their locks.
 */
const opened = new Set<Connection>();

/** One SQL statement. Values can be embedded in a template. */
type Sql = string | TemplateStringsArray;

const toText = (sql: Sql) => (typeof sql === "string" ? sql : sql.join("?"));

export class Connection extends Sqlite {
  /** The path as given, or ":memory:". */
  readonly path: string;
  readonly access: Access;
  /** Identifies the opened file, even if the path now names another file. Undefined for a database in memory. */
  readonly file: FileIdentity | undefined;
  /** A counter that a module increments when this connection changes data that the module caches. */
  changes = 0;

  /** @param source a path, ":memory:", or the bytes of a database to open in memory. @throws SQLite's error. */
  constructor(source: string | Uint8Array, access: Access) {
    super(...toArguments(source, access));
    this.path = typeof source === "string" ? source : ":memory:";
    this.access = access;
    this.file = this.path === ":memory:" ? undefined : identifyFile(this.path);
    if (this.file !== undefined) opened.add(this);
  }

  /** Reads the rows of a query. A template may contain values: readRows`SELECT ... WHERE id = ${id}`. */
  readRows<Row>(sql: Sql, ...values: SQLQueryBindings[]): Row[] {
    return this.query<Row, SQLQueryBindings[]>(toText(sql)).all(...values);
  }

  /** Reads the first row. Returns undefined if there is no row. */
  readRow<Row>(sql: Sql, ...values: SQLQueryBindings[]): Row | undefined {
    return this.query<Row, SQLQueryBindings[]>(toText(sql)).get(...values) ?? undefined;
  }

  /** Reads the first value of each row. */
  readColumn<Value>(sql: Sql, ...values: SQLQueryBindings[]): Value[] {
    const rows = this.query<unknown, SQLQueryBindings[]>(toText(sql)).values(...values);
    return rows.map(([value]) => value as Value);
  }

  /** Reads the first value of the first row. Returns undefined if there is no row or the value is null. */
  readValue<Value>(sql: Sql, ...values: SQLQueryBindings[]): Value | undefined {
    return this.readColumn<Value | null>(sql, ...values)[0] ?? undefined;
  }

  /** Runs one statement, which stays prepared. */
  execute(sql: Sql, ...values: SQLQueryBindings[]): Changes {
    return this.query<unknown, SQLQueryBindings[]>(toText(sql)).run(...values);
  }

  /** Runs work in one transaction, which takes the write lock at its beginning. */
  transact<Result>(act: () => Result): Result {
    return this.transaction(act).immediate();
  }

  /** Closes the connection and its statements. @throws SQLite's error if the file remains open. */
  override close(): void {
    super.close(true);
    opened.delete(this);
  }
}

function toArguments(
  source: string | Uint8Array,
  access: Access,
): ConstructorParameters<typeof Sqlite> {
  // The base class also accepts bytes, which its type omits.
  if (typeof source !== "string") return [source as unknown as string, { strict: true }];
  const path = source;
  if (access === "create") return [path, { create: true, strict: true }];
  if (access === "write") return [path, { create: false, readwrite: true, strict: true }];
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  const query = parameters[access] === undefined ? "" : `?${parameters[access]}`;
  return [`${pathToFileURL(path).href}${query}`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI];
}

/** The device and inode of a file, as text. They do not change when the file is renamed. */
export type FileIdentity = string;

/** @returns undefined when there is no such file. */
export function identifyFile(path: string): FileIdentity | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}

/** Returns this thread's open connections to this file, under any name, or to files in this folder. */
export function findConnections(path: string): readonly Connection[] {
  const identity = identifyFile(path);
  const start = `${resolve(path)}/`;
  return [...opened].filter(
    (connection) =>
      connection.file !== undefined &&
      (connection.file === identity || resolve(connection.path).startsWith(start)),
  );
}
