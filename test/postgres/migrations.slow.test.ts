/**
 * New schemas, made by the migrations, have the tables that the code declares: as `test/sqlite/migrations.test.ts` holds it
 * for files.
 */
import { describe, expect, test } from "bun:test";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { controlSchemaKind } from "../../src/control/postgres/postgres-control-store.ts";
import { tables as control, controlSchema } from "../../src/control/postgres/tables.ts";
import { poolSchemaKind } from "../../src/pool/postgres/postgres-pool.ts";
import * as pool from "../../src/pool/postgres/tables.ts";
import { openPostgres, type PostgresDatabase } from "../../src/postgres/database.ts";
import { migrateSchema } from "../../src/postgres/migrate.ts";
import { searchSchemaKind } from "../../src/search/database/schema.ts";
import * as search from "../../src/search/database/tables.ts";
import { hasPostgres, newDatabase } from "./database.ts";

const schemas = [
  { kind: controlSchemaKind, tables: { controlSchema, ...control } },
  { kind: poolSchemaKind, tables: { ...pool, ...pool.poolTables } },
  { kind: searchSchemaKind, tables: search },
] as const;

describe.skipIf(!hasPostgres)("a new schema has the tables that the code declares", () => {
  test.each(schemas)("$kind.name", async ({ kind, tables }) => {
    const migrated = await describeSchema(kind.name, (database) => migrateSchema(database, kind));
    const declared = await describeSchema(kind.name, async ({ sql }) => {
      const statements = await generateMigration(
        generateDrizzleJson({}),
        generateDrizzleJson(tables),
      );
      for (const statement of statements) await sql.unsafe(mendArrays(statement));
    });
    expect(migrated).toEqual(declared);
  });
});

/** drizzle-kit puts the brackets of an array behind the collation, which PostgreSQL does not read. */
const mendArrays = (statement: string) => statement.replaceAll('COLLATE "C"[]', '[] COLLATE "C"');

/** Its columns, indexes and constraints, as PostgreSQL knows them, in a new database. */
async function describeSchema(
  name: string,
  create: (database: PostgresDatabase) => Promise<void>,
): Promise<Record<string, unknown[]>> {
  const database = await openPostgres({ url: await newDatabase(), connectionsMax: 1 });
  try {
    await create(database);
    const { sql } = database;
    const columns = await sql`
      SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default, identity_generation
      FROM information_schema.columns WHERE table_schema = ${name} AND table_name <> 'form'
      ORDER BY table_name, column_name`;
    const indexes = await sql`
      SELECT tablename, regexp_replace(indexdef, 'INDEX \S+ ON', 'INDEX ON') AS definition
      FROM pg_indexes WHERE schemaname = ${name} ORDER BY tablename, definition`;
    const constraints = await sql`
      SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE connamespace = ${name}::regnamespace ORDER BY 1, 2`;
    return { columns: [...columns], indexes: [...indexes], constraints: [...constraints] };
  } finally {
    await database.close();
  }
}
