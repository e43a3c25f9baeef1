import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FindableDeveloper, FindableRow } from "../../../src/pool/pool.ts";
import {
  buildPeopleIndex,
  type PeopleIndex,
  renewPeopleIndex,
} from "../../../src/search/memory/people-index.ts";

/** A pool whose rows are read only where they are not known. */
function createPool() {
  const rows = new Map<string, FindableDeveloper>();
  let rowsMade = 0;
  let read = 0;
  const put = (login: string, name: string) => {
    const [rowId, score] = [++rowsMade, (7 * rowsMade) % 100];
    rows.set(login, {
      ...{ rowId, login, name, score, isHuman: rowsMade % 3 > 0, formerLogins: [] },
      otherNames: rowsMade % 2 > 0 ? [`${name} Mo`] : [],
      ...{ accounts: [`github.com/${login}`], emails: { published: [], unpublished: [] } },
    });
  };
  async function* findables(isKnown = (_rowId: number) => false) {
    const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    for (let at = 0; at < sorted.length; at += 3) {
      yield sorted.slice(at, at + 3).map((row): FindableRow => {
        if (isKnown(row.rowId)) return { rowId: row.rowId, isKnown: true };
        read++;
        return row;
      });
    }
  }
  return { put, remove: (login: string) => rows.delete(login), findables, countRead: () => read };
}

const change = fc.record({
  login: fc.constantFrom(..."abcdefghijklmnop"),
  name: fc.option(fc.constantFrom("Ada", "Bö Mo", "王"), { nil: undefined }),
});

test("a renewed index is the one that is built of everybody, and reads who is new", async () => {
  const revisions = fc.array(fc.array(change, { maxLength: 6 }), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(revisions, async (changes) => {
      const pool = createPool();
      let index: PeopleIndex | undefined;
      for (const [at, some] of changes.entries()) {
        const changed = new Set(some.map(({ login }) => login));
        for (const { login, name } of some) {
          if (name === undefined) pool.remove(login);
          else pool.put(login, name);
        }
        const before = pool.countRead();
        index = await renewPeopleIndex(pool, at, index);
        expect(pool.countRead() - before).toBeLessThanOrEqual(changed.size);
        expect(index).toEqual(await buildPeopleIndex(pool.findables(), at));
      }
    }),
  );
});

test("rows in another order are refused", async () => {
  const pool = createPool();
  pool.put("a", "Ada");
  pool.put("b", "Bo");
  const index = await renewPeopleIndex(pool, 1, undefined);
  const turned = {
    async *findables() {
      yield [2, 1].map((rowId) => ({ rowId, isKnown: true as const }));
    },
  };
  await expect(renewPeopleIndex(turned, 2, index)).rejects.toThrow("another order");
});
