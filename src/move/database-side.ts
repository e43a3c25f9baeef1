/** A PostgreSQL database as the source or the target of a move. */
import type { SQL, TransactionSQL } from "bun";
import { closeAtEnd } from "../contract/close-at-end.ts";
import { Fault } from "../contract/fault.ts";
import {
  controlSchemaKind,
  openPostgresControlStore,
} from "../control/postgres/postgres-control-store.ts";
import { poolSchemaKind } from "../pool/postgres/postgres-pool.ts";
import { openPostgres, type PostgresDatabase } from "../postgres/database.ts";
import { toDatabaseFault } from "../postgres/database-failure.ts";
import { migrateSchema } from "../postgres/migrate.ts";
import { describeMove } from "../sqlite/folder/move-note.ts";
import type { Giver, MovedColumn, Numbers, PoolState, Row, Table, Taker } from "./table.ts";

const rowsPerStep = 500;

/** Tables that are not moved, because a folder stores their data differently or not at all. */
const unlike = ["form", "pool_state", "import_note", "data_file", "search_index"];

/** Columns that are not moved. Only the database has the first ones. A backup of one side says nothing of the other. */
const unmoved = [
  ...["findable.score", "findable.names", "findable.exact_keys"],
  "instance.backed_up_ms",
];

/**
 * Opens a database that no node uses. Creates its tables, and runs the work in one transaction.
 * @package
 * @throws Fault if nodes are connected, or the database cannot be used.
 */
export async function runOnDatabase<Result>(
  url: string,
  access: "read" | "write",
  use: (side: Giver & Taker, tables: readonly Table[]) => Promise<Result>,
): Promise<Result> {
  await using database = closeAtEnd(await openPostgres({ url, connectionsMax: 1 }));
  try {
    for (const kind of [controlSchemaKind, poolSchemaKind]) await migrateSchema(database, kind);
    const mode =
      access === "read" ? "ISOLATION LEVEL REPEATABLE READ" : "ISOLATION LEVEL READ COMMITTED";
    return (await database.sql.begin(mode, async (sql) => {
      // The connection may be idle for a long time while the other side works.
      await sql.unsafe("SET LOCAL idle_in_transaction_session_timeout = 0");
      await sql.unsafe("SET LOCAL statement_timeout = 0");
      await refuseNodes(sql, database);
      const tables = await listTables(sql);
      if (access === "write") await empty(sql, tables, database);
      return use({ ...createSide(sql, database), leave: (to) => leave(url, database, to) }, tables);
    })) as Result;
  } catch (error) {
    throw toDatabaseFault(error, database.place);
  }
}

/** Refuses the move if nodes are connected. Waits a second for the connections of a command that has just ended. */
async function refuseNodes(sql: SQL, { place }: PostgresDatabase): Promise<void> {
  for (let leftMs = 1000; ; leftMs -= 100) {
    const [row] =
      await sql`SELECT count(*)::int AS n, pg_stat_clear_snapshot() FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'roster' AND pid <> pg_backend_pid()`;
    if (row.n === 0) return;
    const text = `Nodes or commands use ${place}: ${row.n} connections.`;
    if (leftMs === 0) throw new Fault("nodes_connected", text);
    await Bun.sleep(100);
  }
}

interface FoundColumn {
  readonly store: Table["store"];
  readonly name: string;
  readonly column: string;
  readonly type: string;
}

/** Orders tables so that a referenced table comes before those that refer to it. */
async function listTables(sql: SQL): Promise<readonly Table[]> {
  const found: readonly FoundColumn[] = await sql`
    SELECT table_schema AS store, table_name AS name, column_name AS column, data_type AS type
    FROM information_schema.columns WHERE table_schema IN ('control', 'pool')
    ORDER BY table_schema, table_name, ordinal_position`;
  const moved = found.filter(({ name, column }) => !unmoved.includes(`${name}.${column}`));
  const references: readonly { child: string; parent: string }[] = await sql`
    SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent
    FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`;
  const tables = [...Map.groupBy(moved, ({ store, name }) => `${store}.${name}`).values()]
    .map((columns) => toTable(columns))
    .filter(({ name }) => !unlike.includes(name));
  const ordered = new Set<Table>();
  const place = (table: Table) => {
    if (ordered.has(table)) return;
    for (const { child, parent } of references) {
      if (child.replaceAll('"', "") !== `${table.store}.${table.name}`) continue;
      const before = tables.find(
        ({ store, name }) => `${store}.${name}` === parent.replaceAll('"', ""),
      );
      if (before) place(before);
    }
    ordered.add(table);
  };
  for (const table of tables) place(table);
  return [...ordered];
}

function toTable(columns: readonly FoundColumn[]): Table {
  const [{ store, name }] = columns as [FoundColumn];
  return { store, name, columns: columns.map(toColumn) };
}

const types: Readonly<Record<string, MovedColumn["type"]>> = {
  bytea: "bytes",
  boolean: "boolean",
  bigint: "number",
  integer: "number",
  "double precision": "number",
  text: "text",
};

function toColumn({ column, type }: FoundColumn): MovedColumn {
  const known = types[type];
  if (!known) throw new Error(`no way is known to move a column of type ${type}`);
  return { name: column, type: known };
}

const nameOf = ({ store, name }: Table) => `"${store}"."${name}"`;

/** Removes the rows that opening a store writes. @throws Fault if there are other rows. */
async function empty(
  sql: SQL,
  tables: readonly Table[],
  { place }: PostgresDatabase,
): Promise<void> {
  // A node that starts meanwhile waits for this lock. It then finds the moved rows.
  await sql.unsafe(
    "LOCK TABLE control.account, control.instance, pool.pool_state IN EXCLUSIVE MODE",
  );
  await sql.unsafe("DELETE FROM control.instance");
  for (const table of tables) {
    const [found] = await sql.unsafe(`SELECT 1 FROM ${nameOf(table)} LIMIT 1`);
    if (!found) continue;
    throw new Fault("target_not_empty", `${place} is not empty: it has rows in ${nameOf(table)}.`);
  }
}

/** Records the move in the database. No node is ready until an operator accepts the move. */
async function leave(url: string, { place }: PostgresDatabase, to: string): Promise<void> {
  await using control = closeAtEnd(await openPostgresControlStore({ url, connectionsMax: 1 }));
  const at = new Date();
  await control.folder.recordLoss(describeMove(place, { to, at: at.toISOString() }), at);
}

function createSide(
  sql: TransactionSQL,
  { place }: PostgresDatabase,
): Omit<Giver, "leave"> & Taker {
  return {
    place,
    async count(table) {
      const [row] = await sql.unsafe(`SELECT count(*)::int AS n FROM ${nameOf(table)}`);
      return row.n;
    },
    async *read(table) {
      const selected = table.columns.map(
        ({ name, type }) => `${reading[type](`"${name}"`)} AS "${name}"`,
      );
      await sql.unsafe(
        `DECLARE moving NO SCROLL CURSOR FOR SELECT ${selected.join(", ")} FROM ${nameOf(table)}`,
      );
      try {
        for (;;) {
          const rows: readonly Record<string, Row[number]>[] = await sql.unsafe(
            `FETCH ${rowsPerStep} FROM moving`,
          );
          if (rows.length === 0) return;
          yield rows.map((row) => table.columns.map(({ name }) => row[name] ?? null));
        }
      } finally {
        await sql.unsafe("CLOSE moving").catch(() => {});
      }
    },
    async write(table, rows) {
      const { columns } = table;
      const list = columns.map(({ name }) => `"${name}"`).join(", ");
      const given = rows.map((row) =>
        Object.fromEntries(columns.map(({ name, type }, at) => [name, toJson(type, row[at])])),
      );
      await sql.unsafe(
        `INSERT INTO ${nameOf(table)} (${list}) OVERRIDING SYSTEM VALUE
          SELECT ${list} FROM json_populate_recordset(NULL::${nameOf(table)}, $1::text::json)`,
        [JSON.stringify(given)],
      );
    },
    numbers: () => readNumbers(sql),
    async poolState() {
      const [row] = await sql`SELECT name, revision, changes FROM pool.pool_state`;
      return row as PoolState;
    },
    async finish(numbers, state) {
      await emptyIndex(sql);
      await finish(sql, numbers, state);
    },
  };
}

const reading: Readonly<Record<MovedColumn["type"], (column: string) => string>> = {
  bytes: (column) => `encode(${column}, 'hex')`,
  boolean: (column) => `${column}::int`,
  number: (column) => `${column}::float8`,
  text: (column) => column,
};

function toJson(type: MovedColumn["type"], value: Row[number] | undefined): Row[number] | boolean {
  if (value === null || value === undefined) return null;
  if (type === "bytes") return `\\x${value}`;
  return type === "boolean" ? value === 1 : value;
}

/** Removes the search index, which belongs to the people before the move. Nodes rebuild it. */
async function emptyIndex(sql: SQL): Promise<void> {
  const found: readonly { name: string }[] = await sql`
    SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name
    FROM information_schema.tables WHERE table_schema = 'search' AND table_name <> 'form'`;
  if (found.length > 0) await sql.unsafe(`TRUNCATE ${found.map(({ name }) => name).join(", ")}`);
}

const listSequences = async (sql: SQL): Promise<readonly { table: string; sequence: string }[]> =>
  await sql`SELECT table_schema || '.' || table_name AS table,
      pg_get_serial_sequence(table_schema || '.' || table_name, column_name) AS sequence
    FROM information_schema.columns
    WHERE is_identity = 'YES' AND table_schema IN ('control', 'pool')`;

async function readNumbers(sql: SQL): Promise<Numbers> {
  const numbers = new Map<string, number>();
  for (const { table, sequence } of await listSequences(sql)) {
    const [row] = await sql.unsafe(
      `SELECT (CASE WHEN is_called THEN last_value ELSE 0 END)::float8 AS n FROM ${sequence}`,
    );
    if (row.n > 0) numbers.set(table, row.n);
  }
  return numbers;
}

async function finish(
  sql: SQL,
  numbers: Numbers,
  { name, revision, changes }: PoolState,
): Promise<void> {
  for (const { table, sequence } of await listSequences(sql)) {
    const number = numbers.get(table);
    if (number) await sql`SELECT setval(${sequence}::text::regclass, ${number}::text::bigint)`;
  }
  await sql`UPDATE pool.pool_state SET name = ${name}, revision = ${revision}, changes = ${changes},
    suppression = suppression + 1`;
}
