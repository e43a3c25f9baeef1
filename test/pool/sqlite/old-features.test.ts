import { test } from "bun:test";
import { join } from "node:path";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { expectOldRowsRead } from "../ranked-rows.ts";

const newFolder = temporaryFolders();

test("company and followers of rows of an older release are read from their cards", async () => {
  const path = join(newFolder(), "pool.db");
  const pool = openSqlitePool(path, { now: () => new Date() });
  await expectOldRowsRead(pool, (statement) => {
    const sqlite = new Connection(path, "write");
    sqlite.run(statement);
    sqlite.close();
  });
  await pool.close();
});
