/** What databases are asked is fixed text: what came from elsewhere goes in as a parameter, so no quote can end a value. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const texts = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: root })]
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** What is put into the text of a statement: names, numbers and fragments that the same file spells out. */
const known = new Set([
  ...["lastAudit", "what", "table"].map((value) => `src/backup/count-holdings.ts ${value}`),
  "src/control/sqlite/merge-control-files.ts table",
  "src/ingest/forges/accounts.ts where",
  "src/ingest/forges/accounts.ts table",
  "src/ingest/forges/sources.ts table",
  "src/ingest/git/erase/erase-histories.ts columns",
  "src/ingest/git/ledger/histories.ts table",
  "src/ingest/git/tally/tally-rows.ts sumColumns",
  "src/ingest/git/tally/tally-rows.ts table",
  "src/control/sqlite/check-content.ts from",
  "src/control/postgres/check-content.ts from",
  // Tables and columns as the database's own catalogue names them, between quotes.
  ...["nameOf(table)", "list", "sequence"].map((value) => `src/move/database-side.ts ${value}`),
  ...["name", "list", 'selected.join(", ")', 'values.join(", ")'].map(
    (value) => `src/move/folder-side.ts ${value}`,
  ),
  "src/pool/sqlite/importing/shrink.ts pagesPerStep",
  // The name of a table of the file that is checked, its quotes doubled.
  `src/sqlite/check-database.ts table.replaceAll("'", "''")`,
  // The schema, `control` or `pool`, the number of its migrations, and those of locks.
  ...["lockSpace", "advisoryLocks[name]", "name", "newest"].map(
    (value) => `src/postgres/migrate.ts ${value}`,
  ),
  'src/sqlite/clean-file.ts isInMemory ? "MEMORY" : "DEFAULT"',
  "src/sqlite/copy-database.ts name",
  "src/sqlite/database.ts busyMilliseconds",
  "src/sqlite/database.ts kind.applicationId",
  "src/sqlite/database.ts kind.migrations.length",
  "src/sqlite/database.ts logBytesMax",
  "src/sqlite/database.ts name",
  "src/sqlite/empty-log.ts usual",
  "src/sqlite/empty-log.ts waitMilliseconds",
  "src/sqlite/folder/noted-lock.ts waitMilliseconds",
  "src/sqlite/pages.ts name",
]);

/** Templates that begin as statements do. Those with a tag, as `sql`, are none: what stands in them becomes a parameter. */
const statement =
  /(?<![\w>])`\(?(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH|PRAGMA|ATTACH|DETACH|VACUUM|CREATE|DROP|ALTER)\b[^`]*`/g;

describe("statements", () => {
  test("hold no text but that of the program", () => {
    const found = texts.flatMap(({ path, text }) =>
      [...text.matchAll(statement)].flatMap(([template]) =>
        [...template.matchAll(/\$\{([^}]*)\}/g)].map(([, value]) => `${path} ${value}`),
      ),
    );
    expect(found.length).toBeGreaterThan(10);
    expect([...new Set(found)].filter((each) => !known.has(each))).toEqual([]);
  });

  test("are nowhere made of raw text", () => {
    const raw = /\bsql\.raw\(/;
    expect(texts.filter(({ text }) => raw.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
