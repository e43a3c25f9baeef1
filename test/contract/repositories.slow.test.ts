/** The demo people, asked for by each repository, against their facts read one by one. */
import { afterAll, describe, expect, test } from "bun:test";
import { openDemoAppliance } from "../demo-appliance.ts";
import { isLong, rounds } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";

/** Who has commits in it, or, where nobody counted them, whose own it is, by the name as facts have it, and by its last part. */
const workers = new Map<string, Set<string>>();

const appliance = await openDemoAppliance();
const people = (await Array.fromAsync(appliance.modules.pool.facts())).flat();
for (const { login, class: kind = "human", repositories } of people) {
  if (kind !== "human") continue;
  for (const { name, commits, owned, fork = false } of repositories) {
    if (commits === 0 || (commits === undefined && (!owned || fork))) continue;
    for (const key of [name, name.slice(name.indexOf("/") + 1)].map((text) => text.toLowerCase())) {
      workers.set(key, (workers.get(key) ?? new Set()).add(login));
    }
  }
}
afterAll(() => appliance.close());

const find = (repositories: string[], rest = {}) =>
  appliance.modules.search.find({
    ...{ location: "Worldwide", repositories, maxResults: 100, offset: 0 },
    ...rest,
  });
const logins = async (repositories: string[]) => {
  const { hits } = await find(repositories);
  const cards = await appliance.modules.pool.cards(hits.map(({ rowId }) => rowId));
  return [...cards.values()].map(({ login }) => login).sort();
};

describe("the demo people", () => {
  test("are found by every repository, in exact numbers, and by no other", async () => {
    expect(workers.size).toBeGreaterThan(10_000);
    // In the gate every tenth: they are of all kinds, and lie in no order.
    const step = isLong ? 1 : 10;
    for (const [at, [name, those]] of [...workers].entries()) {
      if (at % step > 0) continue;
      const { total, unknownRepositories } = await find([name]);
      expect([name, total, unknownRepositories]).toEqual([name, those.size, []]);
    }
    const idle = people.flatMap(({ repositories }) =>
      repositories.map(({ name }) => name).filter((name) => !workers.has(name.toLowerCase())),
    );
    expect(idle.length).toBeGreaterThan(100);
    for (const name of idle.slice(0, rounds(idle.length)))
      expect([name, (await find([name])).total]).toEqual([name, 0]);
  });

  test("are those of any of the repositories, and fewer with other filters", async () => {
    const draw = createRandom(drawSeed("repositories"));
    const names = [...workers.keys()];
    for (let round = 0; round < rounds(200); round++) {
      const asked = Array.from(
        { length: 1 + Math.floor(draw() * 5) },
        () => names[Math.floor(draw() * names.length)] as string,
      );
      const expected = new Set(asked.flatMap((name) => [...(workers.get(name) ?? [])]));
      if (expected.size <= 100) expect(await logins(asked)).toEqual([...expected].sort());
      const { total } = await find(asked, { role: "backend" });
      const alone = await find(asked);
      expect([asked, alone.total]).toEqual([asked, expected.size]);
      expect(total).toBeLessThanOrEqual(alone.total);
    }
  });
});
