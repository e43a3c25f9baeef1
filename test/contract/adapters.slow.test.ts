/**
 * The same people in a data folder, in PostgreSQL, and in PostgreSQL that also searches: whatever is asked, the answers are
 * equal, order and cards included.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Assessment } from "../../src/contract/people/assessment.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { demoAsOf } from "../../src/ingest/ingest.ts";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { isLong } from "../long.ts";
import { hasPostgres, newDatabase } from "../postgres/database.ts";
import { createRandom, drawSeed } from "../random.ts";

const demoFile = join(import.meta.dir, "../../seed/demo.jsonl.zst");
/** TEST_PEOPLE=100000 is the size that nodes are held to. */
const people = Number(process.env["TEST_PEOPLE"] ?? (isLong ? 2000 : 400));
const queries = isLong ? 1000 : 100;
const profiles = isLong ? 50 : 10;

describe.skipIf(!hasPostgres)(`${people} people in each store`, () => {
  const appliances: TestAppliance[] = [];
  let logins: readonly string[] = [];

  beforeAll(async () => {
    const newShared = async () => ({ url: await newDatabase(), connections: 4 });
    const configs = [
      {},
      { database: await newShared() },
      { database: await newShared(), search: { engine: "database" } as const },
    ];
    for (const config of configs) {
      appliances.push(await openTestAppliance({ folder: true, people: [], config }));
    }
    const judged = judgeDemo(appliances[0] as TestAppliance);
    for (const { modules } of appliances) {
      await copyPeople(modules.pool, judged);
      await modules.search.refresh();
    }
    logins = judged.map(({ facts }) => facts.login);
  }, 3_600_000);
  afterAll(async () => {
    for (const appliance of appliances) await appliance.close();
  });

  /** @returns what each of them answered. */
  const askAll = async (
    asked: unknown,
    ask: (of: TestAppliance) => Promise<{ status: number; body: unknown }>,
  ) => {
    const answers = [];
    for (const appliance of appliances) {
      const { status, body } = await ask(appliance);
      const { data, error } = body as { data?: unknown; error?: unknown };
      answers.push({ status, data, error });
    }
    const [one, ...others] = answers;
    for (const other of others) expect([asked, other]).toEqual([asked, one]);
    return one;
  };

  test(`${queries} searches have equal answers`, async () => {
    const draw = createRandom(drawSeed("adapters"));
    let [found, wellFormed] = [0, 0];
    for (let at = 0; at < queries; at++) {
      const query = drawQuery(draw);
      const answer = await askAll(query, ({ client }) => client.search(query));
      wellFormed += answer?.status === 200 ? 1 : 0;
      found += (answer?.data as { totalCount?: number } | undefined)?.totalCount ?? 0;
    }
    expect(found).toBeGreaterThan(queries);
    expect(wellFormed).toBe(queries);
  }, 3_600_000);

  test("profiles and analyses are equal", async () => {
    for (const login of [...logins.slice(0, profiles).map((each) => `${each}-1`), "nobody-here"]) {
      await askAll(login, ({ client }) => client.get(login));
      await askAll(login, ({ client }) => client.analyze(login));
    }
  }, 600_000);
});

function judgeDemo({ judge }: TestAppliance): readonly Assessment[] {
  const lines = Bun.zstdDecompressSync(readFileSync(demoFile)).toString("utf8").trimEnd();
  const facts = lines.split("\n", people).map((line) => JSON.parse(line) as Facts);
  return facts.map(judge(demoAsOf));
}

/** The demo people as often as it takes, each time under other names. */
async function copyPeople(
  pool: TestAppliance["modules"]["pool"],
  judged: readonly Assessment[],
): Promise<void> {
  const load = await pool.beginImport("test");
  for (let made = 0, copy = 1; made < people; copy++) {
    const batch = judged.slice(0, people - made).map((one) => {
      const login = `${one.facts.login}-${copy}`;
      return {
        ...one,
        facts: { ...one.facts, login, source: "test" },
        card: { ...one.card, login },
        standing: { ...one.standing, login },
      };
    });
    for (let at = 0; at < batch.length; at += 100) await load.put(batch.slice(at, at + 100));
    made += batch.length;
  }
  await load.commit();
}

const choices = {
  location: [
    "Worldwide",
    "Berlin",
    "Germany",
    "France",
    "Europe",
    "Munich",
    "Poland",
    "Brazil",
    "Atlantis",
  ],
  role: ["backend", "frontend", "devops", "data-engineer", "mobile"],
  skills: [
    "Go",
    "Kubernetes",
    "React",
    "Rust",
    "PostgreSQL",
    "k8s",
    "terraform",
    "numpy",
    "unheard-of",
  ],
  languages: ["Go", "Python", "TypeScript", "Java", "C++"],
};

function drawQuery(draw: () => number): Record<string, unknown> {
  const one = (list: readonly string[]) => list[Math.floor(draw() * list.length)] as string;
  const some = (list: readonly string[]) =>
    Array.from({ length: 1 + Math.floor(draw() * 3) }, () => one(list));
  const often = draw() < 0.6;
  return {
    location: one(choices.location),
    ...(draw() < 0.4 && { role: one(choices.role) }),
    ...(often && { skills: some(choices.skills) }),
    ...(often && draw() < 0.5 && { strictSkills: draw() < 0.5 }),
    ...(draw() < 0.3 && { languages: some(choices.languages) }),
    ...(draw() < 0.3 && { minExperienceYears: Math.floor(draw() * 12) }),
    ...(draw() < 0.2 && { activeSince: one(["2010-01-01", "2025-06-01", "2026-10-17"]) }),
    ...(draw() < 0.2 && { isHireable: true }),
    maxResults: 1 + Math.floor(draw() * 30),
    ...(draw() < 0.3 && { offset: Math.floor(draw() * 60) }),
  };
}
