import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ErasureReceipt } from "../../src/contract/people/erasure-receipt.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { type Person, person } from "./person.ts";
import type { OpenPool } from "./pool-contract.ts";
import { readRankedRows } from "./ranked-rows.ts";

/** What every adapter of `Pool` must do for who is forgotten. */
export function describeErasure(openAt: OpenPool): void {
  const newFolder = temporaryFolders();
  const now = () => new Date("2026-11-21T12:00:00Z");
  const opened: Pool[] = [];
  afterEach(async () => {
    for (const pool of opened.splice(0)) await pool.close();
  });

  async function open(path = ":memory:"): Promise<Pool> {
    const pool = await openAt(path, { now });
    opened.push(pool);
    return pool;
  }

  async function bring(pool: Pool, people: readonly Person[]) {
    const load = await pool.beginImport("test");
    await load.put(people.map(person));
    return load.commit();
  }

  async function hide(pool: Pool, subject: string, reason?: string): Promise<ErasureReceipt> {
    const receipt = await pool.erasing.hide(subject, { reason });
    if (!receipt || receipt === "names the person") throw new Error(`not hidden: ${receipt}`);
    return receipt;
  }

  const logins = async (pool: Pool) =>
    (await Array.fromAsync(pool.facts())).flat().map(({ login }) => login);
  const ada = { login: "Ada-Example", emails: ["ada@example.com"], name: "Ada Q. Example" };
  const ben = { login: "ben", emails: ["ben@example.org"], name: "Ben Sample" };

  describe("who is forgotten", () => {
    test("is gone by every way of asking, at a new revision, and nobody else is", async () => {
      const pool = await open();
      await bring(pool, [ada, ben]);
      const rows = await readRankedRows(pool);
      const { rowId = 0 } = rows.find(({ standing }) => standing.login === ada.login) ?? {};
      const receipt = await hide(pool, "ada-example");
      expect(receipt).toMatchObject({ developers: 1, rows: 1, identifiers: 2 });
      expect(await pool.revision()).toBe(2);
      expect(await pool.size()).toBe(1);
      expect(await pool.sources()).toMatchObject([{ source: "git", developers: 1 }]);
      expect((await pool.findCards(["ada-example"]))[0]).toBeUndefined();
      expect((await pool.findFacts(["ada-example"]))[0]).toBeUndefined();
      expect((await pool.findAnalyses(["ada-example"]))[0]).toBeUndefined();
      expect(await pool.findStoredDeveloper("ada-example")).toBeUndefined();
      expect((await pool.cards([rowId])).size).toBe(0);
      expect(await readRankedRows(pool)).toEqual(rows.filter((row) => row.rowId !== rowId));
      expect((await pool.findFacts(["ben"]))[0]).toEqual(person(ben).facts);
    });

    test("is found in rows that an import under way has staged, and nothing stays of what they were found by", async () => {
      const pool = await open();
      await bring(pool, [ben]);
      const load = await pool.beginImport("test");
      await load.put([person(ada)]);
      expect(await pool.erasing.find("ada@example.com")).toEqual(["Ada-Example"]);
      await hide(pool, "ada@example.com");
      await load.commit();
      expect(await pool.erasing.find("ada@example.com")).toEqual([]);
      expect(await logins(pool)).toEqual(["ben"]);
    });

    test("is gone for a process that has the pool open already", async () => {
      const path = join(newFolder(), "pool.db");
      const serving = await open(path);
      await bring(serving, [ada, ben]);
      await hide(await open(path), "ada-example");
      expect((await serving.findCards(["ada-example"]))[0]).toBeUndefined();
      expect(await serving.revision()).toBe(2);
    });

    test("is also found and kept out by a former login, which leaves whoever has it now", async () => {
      const pool = await open();
      const joined = { ...ada, formerLogins: ["ada-home", "ben"] };
      await bring(pool, [joined, ben]);
      expect(await pool.erasing.find("ada-home")).toEqual(["Ada-Example"]);
      await hide(pool, "ADA-HOME");
      expect(await logins(pool)).toEqual(["ben"]);
      expect(await pool.erasing.receiptsOf("ada-home")).toHaveLength(1);
      expect(await pool.erasing.receiptsOf("ben")).toEqual([]);
      const load = await pool.beginImport("test");
      const renamed = [{ login: "ada-home" }, { login: "new", formerLogins: ["ada-home"] }];
      expect(await load.put([...renamed, ben].map(person))).toHaveLength(2);
      await load.commit();
      expect(await logins(pool)).toEqual(["ben"]);
    });

    test("takes undone decisions along, which are kept until then", async () => {
      const pool = await open();
      await bring(pool, [ada, ben]);
      const { id } = await pool.decisions.add({
        ...{ kind: "different", a: "<ada@example.com>", b: "<ben@example.org>", evidence: [] },
        by: "operator",
      });
      expect(await pool.decisions.undo(id)).toMatchObject({ id, undoneAt: expect.any(String) });
      expect(await pool.decisions.undo(id)).toBeUndefined();
      expect(await pool.decisions.list()).toEqual([]);
      expect(await pool.decisions.listAll()).toMatchObject([{ id, a: "<ada@example.com>" }]);
      await hide(pool, "ada-example");
      expect(await pool.decisions.listAll()).toEqual([]);
    });

    test("takes addresses and logins along that only the caller knows", async () => {
      const pool = await open();
      await bring(pool, [ada, ben]);
      await pool.erasing.hide("ada-example", {
        alsoLogins: ["ada-alone"],
        alsoAddresses: ["ada@older.example.com"],
      });
      expect(await pool.erasing.receiptsOf("ada-alone")).toHaveLength(1);
      expect(await pool.erasing.receiptsOf("ada@older.example.com")).toHaveLength(1);
    });

    test("is known by more than before once a source tells more, and that is gone too", async () => {
      const pool = await open();
      const again = { login: "ada-new", emails: ["ada@new.example.com", "ada@newer.example.com"] };
      await bring(pool, [ada, ben]);
      const { id, identifiers } = await hide(pool, "ada-example");
      await pool.erasing.finish(id);
      await bring(pool, [again, ben]);
      await pool.decisions.add({
        ...{ kind: "same", a: "<ada@new.example.com>", b: "<ben@example.org>", evidence: [] },
        by: "operator",
      });
      const told = ["email:ada@example.com", "email:ada@new.example.com"] as const;
      const stranger = ["email:cy@example.com", "email:cy@new.example.com"] as const;
      const longer = { receipts: new Set([id]), isLonger: true };
      expect(await pool.erasing.extend([told, stranger])).toEqual(longer);
      expect(await logins(pool)).toEqual(["ben"]);
      expect(await pool.decisions.listAll()).toEqual([]);
      const [receipt] = await pool.erasing.receipts();
      expect(receipt).toMatchObject({ id, developers: 2, rows: 2 });
      expect(receipt?.identifiers).toBeGreaterThan(identifiers);
      expect(receipt?.completedAt).toBeUndefined();
      expect(await pool.erasing.extend([told, stranger])).toEqual({ ...longer, isLonger: false });
      expect(await bring(pool, [{ login: "x", emails: ["ada@newer.example.com"] }])).toMatchObject({
        suppressed: 1,
      });
      await pool.erasing.undo(id);
      expect(await bring(pool, [again])).toMatchObject({ added: 1, suppressed: 0 });
    });

    test("stays gone by an adopted list, also by what their erasure gained elsewhere since", async () => {
      const [pool, older] = [await open(), await open()];
      const again = { login: "ada-new", emails: ["ada@new.example.com"] };
      for (const each of [pool, older]) await bring(each, [ada, again, ben]);
      const { id } = await hide(pool, "ada-example");
      const first = { receipts: 1, developers: 1 };
      expect(await older.erasing.adopt(await pool.erasing.suppressionList())).toEqual(first);
      await older.erasing.finish(id);
      await pool.erasing.extend([["email:ada@example.com", "email:ada@new.example.com"]]);
      const longer = await pool.erasing.suppressionList();
      expect(await older.erasing.adopt(longer)).toEqual(first);
      expect(await logins(older)).toEqual(["ben"]);
      expect(await bring(older, [again, ben])).toMatchObject({ added: 0, suppressed: 1 });
      const [receipt] = await older.erasing.receipts();
      expect(receipt).toMatchObject({ id, identifiers: longer.erasures[0]?.hashes.length });
      expect(receipt?.completedAt).toBeUndefined();
      expect(await older.erasing.adopt(longer)).toEqual({ receipts: 0, developers: 0 });
      await older.erasing.undo(id);
      expect(await older.erasing.adopt(longer)).toEqual({ receipts: 0, developers: 0 });
      expect(await bring(older, [again])).toMatchObject({ added: 1, suppressed: 0 });
    });

    test("is found by an address, under every login that shares one", async () => {
      const pool = await open();
      const alias = { login: "ada-3f2a1b", emails: ["ADA@example.com ", "ada@work.example.net"] };
      const third = { login: "aq", emails: ["ada@work.example.net"] };
      await bring(pool, [ada, ben, alias, third]);
      expect(await pool.erasing.find("ada@example.com")).toEqual([
        "Ada-Example",
        "ada-3f2a1b",
        "aq",
      ]);
      expect(await hide(pool, "ada@example.com")).toMatchObject({ developers: 3 });
      expect(await logins(pool)).toEqual(["ben"]);
    });

    test("takes nobody along by an address that several people use", async () => {
      const pool = await open();
      await bring(pool, [
        { login: "one", emails: ["root@localhost", "you@example.com"] },
        { login: "two", emails: ["root@localhost", "you@example.com"] },
      ]);
      expect(await hide(pool, "one")).toMatchObject({ developers: 1, identifiers: 1 });
      expect(await logins(pool)).toEqual(["two"]);
      expect(await pool.erasing.hide("root@localhost")).toBeUndefined();
    });

    test("takes nobody along with whom they were joined once, also by an adopted list", async () => {
      const joined = { ...ada, emails: [...ada.emails, ...ben.emails] };
      const [pool, older] = [await open(), await open()];
      for (const each of [pool, older]) {
        await bring(each, [joined]);
        await bring(each, [ada, ben]);
      }
      expect(await pool.erasing.find("ben")).toEqual(["ben"]);
      expect(await hide(pool, "ben")).toMatchObject({ developers: 1, rows: 2, identifiers: 2 });
      await older.erasing.adopt(await pool.erasing.suppressionList());
      for (const each of [pool, older]) {
        expect(await logins(each)).toEqual(["Ada-Example"]);
        expect(await each.erasing.receiptsOf("ada@example.com")).toEqual([]);
        expect(await bring(each, [joined])).toMatchObject({ suppressed: 1 });
        expect(await bring(each, [ada])).toMatchObject({ suppressed: 0 });
      }
    });

    test("is found by a login that is in replaced rows alone, and all is kept out that these have", async () => {
      const pool = await open();
      const joined = { ...ada, emails: [...ada.emails, "ada@once.example.com"] };
      await bring(pool, [{ ...ada, login: "ada-home" }, joined, ben]);
      const load = await pool.beginImport("test");
      await load.remove(["ada-home"]);
      await load.put([person(ada)]);
      await load.commit();
      expect(await pool.erasing.find("ada@once.example.com")).toEqual([]);
      expect(await pool.erasing.find("ada-home")).toEqual(["Ada-Example", "ada-home"]);
      expect(await hide(pool, "ada-home")).toMatchObject({ developers: 1, rows: 3 });
      expect(await pool.erasing.receiptsOf("ada@once.example.com")).toEqual([]);
      expect(await bring(pool, [ada])).toMatchObject({ suppressed: 1 });
      expect(await logins(pool)).toEqual(["ben"]);
    });

    test("is nobody when the login is unknown, and nothing happens", async () => {
      const pool = await open();
      await bring(pool, [ada]);
      expect(await pool.erasing.hide("nobody")).toBeUndefined();
      expect(await pool.erasing.receipts()).toEqual([]);
      expect(await pool.revision()).toBe(1);
    });

    test("is not named by the reason that is kept", async () => {
      const pool = await open();
      await bring(pool, [ada, { login: "al" }]);
      for (const reason of [
        "asked by ada@example.com",
        "for ADA-EXAMPLE",
        "Ada Q. Example wrote",
      ]) {
        expect(await pool.erasing.hide("ada-example", { reason })).toBe("names the person");
      }
      expect((await pool.findCards(["ada-example"]))[0]).toBeDefined();
      expect(await hide(pool, "al", "by the manual, request 17")).toMatchObject({
        reason: "by the manual, request 17",
      });
    });
  });

  describe("an import after that", () => {
    const again: readonly (readonly [string, Person])[] = [
      ["the login", { login: "ADA-EXAMPLE" }],
      ["an address", { login: "somebody-else", emails: ["x@example.net", "Ada@Example.com"] }],
      [
        "an account by its number",
        { login: "renamed", emails: ["7+new@users.noreply.github.com"] },
      ],
      ["an account of the old form", { login: "old", emails: ["ada@users.noreply.github.com"] }],
      ["a profile of the account", { login: "ada7", profileUrl: "https://github.com/ada" }],
      ["the account's own forge", { login: "ada", source: "github.com" }],
    ];
    for (const [what, returning] of again) {
      test(`leaves the person out by ${what}, and counts without naming`, async () => {
        const pool = await open();
        await bring(pool, [
          { ...ada, emails: [...ada.emails, "7+ada@users.noreply.github.com"] },
          ben,
        ]);
        await hide(pool, "ada-example");
        expect(await bring(pool, [returning, ben])).toEqual({
          ...{ revision: 2, added: 0, replaced: 0, unchanged: 1, removed: 0 },
          suppressed: 1,
        });
        expect(await logins(pool)).toEqual(["ben"]);
      });
    }

    test("leaves out who was put on the list before ever coming", async () => {
      const pool = await open();
      const unknown = await pool.erasing.hide("ada@example.com", { evenIfUnknown: true });
      expect(unknown).toMatchObject({ developers: 0, rows: 0, identifiers: 1 });
      expect(await bring(pool, [ada, ben])).toMatchObject({ added: 1, suppressed: 1 });
      expect(
        (await pool.erasing.suppression()).holdsAuthorIdentity({
          name: "A",
          email: "<ADA@example.com>",
        }),
      ).toBe(true);
      expect(
        (await pool.erasing.suppression()).holdsAuthorIdentity({
          name: "A",
          email: "ben@example.org",
        }),
      ).toBe(false);
    });

    test("that runs while the person is forgotten does not bring them, and counts right", async () => {
      const path = join(newFolder(), "pool.db");
      const [pool, other] = [await open(path), await open(path)];
      await bring(pool, [ada, ben]);
      const load = await pool.beginImport("test");
      await load.put([{ ...ada, bio: "Anew." }, { login: "cleo" }].map(person));
      await hide(other, "ada-example");
      expect(await load.put([person({ ...ada, bio: "Once more." })])).toHaveLength(1);
      expect(await load.commit()).toMatchObject({
        added: 1,
        replaced: 0,
        removed: 0,
        suppressed: 1,
      });
      expect(await logins(pool)).toEqual(["ben", "cleo"]);
      expect(await pool.size()).toBe(2);
      expect(await pool.sources()).toMatchObject([{ developers: 2 }]);
    });

    test("drops an earlier line of the same login, which did not tell who it is", async () => {
      const pool = await open();
      await pool.erasing.hide("ada@example.com", { evenIfUnknown: true });
      expect(await bring(pool, [{ login: "ada-example" }, ada])).toMatchObject({
        added: 0,
        suppressed: 1,
      });
      expect(await pool.size()).toBe(0);
    });
  });

  describe("a receipt", () => {
    test("names nobody, and tells whom it holds only to who knows already", async () => {
      const pool = await open();
      await bring(pool, [ada]);
      const receipt = await hide(pool, "ada-example");
      // Its id is drawn from hexadecimal digits, which now and then spell the name.
      const receipts = JSON.stringify(await pool.erasing.receipts()).replace(receipt.id, "");
      expect(receipts.toLowerCase()).not.toMatch(/ada|example/);
      expect(await pool.erasing.receiptsOf("ada-example")).toEqual([receipt]);
      expect(await pool.erasing.receiptsOf("ada@example.com")).toEqual([receipt]);
      expect(await pool.erasing.receiptsOf("ben")).toEqual([]);
    });

    test("undone lets the person come in again, and takes nothing from another receipt", async () => {
      const pool = await open();
      await bring(pool, [ada]);
      const first = await hide(pool, "ada-example");
      const second = (await pool.erasing.hide("ada@example.com", {
        evenIfUnknown: true,
      })) as ErasureReceipt;
      await pool.erasing.undo(first.id);
      expect(await bring(pool, [ada])).toMatchObject({ suppressed: 1 });
      expect(await bring(pool, [{ login: "Ada-Example" }])).toMatchObject({ added: 1 });
      await pool.erasing.undo(second.id);
      expect(await bring(pool, [ada])).toMatchObject({ replaced: 1, suppressed: 0 });
      expect((await pool.erasing.findReceipt(first.id))?.undoneAt).toBe(now().toISOString());
    });
  });
}
