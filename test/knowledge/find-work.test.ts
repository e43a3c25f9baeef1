/** What is lost over all repositories when people leave: each repository counts as when it is asked about alone. */
import { afterAll, expect, test } from "bun:test";
import { type Handover, isRefusal } from "../../src/knowledge/knowledge.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const { pool, people, knowledge, store } = await openInventedKnowledge(3);
afterAll(() => pool.close());

const leaving = people.slice(0, 2);
const names = ["example/one", "example/two", "example/three"];
for (const [at, name] of names.entries()) {
  const invented = inventAuthorship({ name, commits: 200 + at * 90, files: 40 + at * 10, people });
  await store(invented.repository);
}
const elsewhere = inventAuthorship({ name: "example/elsewhere", commits: 60, files: 9, people });
// The leaving people took no part in it.
await store(
  elsewhere.repository,
  people.map(() => people[2]),
);
const asOfDay = Math.max(...(await pool.authorship.repositories()).map(({ lastDay }) => lastDay));

const ask = async (repository?: string): Promise<Handover & { readonly names: string[] }> => {
  const answer = await knowledge.ask({ repository, without: leaving, asOfDay });
  if (isRefusal(answer) || !answer.handover) throw new Error("no answer");
  const nameOf = new Map(answer.repositories.map(({ id, name }) => [id, name]));
  const named = answer.handover.repositories.map((one) => nameOf.get(one.repository) ?? "");
  return { ...answer.handover, names: named };
};

test("sums up the repositories in which they worked, those with most lost files first", async () => {
  const all = await ask();
  expect(all.names.toSorted()).toEqual(names.toSorted());
  const alone = await Promise.all(all.names.map(ask));
  expect(all.repositories.map(({ known }) => known)).toEqual(alone.map(({ files }) => files));
  // Somebody who left one of the repositories, and works in another, has not left.
  for (const [at, { lost }] of all.repositories.entries())
    expect(lost).toBeLessThanOrEqual(alone[at]?.lost ?? 0);
  expect(all.lost).toBe(all.repositories.reduce((sum, { lost }) => sum + lost, 0));
  expect(all.lost).toBeGreaterThan(0);
  expect(all.files).toBe(alone.reduce((sum, { files }) => sum + files, 0));
  expect(all.files).toBeGreaterThan(10);
  const lost = all.repositories.map((one) => one.lost);
  expect(lost).toEqual(lost.toSorted((a, b) => b - a));
  const pathsOf = ({ folders }: Handover) => folders.map(({ path }) => path);
  expect(pathsOf(all).sort()).toEqual(alone.flatMap(pathsOf).sort());
});

test("refuses people who worked in no repository, in a sentence that names the field", async () => {
  const answer = await knowledge.ask({ without: ["dev-77"], asOfDay });
  expect(answer).toMatchObject({
    ...{ isKnown: false, kind: "absent" },
    message: "without: no repository has work by these people",
  });
});

test("measures at most fifty repositories, those with most of their work, and counts the others", async () => {
  const large = await openInventedKnowledge(3);
  for (let at = 0; at < 53; at++) {
    const commits = at < 3 ? 4 : 12;
    const name = `example/many-${at}`;
    await large.store(
      inventAuthorship({ name, commits, files: 3, people: large.people }).repository,
      large.people.map(() => leaving[0]),
    );
  }
  const answer = await large.knowledge.ask({ without: leaving, asOfDay });
  await large.pool.close();
  if (isRefusal(answer)) throw new Error("no answer");
  expect(answer.unmeasured).toBe(3);
  const kept = answer.repositories.map(({ name }) => name);
  expect(kept).toHaveLength(50);
  for (const at of [0, 1, 2]) expect(kept).not.toContain(`example/many-${at}`);
});
