import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { describeChanges } from "../changes-contract.ts";
import { invented } from "../invented.ts";
import { describePool } from "../pool-contract.ts";
import { readRankedRows } from "../ranked-rows.ts";

const newFolder = temporaryFolders();

describe("the pool in SQLite", () => {
  describePool(openSqlitePool);
  describeChanges(openSqlitePool);
});

test("rows of a file that was made before people could be found are found by their facts", async () => {
  const path = join(newFolder(), "pool.db");
  const pool = openSqlitePool(path, { now: () => new Date() });
  const load = await pool.beginImport("test");
  await load.put([invented({ login: "Ada", formerLogins: ["ada-1"] })]);
  await load.commit();
  const found = async (isKnown?: () => boolean) =>
    (await Array.fromAsync(pool.findables(isKnown))).flat();
  const stored = await found();
  expect(stored).toMatchObject([{ login: "Ada", formerLogins: ["ada-1"], score: 10 }]);
  const sqlite = new Database(path);
  sqlite.run("DELETE FROM findable");
  sqlite.close();
  expect(await found()).toEqual(stored);
  expect(await found(() => true)).toEqual([{ rowId: 1, isKnown: true }]);
  await pool.close();
});

test("rows that were made before people could be found by repository are read from their facts", async () => {
  const path = join(newFolder(), "pool.db");
  const pool = openSqlitePool(path, { now: () => new Date() });
  const load = await pool.beginImport("test");
  const repositories = [
    { name: "acme/later", owned: false, commits: 3, firstCommit: "2999-01-01" },
    { name: "acme/pay", owned: false, commits: 3, firstCommit: "2020-01-01" },
    { name: "ada/none", owned: true, commits: 0 },
    { name: "ada/fork", owned: true, fork: true, forge: "git.example" },
    { name: "ada/tool", owned: true, forge: "git.example" },
    { name: "acme/seen", owned: false },
  ];
  const ada = invented({ login: "Ada" });
  await load.put([
    { ...ada, facts: { ...ada.facts, repositories } },
    invented({ login: "Broken" }),
    invented({ login: "Zoe" }),
  ]);
  await load.commit();
  const read = async () => {
    const rows = await readRankedRows(pool);
    return Object.fromEntries(rows.map(({ standing }) => [standing.login, standing.repositories]));
  };
  const stored = await read();
  expect(stored["Zoe"]).toEqual(invented({ login: "Zoe" }).standing.repositories);
  const sqlite = new Database(path);
  sqlite.run(
    "UPDATE standing SET standing = json_remove(standing, '$[15]', '$[14]', '$[13]', '$[12]', '$[11]') WHERE row_id < 3",
  );
  sqlite.run("UPDATE dossier SET facts = x'00' WHERE row_id = 2");
  sqlite.close();
  const worked = [{ name: "acme/pay" }, { name: "ada/tool", forge: "git.example" }];
  expect(await read()).toEqual({ ...stored, Ada: worked, Broken: [] });
  expect((await pool.findRankingFeatures("ada"))?.standing.repositories).toEqual(worked);
  expect((await pool.findStoredDeveloper("ada"))?.standing.repositories).toEqual(worked);
  await pool.close();
});
