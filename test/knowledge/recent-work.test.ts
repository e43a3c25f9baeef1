/** Who worked where in the last weeks of the data: by the commits, for people only, and never from before an erasure. */
import { afterAll, expect, test } from "bun:test";
import { commitFlags, type RepositoryAuthorship } from "../../src/pool/pool.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const { pool, people, knowledge, store } = await openInventedKnowledge(4);
afterAll(() => pool.close());

const end = 20_700;
type Entry = readonly [daysAgo: number, author: number, flags?: number, coAuthor?: number];

/** A repository of these entries, oldest first. */
function build(name: string, entries: readonly Entry[]): RepositoryAuthorship {
  const shared = entries.flatMap(([, , , other], at) => (other === undefined ? [] : [[at, other]]));
  const column = (at: 0 | 1) => Uint32Array.from(shared, (row) => row[at] ?? 0);
  const [last = [0, 0]] = entries.slice(-1);
  return {
    ...{ key: name, name, forge: undefined, fingerprint: "1", commits: entries.length, files: 1 },
    lastDay: end - last[0],
    columns: {
      day: Uint16Array.from(entries, ([ago]) => end - ago),
      author: Uint32Array.from(entries, ([, author]) => author),
      files: Uint16Array.from(entries, () => 1),
      flags: Uint8Array.from(entries, ([, , flags = 0]) => flags),
      others: { commit: column(0), author: column(1), kind: Uint8Array.from(shared, () => 0) },
    },
    blocks: [],
    packages: [],
  };
}

const work = () => knowledge.recentWork(end + 100);

test("before any repository is read there is nothing, and no day of data but today", async () => {
  expect(await work()).toEqual({
    ...{ untilDay: end + 100, spans: { busy: 8, new: 13, shown: 26 }, total: 0, repositories: [] },
    ...{ active: 0, people: [], newcomers: [] },
  });
});

test("weeks end with the data; reviews, copies and bots do not count, and co-authors do", async () => {
  await store(build("acme/quiet", [[400, 0]]));
  const { isReview, isElsewhere } = commitFlags;
  const busy = build("acme/busy", [
    [900, 1],
    [56, 2],
    [55, 1],
    [20, 2, 0, 1],
    [1, 3],
    [0, 2, isElsewhere],
    [0, 0, isReview],
  ]);
  await store(busy, [...people.slice(0, 3), undefined]);
  const found = await work();
  expect(found.untilDay).toBe(end);
  expect(found.repositories.map(({ name, recent }) => [name, recent])).toEqual([
    ["acme/busy", 3],
    ["acme/quiet", 0],
  ]);
  // The oldest week comes first: of 26 weeks, the 18th and, after five quiet ones, the 24th and the last.
  const weeks = new Array<number>(26).fill(0);
  for (const week of [17, 18, 23, 25]) weeks[week] = 1;
  expect(found.repositories[0]?.weeks).toEqual(weeks);
  const repository = "acme/busy";
  expect([found.active, found.people]).toEqual([
    2,
    [
      { login: "dev-1", commits: 2, repository },
      { login: "dev-2", commits: 1, repository },
    ],
  ]);
  expect(found.newcomers).toEqual([{ login: "dev-2", commits: 2, repository }]);
  expect(JSON.stringify(found)).not.toContain("dev-0");
});

test("somebody who is forgotten, or is seen to be a bot, is gone at once", async () => {
  expect((await work()).people.map(({ login }) => login)).toContain("dev-1");
  await pool.authorship.nameAuthors("acme/busy", [undefined, undefined, "dev-2", undefined]);
  expect(JSON.stringify(await work())).not.toContain("dev-1");
});

test("repositories of the same name are asked for with their forge", async () => {
  await store({ ...build("acme/busy", [[3, 0]]), key: "other", forge: "forge.example.com" });
  const asked = (await work()).repositories.map((one) => one.asked);
  expect(asked).toEqual(["acme/busy", "forge.example.com/acme/busy", "acme/quiet"]);
});
