import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Pool, toSoughtList } from "../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { Connection } from "../../../src/sqlite/connection.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { type Person, person } from "../person.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:00Z");
const crowd: readonly Person[] = Array.from({ length: 1000 }, (_, n) => ({
  login: `p${n}`,
  emails: [`p${n}@example.org`],
}));

async function bring(pool: Pool, people: readonly Person[]): Promise<void> {
  const load = await pool.beginImport("test");
  await load.put(people.map(person));
  await load.commit();
}

const holders = async (pool: Pool, ...sought: Parameters<Pool["holders"]>[0]) =>
  (await Array.fromAsync(pool.holders(sought))).flat().map(({ login }) => login);

function count(path: string): Record<string, number> {
  const sqlite = new Connection(path, "read");
  const of = (from: string) =>
    sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${from}`).get()?.n ?? 0;
  const counted = { hashes: of("identifier"), unlisted: of("unlisted_row") };
  sqlite.close();
  return counted;
}

test("holders are visible people with one of the identifiers", async () => {
  const pool = openSqlitePool(":memory:", { now });
  await bring(pool, crowd);
  await bring(pool, [{ login: "p7", emails: ["new@example.org"] }]);
  expect(await holders(pool, "login:p5", "email:p6@example.org", "email:p7@example.org")).toEqual([
    "p5",
    "p6",
  ]);
  expect(await holders(pool, "email:new@example.org")).toEqual(["p7"]);
  expect(await holders(pool, toSoughtList({ source: "people:hr" }))).toEqual([]);
  await pool.close();
});

/** @returns the pool, and what was listed in it before its file became one of an earlier version. */
async function openEarlier(path: string, people: readonly Person[]) {
  const pool = openSqlitePool(path, { now });
  await bring(pool, people);
  const listed = count(path);
  // As the migration leaves them.
  const sqlite = new Connection(path, "write");
  sqlite.run("DELETE FROM identifier");
  sqlite.run("INSERT INTO unlisted_row SELECT row_id FROM developer");
  sqlite.close();
  return { pool, listed };
}

test("rows of an earlier version are listed once, and found before and after", async () => {
  const path = join(newFolder(), "pool.db");
  const { pool, listed } = await openEarlier(path, crowd);
  expect(await pool.erasing.find("p999@example.org")).toEqual(["p999"]);
  expect(count(path)).toEqual({ hashes: 0, unlisted: 1000 });
  expect(await holders(pool, "email:p998@example.org")).toEqual(["p998"]);
  expect(count(path)).toEqual({ ...listed, unlisted: 0 });
  await pool.erasing.hide("p999");
  expect(count(path)).toEqual({ hashes: (listed["hashes"] ?? 0) - 2, unlisted: 0 });
  await pool.close();
});

test("the first erasure in a pool of an earlier version lists its rows, and finds all of the person's", async () => {
  const path = join(newFolder(), "pool.db");
  const { pool } = await openEarlier(path, [
    ...crowd,
    { login: "other", emails: ["p3@example.org"] },
  ]);
  expect(await pool.erasing.hide("p3")).toMatchObject({ developers: 2, rows: 2 });
  expect(count(path)["unlisted"]).toBe(0);
  await pool.close();
});
