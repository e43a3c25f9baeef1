/**
 * A new file, made by the migrations, has the tables that the code declares. A change of a `tables.ts` without a migration
 * fails here, and so does a migration that does something else; the difference says what the next migration must do.
 */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { controlFile } from "../../src/control/sqlite/sqlite-control-store.ts";
import { tables as control } from "../../src/control/sqlite/tables.ts";
import { ledgerFile } from "../../src/ingest/git/ledger/ledger.ts";
import * as ledger from "../../src/ingest/git/ledger/tables.ts";
import { poolFile } from "../../src/pool/sqlite/sqlite-pool.ts";
import { poolTables as pool } from "../../src/pool/sqlite/tables.ts";
import { fileState } from "../../src/sqlite/file-state.ts";

const files = [
  { kind: controlFile, tables: control },
  { kind: poolFile, tables: { ...pool, fileState } },
  { kind: ledgerFile, tables: ledger },
] as const;

describe("a new file has the tables that the code declares", () => {
  test.each(files)("$kind.name", async ({ kind, tables }) => {
    const declared = describeTables(await generate(tables));
    const names = new Set(declared.map(({ table }) => table));
    // The code reads the other tables of the ledger in SQL, and tests of the ledger fail without them.
    const migrated = describeTables(kind.migrations);
    expect(migrated.filter(({ table }) => kind !== ledgerFile || names.has(table))).toEqual(
      declared,
    );
  });
});

async function generate(tables: Record<string, unknown>): Promise<string[]> {
  const nothing = await generateSQLiteDrizzleJson({});
  return generateSQLiteMigration(nothing, await generateSQLiteDrizzleJson(tables));
}

/** For each table its columns, indexes and foreign keys, as SQLite knows them. */
function describeTables(statements: readonly string[]) {
  using file = new Database(":memory:", { strict: true });
  for (const statement of statements) file.run(statement);
  const read = (sql: string, ...values: string[]) => file.query(sql).all(...values);
  const names = read("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return (names as { name: string }[]).map(({ name }) => ({
    table: name,
    columns: read(
      `SELECT name, lower(type) AS type, "notnull" OR pk > 0 AS isRequired, pk, dflt_value AS standard
       FROM pragma_table_info(?) ORDER BY name`,
      name,
    ),
    indexes: read(
      `SELECT list.origin, list."unique" AS isUnique, list.partial,
         iif(list.origin = 'c', list.name, '') AS name, group_concat(info.name) AS columns
       FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
       GROUP BY list.name ORDER BY origin, name, columns`,
      name,
    ),
    references: read(
      `SELECT "table", "from", "to", on_delete AS onDelete FROM pragma_foreign_key_list(?) ORDER BY "from"`,
      name,
    ),
  }));
}
