/**
 * The one way to open and to close a SQLite file. By default the runtime's `close` leaves a connection open, unseen, until
 * the last statement prepared on it is collected; and SQLite keeps one lock table and one index of the write-ahead log per
 * file (device and inode) and process. A file that is renamed or linked while such a connection exists is afterwards used
 * with an index that no other process has: neither sees what the other commits, and both may write the same pages.
 * So `close` leaves nothing open or throws, and `folder/move-files.ts` moves no file that is open.
 */
import { type Changes, constants, type SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export type Access =
  /** Reads and writes; makes a missing file. */
  | "create"
  /** Reads and writes a file that is there. */
  | "write"
  /** Reads; where there is a log, with its locks and shared memory. */
  | "read"
  /** Reads; the shared memory of the log is there and stays as it is. */
  | "readShared"
  /** Reads, without locks, a file that no process changes. */
  | "immutable";

/** Access that needs a parameter in the file's address. */
const parameters: { readonly [Key in Access]?: string } = {
  readShared: "readonly_shm=1",
  immutable: "immutable=1",
};

/**
 * The open connections of this thread: their files must not be moved. The set also keeps a lock that no variable refers to from
 * garbage collection, which would release it.
 */
const opened = new Set<Connection>();

/** A statement, or a template with values. */
type Sql = string | TemplateStringsArray;

const toText = (sql: Sql) => (typeof sql === "string" ? sql : sql.join("?"));

export class Connection extends Sqlite {
  /** As given; ":memory:" without a file. */
  readonly path: string;
  readonly access: Access;
  /** Of the file that was opened, whatever has its name now; absent without a file. */
  readonly file: FileIdentity | undefined;
  /**
   * A counter that a module raises with each change by this connection of data that it caches. SQLite counts changes too, but asking
   * it at each call takes longer than the cache saves.
   */
  changes = 0;

  /**
   * @param source a path; ":memory:"; or the bytes of a database, which is then in memory.
   * @throws SQLite's error.
   */
  constructor(source: string | Uint8Array, access: Access) {
    super(...toArguments(source, access));
    this.path = typeof source === "string" ? source : ":memory:";
    this.access = access;
    this.file = this.path === ":memory:" ? undefined : identifyFile(this.path);
    if (this.file !== undefined) opened.add(this);
  }

  /** The rows of a query. Values stand in the statement where they are used: readRows`SELECT ... WHERE id = ${id}`. */
  readRows<Row>(sql: Sql, ...values: SQLQueryBindings[]): Row[] {
    return this.query<Row, SQLQueryBindings[]>(toText(sql)).all(...values);
  }

  /** The first row; undefined without one. */
  readRow<Row>(sql: Sql, ...values: SQLQueryBindings[]): Row | undefined {
    return this.query<Row, SQLQueryBindings[]>(toText(sql)).get(...values) ?? undefined;
  }

  /** The first value of each row. */
  readColumn<Value>(sql: Sql, ...values: SQLQueryBindings[]): Value[] {
    const rows = this.query<unknown, SQLQueryBindings[]>(toText(sql)).values(...values);
    return rows.map(([value]) => value as Value);
  }

  /** The first value of the first row; undefined without one, and for null. */
  readValue<Value>(sql: Sql, ...values: SQLQueryBindings[]): Value | undefined {
    return this.readColumn<Value | null>(sql, ...values)[0] ?? undefined;
  }

  /** Runs one statement, which stays prepared. */
  execute(sql: Sql, ...values: SQLQueryBindings[]): Changes {
    return this.query<unknown, SQLQueryBindings[]>(toText(sql)).run(...values);
  }

  /** In one transaction, which may write from its begin on. */
  transact<Result>(act: () => Result): Result {
    return this.transaction(act).immediate();
  }

  /** Finalises every statement; using one later throws. @throws SQLite's error when the file stays open all the same. */
  override close(): void {
    super.close(true);
    opened.delete(this);
  }
}

function toArguments(
  source: string | Uint8Array,
  access: Access,
): ConstructorParameters<typeof Sqlite> {
  // The base class takes bytes too, which its type leaves out.
  if (typeof source !== "string") return [source as unknown as string, { strict: true }];
  const path = source;
  if (access === "create") return [path, { create: true, strict: true }];
  if (access === "write") return [path, { create: false, readwrite: true, strict: true }];
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  const query = parameters[access] === undefined ? "" : `?${parameters[access]}`;
  return [`${pathToFileURL(path).href}${query}`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI];
}

/** Device and inode, as text: the same file has the same, whatever its name. */
export type FileIdentity = string;

/** @returns undefined when there is no such file. */
export function identifyFile(path: string): FileIdentity | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}

/** Connections of this thread that are open to this file, by whatever name it was opened, or to one below this folder. */
export function findConnections(path: string): readonly Connection[] {
  const identity = identifyFile(path);
  const start = `${resolve(path)}/`;
  return [...opened].filter(
    (connection) =>
      connection.file !== undefined &&
      (connection.file === identity || resolve(connection.path).startsWith(start)),
  );
}
