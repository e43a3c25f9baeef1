import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { invented } from "../invented.ts";
import { describePool } from "../pool-contract.ts";

const newFolder = temporaryFolders();

describe("the pool in SQLite", () => describePool(openSqlitePool));

test("rows of a file that was made before people could be found are found by their facts", async () => {
  const path = join(newFolder(), "pool.db");
  const pool = openSqlitePool(path, { now: () => new Date() });
  const load = await pool.beginImport("test");
  await load.put([invented({ login: "Ada", formerLogins: ["ada-1"] })]);
  await load.commit();
  const found = async () => (await Array.fromAsync(pool.findables())).flat();
  const stored = await found();
  expect(stored).toMatchObject([{ login: "Ada", formerLogins: ["ada-1"], score: 10 }]);
  const sqlite = new Database(path);
  sqlite.run("DELETE FROM findable");
  sqlite.close();
  expect(await found()).toEqual(stored);
  await pool.close();
});
