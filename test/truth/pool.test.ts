import { describe, expect, test } from "bun:test";
import { plantHistories } from "../../scripts/measure/planted/history.ts";
import { machines, plantPeople } from "../../scripts/measure/planted/people.ts";
import { type Plan, readPlan } from "../../scripts/measure/planted/projects.ts";
import { truthOfPool } from "../../scripts/measure/truth/pool.ts";
import { createChance } from "../../scripts/seeding/demo/chance.ts";
import { isLong } from "../long.ts";

function planted(seed: string) {
  const plan = readPlan();
  const chance = createChance(seed);
  const people = plantPeople(plan, chance);
  return { plan, people, ...plantHistories(plan, people, chance) };
}

/** Every project, role, skill and machine of the plan; in the gate a third of its people. */
function trialPlan(): Plan {
  const plan = readPlan();
  if (isLong) return plan;
  const projects = plan.projects.map((project) => ({
    ...project,
    teams: project.teams.map((team) => ({ ...team, people: Math.ceil(team.people / 3) })),
  }));
  return { ...plan, projects };
}

describe("people planted in real repositories", () => {
  test("are the same for a seed, and others for another", () => {
    const commits = (seed: string) => JSON.stringify(planted(seed).histories);
    expect(commits("one")).toBe(commits("one"));
    expect(commits("one")).not.toBe(commits("two"));
  });

  test("are some two hundred, of all kinds", () => {
    const { people, histories } = planted("kinds");
    expect(people.length).toBeGreaterThanOrEqual(200);
    expect(histories.length).toBeGreaterThanOrEqual(15);
    expect(new Set(people.map(({ role }) => role)).size).toBeGreaterThanOrEqual(20);
    expect(new Set(people.map(({ label }) => label)).size).toBe(6);
    expect(people.filter(({ mailmap }) => mailmap.length > 0).length).toBeGreaterThan(20);
    const authors = new Set(
      histories.flatMap(({ commits }) => commits.map(({ author }) => author.email)),
    );
    for (const { email } of machines) expect(authors.has(email)).toBe(true);
  });

  test("are found again by the whole pipeline, nineteen of twenty in every figure", async () => {
    const { rows, misses } = await truthOfPool("roster planted 2", trialPlan());
    expect(rows.map(({ name }) => name)).toEqual([
      "pool.roles",
      "pool.skills",
      "pool.cadence",
      "pool.aliases",
      "pool.bots",
    ]);
    expect({ missed: rows.filter(({ met }) => !met), misses }).toMatchObject({ missed: [] });
  }, 300_000);
});
