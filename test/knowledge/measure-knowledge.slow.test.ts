/** The quick way and the plain one say the same of any files, for any day; and no answer outlives a change. */
import { afterAll, expect, test } from "bun:test";
import { readShippedModel } from "../../src/analysis/model.ts";
import { createKnowledgeBase, isRefusal } from "../../src/knowledge/knowledge.ts";
import { measureKnowledge } from "../../src/knowledge/measure-knowledge.ts";
import { selectPaths } from "../../src/knowledge/select-files.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { invented } from "../pool/invented.ts";
import { createRandom, drawSeed } from "../random.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { measurePlainly } from "./plain-way.ts";

const model = readShippedModel();
const now = () => new Date("2026-11-21T12:00:00Z");
const pool = openSqlitePool(":memory:", { now });
afterAll(() => pool.close());
const people = Array.from({ length: 40 }, (_, at) => `dev-${at}`);

async function fill(seed: number) {
  const draw = createRandom(seed);
  const { repository, paths } = inventAuthorship({
    name: `example/tool-${seed}`,
    ...{ commits: 1500 + (seed % 500), files: 150, people },
  });
  const flags = repository.columns.flags.map(() => Math.floor(draw() ** 4 * 8));
  await pool.authorship.replace({ ...repository, columns: { ...repository.columns, flags } });
  // Two spellings of one person, and nobody.
  const logins = people.map((login, at) => (at === 7 ? undefined : at === 9 ? "dev-3" : login));
  await pool.authorship.nameAuthors(repository.key, logins);
  return { name: repository.name, paths, draw };
}

/**
 * Finds where two answers say different things: sums in another order differ in their last bits, and how the quick way
 * numbers people while it measures is its own.
 */
function findDifference(a: unknown, b: unknown, at = "answer"): string | undefined {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)) ? undefined : `${at}: ${a}, ${b}`;
  }
  const areBoth = typeof a === "object" && typeof b === "object" && a !== null && b !== null;
  if (!areBoth) return a === b ? undefined : `${at}: ${a}, ${b}`;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  keys.delete("number");
  keys.delete("knowers");
  for (const key of keys) {
    const [one, other] = [a, b].map((each) => (each as Record<string, unknown>)[key]);
    const difference = findDifference(one, other, `${at}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

test("the quick way says what the plain way says", async () => {
  const load = await pool.beginImport("test");
  await load.put(people.map((login) => invented({ login })));
  await load.commit();
  const first = drawSeed("quick and plain");
  for (let seed = first; seed < first + 4; seed++) {
    const { name, paths, draw } = await fill(seed);
    const known = (await pool.authorship.repositories()).find((one) => one.name === name);
    const head = await pool.authorship.head(known?.id ?? -1);
    if (!known || !head) throw new Error("it was stored");
    for (let round = 0; round < 20; round++) {
      const path = paths[Math.floor(draw() * paths.length)] ?? "";
      const parts = path.split("/");
      const asked = parts.slice(0, Math.floor(draw() * (parts.length + 1))).join("/");
      const read = (from: number, to: number) => pool.authorship.blocks(known.id, from, to);
      const { files } = await selectPaths(head, [asked], read);
      const selections = [{ repository: known.id, head, files }];
      const asOfDay = 20_700 - Math.floor(draw() * 3000);
      const options = { asOfDay, constants: model.knowledge };
      const [quick, plain] = [measureKnowledge, measurePlainly].map((measure) =>
        measure(selections, options),
      );
      expect(findDifference(quick, plain)).toBeUndefined();
    }
  }
}, 300_000);

test("a kept answer is the same again, and is asked anew once somebody is forgotten", async () => {
  const { name } = await fill(1);
  const knowledge = createKnowledgeBase({ authorship: pool.authorship, model: () => model, now });
  const ask = async () => {
    const answer = await knowledge.ask({ repository: name, asOfDay: 20_700 });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  };
  const before = await ask();
  expect(await ask()).toBe(before);
  const fresh = createKnowledgeBase({ authorship: pool.authorship, model: () => model, now });
  expect(await fresh.ask({ repository: name, asOfDay: 20_700 })).toEqual(before);
  const [best] = before.people;
  await pool.erasing.hide(best?.login ?? "");
  const after = await ask();
  expect(JSON.stringify(after)).not.toContain(`"${best?.login}"`);
  expect(after.people.length).toBe(before.people.length - 1);
});
