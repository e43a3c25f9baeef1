import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ErasureReceipt } from "../../../../src/contract/people/erasure-receipt.ts";
import type { Pool } from "../../../../src/pool/pool.ts";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";
import { describeErasure } from "../../erasure-contract.ts";
import { type Person, person } from "../../person.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:00Z");

const around = { now };

function open(path: string, { now }: { readonly now: () => Date } = around): Pool {
  const pool = openSqlitePool(path, { now });
  afterAll(() => pool.close());
  return pool;
}

async function bring(pool: Pool, people: readonly Person[]) {
  const load = await pool.beginImport("test");
  await load.put(people.map(person));
  return load.commit();
}

async function hide(pool: Pool, subject: string): Promise<ErasureReceipt> {
  const receipt = await pool.erasing.hide(subject);
  if (!receipt || receipt === "names the person") throw new Error(`not hidden: ${receipt}`);
  return receipt;
}

const ada = { login: "Ada-Example", emails: ["ada@example.com"], name: "Ada Q. Example" };
const ben = { login: "ben", emails: ["ben@example.org"], name: "Ben Sample" };

describe("the pool in SQLite", () => describeErasure(openSqlitePool));

test("a receipt differs between installations: the same person leaves other hashes", async () => {
  const folders = [newFolder(), newFolder()];
  const hashes = await Promise.all(
    folders.map(async (folder) => {
      const path = join(folder, "pool.db");
      await open(path).erasing.hide("ada@example.com", { evenIfUnknown: true });
      const sqlite = new Database(path, { readonly: true });
      const row = sqlite.query<{ hash: Uint8Array }, []>("SELECT hash FROM suppressed").get();
      sqlite.close();
      return Buffer.from(row?.hash ?? []).toString("hex");
    }),
  );
  expect(new Set(hashes).size).toBe(2);
  expect(hashes[0]).toHaveLength(64);
});

describe("the files", () => {
  test("hold no byte of the person once cleaned, in the database, its log or what lies in its pages", async () => {
    const folder = newFolder();
    const path = join(folder, "pool.db");
    let day = now();
    const pool = open(path, { now: () => day });
    // Rows of many sizes in no order: pages split, and leave what was moved in their unused part.
    const crowd = Array.from({ length: 400 }, (_, n) => ({
      login: `p${(n * 7919) % 400}`,
      bio: `${"word ".repeat((n * 31) % 300)}.`,
    }));
    const marked = { ...ada, bio: `unmistakable ${"sentence ".repeat(200)}` };
    for (const round of ["one", "two", "three"]) {
      await bring(pool, [...crowd, { ...marked, bio: `${marked.bio}${round}` }]);
      await bring(pool, crowd.map((one) => ({ ...one, bio: `${one.bio}${round}` })).reverse());
    }
    const packed = dossiersOf(path, "ada-example");
    expect(packed).toHaveLength(3);
    // A server beside it has the file open, and a prepared look at it.
    const serving = open(path);
    (await serving.findCards(["ada-example"]))[0];
    const needles = [...["ada-example", "ada@example.com", "Ada Q. Example", "unmistakable"]].map(
      (text) => Buffer.from(text),
    );
    // Compressed as well: parts from the middle of what was stored.
    for (const bytes of packed) {
      const middle = bytes.length >> 1;
      needles.push(Buffer.from(bytes.subarray(middle, middle + 24)));
    }
    const before = hits(folder, needles);
    expect(before.every((count) => count > 0)).toBe(true);
    await hide(pool, "ada-example");
    expect(await pool.erasing.clean()).toBeUndefined();
    // The list of changes has the login for 30 days, and nothing else.
    expect(hits(folder, needles)).toEqual(needles.map((_, at) => (at === 0 ? 1 : 0)));
    day = new Date(day.getTime() + 31 * 86_400_000);
    await pool.changes.prune();
    expect(hits(folder, needles)).toEqual(needles.map(() => 0));
    expect(await serving.size()).toBe(400);
    expect((await serving.findCards(["p7"]))[0]).toBeDefined();
  }, 300_000);

  test("are not called clean while another process reads on in the old state", async () => {
    const path = join(newFolder(), "pool.db");
    const pool = open(path);
    // More than one batch, so that the reading stays open.
    const many = Array.from({ length: 300 }, (_, n) => ({ login: `p${n}` }));
    await bring(pool, [ada, ben, ...many]);
    const iterator = open(path).facts()[Symbol.asyncIterator]();
    await iterator.next();
    await hide(pool, "ada-example");
    expect(await pool.erasing.clean(1)).toContain("another process keeps using");
    expect(await pool.erasing.unfinished()).toHaveLength(1);
    await iterator.return?.();
    expect(await pool.erasing.clean()).toBeUndefined();
  });
});
function dossiersOf(path: string, loginKey: string): Buffer[] {
  const sqlite = new Database(path, { readonly: true });
  const rows = sqlite
    .query<{ facts: Uint8Array }, [string]>(
      "SELECT facts FROM dossier WHERE row_id IN (SELECT row_id FROM developer WHERE login_key = ?)",
    )
    .all(loginKey);
  sqlite.close();
  return rows.map(({ facts }) => Buffer.from(facts));
}

/** In how many files of the folder each text occurs; letters of any case. */
function hits(folder: string, needles: readonly Buffer[]): number[] {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return needles.map((needle) => {
    const text = needle.toString("latin1").toLowerCase();
    return files.filter((bytes) => bytes.toString("latin1").toLowerCase().includes(text)).length;
  });
}
