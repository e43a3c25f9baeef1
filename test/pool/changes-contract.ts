import { afterEach, describe, expect, test } from "bun:test";
import type { Pool } from "../../src/pool/pool.ts";
import { rounds } from "../long.ts";
import { playHistory } from "./followed-pool.ts";
import { type Person, person } from "./person.ts";
import type { OpenPool } from "./pool-contract.ts";

/** What every adapter of `Pool` must do for copies elsewhere. @param histories of the drawn ones in `scripts/explore`. */
export function describeChanges(openAt: OpenPool, { histories = 20 } = {}): void {
  let clock = Date.parse("2026-11-21T12:00:00Z");
  const now = () => new Date(clock++);
  const opened: Pool[] = [];
  afterEach(async () => {
    for (const pool of opened.splice(0)) await pool.close();
  });

  async function open(): Promise<Pool> {
    const pool = await openAt(":memory:", { now });
    opened.push(pool);
    return pool;
  }

  async function bring(pool: Pool, people: readonly Person[], gone: readonly string[] = []) {
    const load = await pool.beginImport("test");
    await load.put(people.map(person));
    await load.remove(gone);
    await load.commit();
  }

  const list = (pool: Pool, since?: string, more: { limit?: number; as?: "program" } = {}) => {
    const { limit = 1000, as } = more;
    return pool.changes.list({ since, limit, canSeeErased: as !== "program" });
  };
  const three = ["ada", "ben", "Cid"].map((login) => ({ login, emails: [`${login}@example.com`] }));
  const days = (count: number) => {
    clock += count * 86_400_000;
  };

  describe("changes", () => {
    test("are everybody at first, page by page, and then who is new, changed, renamed or gone", async () => {
      const pool = await open();
      const none = await list(pool);
      expect(none).toEqual({ changes: [], hasMore: false, next: expect.any(String) });
      await bring(pool, three);
      const page = await list(pool, undefined, { limit: 2 });
      expect(page).toMatchObject({
        changes: [
          { login: "ada", change: "new" },
          { login: "ben", change: "new" },
        ],
        hasMore: true,
      });
      const rest = await list(pool, page.next, { limit: 2 });
      expect(rest).toMatchObject({ changes: [{ login: "Cid", change: "new" }], hasMore: false });
      expect((await list(pool, none.next)).changes).toHaveLength(3);
      await bring(pool, three);
      expect(await list(pool, rest.next)).toMatchObject({ changes: [], hasMore: false });
      const anew = { login: "ada", bio: "Anew.", formerLogins: ["ben"] };
      await bring(pool, [anew, { login: "dan" }], ["ben", "Cid"]);
      const { changes, next } = await list(pool, rest.next);
      expect(changes).toEqual([
        { login: "ada", change: "renamed", formerLogin: "ben" },
        { login: "Cid", change: "removed" },
        { login: "ada", change: "changed" },
        { login: "dan", change: "new" },
      ]);
      expect(await list(pool, next)).toMatchObject({ changes: [], hasMore: false });
      // Who is back is there, and was never gone for whoever did not ask.
      await bring(pool, [{ login: "cid" }]);
      expect((await list(pool, next)).changes).toEqual([{ login: "cid", change: "new" }]);
      expect((await list(pool, rest.next)).changes.map(({ login }) => login)).toEqual([
        ...["ada", "ada", "dan", "cid"],
      ]);
    });

    test("of an import that is under way or was given up are told by nobody", async () => {
      const pool = await open();
      await bring(pool, three);
      const { next } = await list(pool);
      for (const end of ["abort", "commit"] as const) {
        const load = await pool.beginImport("test");
        await load.put([person({ login: "dan" })]);
        await load.remove(["ada"]);
        expect((await list(pool, next)).changes).toEqual([]);
        expect((await list(pool)).changes).toHaveLength(3);
        await load[end]();
      }
      expect((await list(pool, next)).changes).toEqual([
        { login: "ada", change: "removed" },
        { login: "dan", change: "new" },
      ]);
    });

    test("name who was erased for 30 days to administrators; everybody else starts anew", async () => {
      const pool = await open();
      await bring(pool, three);
      const { next } = await list(pool);
      await pool.erasing.hide("Ada");
      const told = await list(pool, next);
      expect(told.changes).toEqual([{ login: "ada", change: "erased" }]);
      const anew = { changes: [], hasMore: false };
      const asProgram = { as: "program" } as const;
      expect(await list(pool, next, asProgram)).toEqual({ ...anew, startAnew: "erased" });
      const fresh = await list(pool, undefined, asProgram);
      expect(fresh.changes.map(({ login }) => login)).toEqual(["ben", "Cid"]);
      expect(await list(pool, fresh.next, asProgram)).toMatchObject({
        changes: [],
        hasMore: false,
      });
      days(29);
      await pool.changes.prune(90);
      expect((await list(pool, next)).changes).toEqual([{ login: "ada", change: "erased" }]);
      days(2);
      await pool.changes.prune(90);
      expect(await list(pool, next)).toEqual({ ...anew, startAnew: "expired" });
      // Whoever was told before goes on.
      expect(await list(pool, told.next)).toMatchObject({ changes: [], hasMore: false });
    });

    test("of who had left before an erasure are of the erasure, and forgotten with it", async () => {
      const pool = await open();
      await bring(pool, three);
      const { next } = await list(pool);
      await bring(
        pool,
        [{ login: "ada-new", emails: ["ada@example.com"], formerLogins: ["ada"] }],
        ["ada", "ben"],
      );
      days(1);
      while (await pool.reclaim());
      await pool.erasing.hide("ada-new");
      // His row is gone for good; only the list of changes knows him.
      expect(await pool.erasing.find("ben")).toEqual(["ben"]);
      expect(await pool.erasing.hide("ben")).toMatchObject({ developers: 0 });
      expect(await pool.erasing.hide("ben")).toBeUndefined();
      const { changes } = await list(pool, next);
      expect(changes.map(({ login, change }) => `${login} ${change}`).sort()).toEqual([
        ...["ada erased", "ada-new erased", "ben erased"],
      ]);
    });

    test("that are kept no longer, of another pool, or made up are not told as if they were none", async () => {
      const pool = await open();
      await bring(pool, three);
      const { next } = await list(pool);
      await bring(pool, [], ["ada"]);
      const { next: later = "" } = await list(pool, next);
      days(89);
      await pool.changes.prune(90);
      expect((await list(pool, next)).changes).toEqual([{ login: "ada", change: "removed" }]);
      days(2);
      await pool.changes.prune(90);
      expect(await list(pool, next)).toMatchObject({ startAnew: "expired" });
      expect(await list(pool, later)).toMatchObject({ changes: [], hasMore: false });
      days(1);
      const other = await open();
      await bring(other, three);
      await bring(other, [], ["ada"]);
      expect(await list(other, later)).toMatchObject({ startAnew: "restored" });
      const far = "9".repeat(15);
      for (const token of [`${far}-0-0-0-0-0-0`, `0-0-${far}-0-0-0-0`])
        expect(await list(pool, token)).toMatchObject({ startAnew: "restored" });
      expect(await list(pool, `0-0-0-0-${far}-${far}-${far}`)).toMatchObject({ changes: [] });
    });

    test("make copies that equal the pool after each step of a drawn history", async () => {
      for (let seed = 1; seed <= rounds(histories); seed++)
        await playHistory(seed, { open: openAt, place: ":memory:", steps: 25 });
    });
  });
}
