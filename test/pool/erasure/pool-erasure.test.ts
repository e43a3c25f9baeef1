import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ErasureReceipt, type OpenPool, openPool } from "../../../src/pool/pool.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { type Person, person } from "./person.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:00Z");
const opened: OpenPool[] = [];
afterEach(() => {
  for (const pool of opened.splice(0)) pool.close();
});

function open(path = ":memory:"): OpenPool {
  const pool = openPool(path, { now });
  opened.push(pool);
  return pool;
}

function bring(pool: OpenPool, people: readonly Person[]) {
  const load = pool.beginImport("test");
  load.put(people.map(person));
  return load.commit();
}

function hide(pool: OpenPool, subject: string, reason?: string): ErasureReceipt {
  const receipt = pool.erasing.hide(subject, { reason });
  if (!receipt || receipt === "names the person") throw new Error(`not hidden: ${receipt}`);
  return receipt;
}

const logins = (pool: OpenPool) => [...pool.facts()].map(({ login }) => login);
const ada = { login: "Ada-Example", emails: ["ada@example.com"], name: "Ada Q. Example" };
const ben = { login: "ben", emails: ["ben@example.org"], name: "Ben Sample" };

describe("who is forgotten", () => {
  test("is gone by every way of asking, at a new revision, and nobody else is", () => {
    const pool = open();
    bring(pool, [ada, ben]);
    const rows = [...pool.rankingFeatures()];
    const { rowId = 0 } = rows.find(({ standing }) => standing.login === ada.login) ?? {};
    const receipt = hide(pool, "ada-example");
    expect(receipt).toMatchObject({ developers: 1, rows: 1, identifiers: 2 });
    expect(pool.revision()).toBe(2);
    expect(pool.size()).toBe(1);
    expect(pool.sources()).toMatchObject([{ source: "git", developers: 1 }]);
    expect(pool.findCard("ada-example")).toBeUndefined();
    expect(pool.findFacts("ada-example")).toBeUndefined();
    expect(pool.findAnalysis("ada-example")).toBeUndefined();
    expect(pool.findStoredDeveloper("ada-example")).toBeUndefined();
    expect(pool.cards([rowId]).size).toBe(0);
    expect([...pool.rankingFeatures()]).toEqual(rows.filter((row) => row.rowId !== rowId));
    expect(pool.findFacts("ben")).toEqual(person(ben).facts);
  });

  test("is gone for a process that has the pool open already", () => {
    const path = join(newFolder(), "pool.db");
    const serving = open(path);
    bring(serving, [ada, ben]);
    hide(open(path), "ada-example");
    expect(serving.findCard("ada-example")).toBeUndefined();
    expect(serving.revision()).toBe(2);
  });

  test("leaves no older row behind either", () => {
    const path = join(newFolder(), "pool.db");
    const pool = open(path);
    bring(pool, [{ ...ada, bio: "Before." }]);
    bring(pool, [{ ...ada, bio: "After." }]);
    expect(pool.findStoredDeveloper("ada-example")).toMatchObject({ olderRows: 1 });
    expect(hide(pool, "ada-example")).toMatchObject({ developers: 1, rows: 2 });
    const sqlite = new Database(path, { readonly: true });
    for (const table of ["developer", "card", "standing", "dossier"]) {
      expect(sqlite.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
    }
    sqlite.close();
  });

  test("is found by an address, under every login that shares one", () => {
    const pool = open();
    const alias = { login: "ada-3f2a1b", emails: ["ADA@example.com ", "ada@work.example.net"] };
    const third = { login: "aq", emails: ["ada@work.example.net"] };
    bring(pool, [ada, ben, alias, third]);
    expect(pool.erasing.find("ada@example.com")).toEqual(["Ada-Example", "ada-3f2a1b", "aq"]);
    expect(hide(pool, "ada@example.com")).toMatchObject({ developers: 3 });
    expect(logins(pool)).toEqual(["ben"]);
  });

  test("takes nobody along by an address that several people use", () => {
    const pool = open();
    bring(pool, [
      { login: "one", emails: ["root@localhost", "you@example.com"] },
      { login: "two", emails: ["root@localhost", "you@example.com"] },
    ]);
    expect(hide(pool, "one")).toMatchObject({ developers: 1, identifiers: 1 });
    expect(logins(pool)).toEqual(["two"]);
    expect(pool.erasing.hide("root@localhost")).toBeUndefined();
  });

  test("is nobody when the login is unknown, and nothing happens", () => {
    const pool = open();
    bring(pool, [ada]);
    expect(pool.erasing.hide("nobody")).toBeUndefined();
    expect(pool.erasing.receipts()).toEqual([]);
    expect(pool.revision()).toBe(1);
  });

  test("is not named by the reason that is kept", () => {
    const pool = open();
    bring(pool, [ada, { login: "al" }]);
    for (const reason of ["asked by ada@example.com", "for ADA-EXAMPLE", "Ada Q. Example wrote"]) {
      expect(pool.erasing.hide("ada-example", { reason })).toBe("names the person");
    }
    expect(pool.findCard("ada-example")).toBeDefined();
    expect(hide(pool, "al", "by the manual, request 17")).toMatchObject({
      reason: "by the manual, request 17",
    });
  });
});

describe("an import after that", () => {
  const again: readonly (readonly [string, Person])[] = [
    ["the login", { login: "ADA-EXAMPLE" }],
    ["an address", { login: "somebody-else", emails: ["x@example.net", "Ada@Example.com"] }],
    ["an account by its number", { login: "renamed", emails: ["7+new@users.noreply.github.com"] }],
    ["an account of the old form", { login: "old", emails: ["ada@users.noreply.github.com"] }],
    ["a profile of the account", { login: "ada7", profileUrl: "https://github.com/ada" }],
    ["the account's own forge", { login: "ada", source: "github.com" }],
  ];
  for (const [what, returning] of again) {
    test(`leaves the person out by ${what}, and counts without naming`, () => {
      const pool = open();
      bring(pool, [{ ...ada, emails: [...ada.emails, "7+ada@users.noreply.github.com"] }, ben]);
      hide(pool, "ada-example");
      expect(bring(pool, [returning, ben])).toEqual({
        ...{ revision: 2, added: 0, replaced: 0, unchanged: 1, removed: 0 },
        suppressed: 1,
      });
      expect(logins(pool)).toEqual(["ben"]);
    });
  }

  test("leaves out who was put on the list before ever coming", () => {
    const pool = open();
    const unknown = pool.erasing.hide("ada@example.com", { evenIfUnknown: true });
    expect(unknown).toMatchObject({ developers: 0, rows: 0, identifiers: 1 });
    expect(bring(pool, [ada, ben])).toMatchObject({ added: 1, suppressed: 1 });
    expect(pool.erasing.holdsSpelling({ name: "A", email: "<ADA@example.com>" })).toBe(true);
    expect(pool.erasing.holdsSpelling({ name: "A", email: "ben@example.org" })).toBe(false);
  });

  test("that runs while the person is forgotten does not bring them, and counts right", () => {
    const path = join(newFolder(), "pool.db");
    const [pool, other] = [open(path), open(path)];
    bring(pool, [ada, ben]);
    const load = pool.beginImport("test");
    load.put([{ ...ada, bio: "Anew." }, { login: "cleo" }].map(person));
    hide(other, "ada-example");
    expect(load.put([person({ ...ada, bio: "Once more." })])).toHaveLength(1);
    expect(load.commit()).toMatchObject({ added: 1, replaced: 0, removed: 0, suppressed: 1 });
    expect(logins(pool)).toEqual(["ben", "cleo"]);
    expect(pool.size()).toBe(2);
    expect(pool.sources()).toMatchObject([{ developers: 2 }]);
  });

  test("drops an earlier line of the same login, which did not tell who it is", () => {
    const pool = open();
    pool.erasing.hide("ada@example.com", { evenIfUnknown: true });
    expect(bring(pool, [{ login: "ada-example" }, ada])).toMatchObject({ added: 0, suppressed: 1 });
    expect(pool.size()).toBe(0);
  });
});

describe("a receipt", () => {
  test("names nobody, and tells whom it holds only to who knows already", () => {
    const pool = open();
    bring(pool, [ada]);
    const receipt = hide(pool, "ada-example");
    expect(JSON.stringify(pool.erasing.receipts()).toLowerCase()).not.toMatch(/ada|example/);
    expect(pool.erasing.receiptsOf("ada-example")).toEqual([receipt]);
    expect(pool.erasing.receiptsOf("ada@example.com")).toEqual([receipt]);
    expect(pool.erasing.receiptsOf("ben")).toEqual([]);
  });

  test("undone lets the person come in again, and takes nothing from another receipt", () => {
    const pool = open();
    bring(pool, [ada]);
    const first = hide(pool, "ada-example");
    const second = pool.erasing.hide("ada@example.com", { evenIfUnknown: true }) as ErasureReceipt;
    pool.erasing.undo(first.id);
    expect(bring(pool, [ada])).toMatchObject({ suppressed: 1 });
    expect(bring(pool, [{ login: "Ada-Example" }])).toMatchObject({ added: 1 });
    pool.erasing.undo(second.id);
    expect(bring(pool, [ada])).toMatchObject({ replaced: 1, suppressed: 0 });
    expect(pool.erasing.findReceipt(first.id)?.undoneAt).toBe(now().toISOString());
  });

  test("differs between installations: the same person leaves other hashes", () => {
    const hashes = [newFolder(), newFolder()].map((folder) => {
      const path = join(folder, "pool.db");
      open(path).erasing.hide("ada@example.com", { evenIfUnknown: true });
      const sqlite = new Database(path, { readonly: true });
      const row = sqlite.query<{ hash: Uint8Array }, []>("SELECT hash FROM suppressed").get();
      sqlite.close();
      return Buffer.from(row?.hash ?? []).toString("hex");
    });
    expect(new Set(hashes).size).toBe(2);
    expect(hashes[0]).toHaveLength(64);
  });
});

describe("the files", () => {
  test("hold no byte of the person once cleaned, in the database, its log or what lies in its pages", () => {
    const folder = newFolder();
    const path = join(folder, "pool.db");
    const pool = open(path);
    // Rows of many sizes in no order: pages split, and leave what was moved in their unused part.
    const crowd = Array.from({ length: 400 }, (_, n) => ({
      login: `p${(n * 7919) % 400}`,
      bio: `${"word ".repeat((n * 31) % 300)}.`,
    }));
    const marked = { ...ada, bio: `unmistakable ${"sentence ".repeat(200)}` };
    for (const round of ["one", "two", "three"]) {
      bring(pool, [...crowd, { ...marked, bio: `${marked.bio}${round}` }]);
      bring(pool, crowd.map((one) => ({ ...one, bio: `${one.bio}${round}` })).reverse());
    }
    const packed = dossiersOf(path, "ada-example");
    expect(packed).toHaveLength(3);
    // A server beside it has the file open, and a prepared look at it.
    const serving = open(path);
    serving.findCard("ada-example");
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
    hide(pool, "ada-example");
    expect(pool.erasing.clean()).toBeUndefined();
    expect(hits(folder, needles)).toEqual(needles.map(() => 0));
    expect(serving.size()).toBe(400);
    expect(serving.findCard("p7")).toBeDefined();
  }, 30_000);

  test("are not called clean while another process reads on in the old state", () => {
    const path = join(newFolder(), "pool.db");
    const pool = open(path);
    bring(pool, [ada, ben]);
    const reading = open(path).facts();
    const iterator = reading[Symbol.iterator]();
    iterator.next();
    hide(pool, "ada-example");
    expect(pool.erasing.clean(1)).toContain("another process keeps reading");
    expect(pool.erasing.unfinished()).toHaveLength(1);
    iterator.return?.();
    expect(pool.erasing.clean()).toBeUndefined();
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
