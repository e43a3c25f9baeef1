/** Brings the part of a database that belongs to one module to its newest form. */
import type { SQL, TransactionSQL } from "bun";
import { Fault } from "../contract/fault.ts";
import type { PostgresDatabase } from "./database.ts";
import { findPostgresError, toDatabaseFault } from "./database-failure.ts";

export interface SchemaKind {
  /** The schema that holds its tables, and the word for messages. */
  readonly name: "control" | "pool" | "search";
  /** SQL of each migration, oldest first. */
  readonly migrations: readonly string[];
}

/** Number of an advisory lock: "rost", as bytes. Any number that other programs in the database do not take. */
const lockSpace = 0x72_6f_73_74;

/** Locks of the whole database, that nodes hold for the length of a transaction. */
export const advisoryLocks = { migrate: 1, control: 2 } as const;

/** Waits for the lock, which goes with the transaction. What is read after it, is as the holder before left it. */
export async function lockFor(
  name: keyof typeof advisoryLocks,
  run: (statement: string) => PromiseLike<unknown>,
): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${lockSpace}, ${advisoryLocks[name]})`);
}

/**
 * In one transaction under a lock, so that nodes may start together.
 *
 * @throws Fault when a newer Roster has been here, or this user may not make the tables.
 */
export async function migrateSchema(
  { sql, place }: PostgresDatabase,
  kind: SchemaKind,
): Promise<void> {
  try {
    await sql.begin((transaction) => migrate(transaction, kind, place));
  } catch (error) {
    if (findPostgresError(error)?.errno !== "42501") throw toDatabaseFault(error, place);
    const text = `${place}: this user may not make the schema ${kind.name} or its tables: ${(error as Error).message}`;
    throw new Fault("database", text, { cause: error });
  }
}

/** @returns how many migrations the schema has had; 0 where there is none. Changes nothing. */
export async function readSchemaForm(
  { sql }: PostgresDatabase,
  { name }: SchemaKind,
): Promise<number> {
  const [found] = await sql.unsafe(`SELECT to_regclass('${name}.form') IS NOT NULL AS form`);
  if (!found.form) return 0;
  const [row] = await sql.unsafe(`SELECT number FROM ${name}.form`);
  return row?.number ?? 0;
}

async function migrate(
  sql: TransactionSQL,
  { name, migrations }: SchemaKind,
  place: string,
): Promise<void> {
  await lockFor("migrate", (statement) => sql.unsafe(statement));
  await sql.unsafe("SET LOCAL statement_timeout = 0");
  const known = await readForm(sql, name);
  const newest = migrations.length;
  if (known > newest) {
    const forms = `form ${known}, this one knows ${newest}`;
    throw new Fault(
      "database",
      `${place} was written by a newer Roster (${name}: ${forms}). Use that version.`,
    );
  }
  for (const migration of migrations.slice(known)) await sql.unsafe(migration).simple();
  if (known === newest) return;
  await sql.unsafe(`DELETE FROM ${name}.form`);
  await sql.unsafe(`INSERT INTO ${name}.form (number) VALUES (${newest})`);
}

/** How many migrations the schema has had; makes it where it is missing. */
async function readForm(sql: SQL, name: string): Promise<number> {
  const [found] = await sql.unsafe(
    `SELECT to_regnamespace('${name}') IS NOT NULL AS schema, to_regclass('${name}.form') IS NOT NULL AS form`,
  );
  // Not IF NOT EXISTS: that needs the right to make one even where there is one.
  if (!found.schema) await sql.unsafe(`CREATE SCHEMA ${name}`);
  if (!found.form) await sql.unsafe(`CREATE TABLE ${name}.form (number integer NOT NULL)`);
  const [row] = await sql.unsafe(`SELECT number FROM ${name}.form`);
  return row?.number ?? 0;
}
