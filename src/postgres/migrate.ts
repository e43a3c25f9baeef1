/** Migrates the schema of one module to its newest version. */
import type { SQL, TransactionSQL } from "bun";
import { Fault } from "../contract/fault.ts";
import { openPostgres, type PostgresDatabase, type PostgresSettings } from "./database.ts";
import { createRightsFault, isRightMissing, toDatabaseFault } from "./database-failure.ts";

export interface SchemaKind {
  readonly name: "control" | "pool" | "search";
  /** SQL of each migration, oldest first. */
  readonly migrations: readonly string[];
}

/** The namespace of this program's advisory locks: "rost" as bytes. */
const lockSpace = 0x72_6f_73_74;

/** Locks of the whole database. A node holds one for the length of a transaction. */
export const advisoryLocks = { migrate: 1, control: 2 } as const;

/** Takes the lock until the end of the transaction. */
export async function lockFor(
  name: keyof typeof advisoryLocks,
  run: (statement: string) => PromiseLike<unknown>,
): Promise<void> {
  await run(`SELECT pg_advisory_xact_lock(${lockSpace}, ${advisoryLocks[name]})`);
}

/**
 * Migrates in one transaction under a lock, because several nodes may start at the same time.
 * @throws Fault if a newer Roster has migrated the schema further, or this user may not create the tables.
 */
export async function migrateSchema(
  { sql, place }: PostgresDatabase,
  kind: SchemaKind,
): Promise<void> {
  try {
    await sql.begin((transaction) => migrate(transaction, kind, place));
  } catch (error) {
    if (!isRightMissing(error)) throw toDatabaseFault(error, place);
    throw createRightsFault(error, place, `make the schema ${kind.name} or its tables`);
  }
}

/** Opens the database and migrates one schema. @throws Fault like `openPostgres` and `migrateSchema`. */
export async function openSchema(
  settings: PostgresSettings,
  kind: SchemaKind,
): Promise<PostgresDatabase> {
  const database = await openPostgres(settings);
  try {
    await migrateSchema(database, kind);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Whether this user may create the schema and its tables. */
export async function canMigrate({ sql }: PostgresDatabase, { name }: SchemaKind) {
  const [row] = await sql`SELECT CASE WHEN to_regnamespace(${name}::text) IS NULL
    THEN has_database_privilege(current_database(), 'CREATE')
    ELSE has_schema_privilege(${name}::text, 'CREATE, USAGE') END AS can`;
  return row.can as boolean;
}

/** @returns the number of applied migrations, which is 0 without a schema. */
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

/** Returns the number of applied migrations. Creates a missing schema. */
async function readForm(sql: SQL, name: string): Promise<number> {
  const [found] = await sql.unsafe(
    `SELECT to_regnamespace('${name}') IS NOT NULL AS schema, to_regclass('${name}.form') IS NOT NULL AS form`,
  );
  // IF NOT EXISTS would need the right to create a schema even if the schema exists.
  if (!found.schema) await sql.unsafe(`CREATE SCHEMA ${name}`);
  if (!found.form) await sql.unsafe(`CREATE TABLE ${name}.form (number integer NOT NULL)`);
  const [row] = await sql.unsafe(`SELECT number FROM ${name}.form`);
  return row?.number ?? 0;
}
