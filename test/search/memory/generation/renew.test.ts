import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { buildGeneration } from "../../../../src/search/generation/build.ts";
import type { Generation } from "../../../../src/search/generation/generation.ts";
import { renewGeneration } from "../../../../src/search/generation/renew.ts";
import { rounds } from "../../../long.ts";
import { toStandingRow } from "../../../pool/ranked-rows.ts";
import { inOneBatch, places, poolOf, pools, type Row } from "../../small-world.ts";

const { ancestors } = places;
const edition = "test";

const build = (rows: readonly Row[], revision: number) =>
  buildGeneration({
    rankingFeatures: inOneBatch(rows.map(toStandingRow)),
    ancestors,
    made: { revision, edition },
  });

/** Also tells which rows were read. */
async function renew(previous: Generation | undefined, rows: readonly Row[], revision: number) {
  const pool = poolOf(() => ({ rows, revision }));
  const read: number[] = [];
  const rankingFeatures: typeof pool.rankingFeatures = (rowIds) => {
    read.push(...(rowIds ?? []));
    return pool.rankingFeatures(rowIds);
  };
  const source = {
    pool: { ...pool, rankingFeatures },
    ancestors,
    edition,
    previous,
    rowsPerPart: 70,
  };
  return { generation: await renewGeneration(source), read };
}

const isSame = (a: Generation, b: Generation) =>
  Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

/** Numbers that say, for each person at each step: stay, leave, or come back as another row. */
const steps = fc.array(fc.array(fc.nat({ max: 9 }), { minLength: 200, maxLength: 200 }), {
  minLength: 1,
  maxLength: 4,
});

describe("the next generation", () => {
  test("is the same, byte for byte, as one built of everybody, after any imports and erasures", async () => {
    await fc.assert(
      fc.asyncProperty(pools, steps, async (everybody, fates) => {
        let rows = everybody.filter((_, at) => at % 3 > 0);
        let nextRow = 10_000;
        let generation = (await renew(undefined, rows, 1)).generation;
        expect(isSame(generation, await build(rows, 1))).toBe(true);
        for (const [step, fate] of fates.entries()) {
          const shown = new Map(rows.map((row) => [row.standing.login.toLowerCase(), row]));
          for (const [at, { standing }] of everybody.entries()) {
            const login = standing.login.toLowerCase();
            if (fate[at] === 0) shown.delete(login);
            if (fate[at] === 1) {
              const other = everybody[(at + step) % everybody.length]?.standing ?? standing;
              shown.set(login, { rowId: nextRow++, standing: { ...other, login: standing.login } });
            }
          }
          rows = [...shown.values()];
          const revision = step + 2;
          generation = (await renew(generation, rows, revision)).generation;
          expect(isSame(generation, await build(rows, revision))).toBe(true);
        }
      }),
      { numRuns: rounds(150) },
    );
  });

  test("reads of the pool only who came", async () => {
    const everybody = fc.sample(pools, { seed: 2, numRuns: 20 }).find(({ length }) => length > 50);
    const [first, ...others] = everybody ?? [];
    if (!first) throw new Error("nobody");
    const { generation } = await renew(undefined, others, 1);
    const [gone, ...kept] = others;
    const { read, generation: next } = await renew(generation, [...kept, first], 2);
    expect(read).toEqual([first.rowId]);
    expect([...next.columns.rowIds]).not.toContain(gone?.rowId);
  });

  test("is the one before when the pool has not changed", async () => {
    const { generation } = await renew(undefined, [], 1);
    expect((await renew(generation, [], 1)).generation).toBe(generation);
  });

  test("has no byte of who left", async () => {
    const people = ["Erased-Person", "staying"].map(
      (login, at): Row => ({
        rowId: at + 1,
        standing: {
          ...{ login, searchable: true, profile: 50, activity: 50, techStack: 50 },
          ...{ experienceTenths: 50, hireable: false, places: ["berlin"], roles: [], concepts: [] },
          words: [`word-of-${login.toLowerCase()}`],
          repositories: [{ name: `${login}/dotfiles` }],
          weakConcepts: [],
        },
      }),
    );
    const { generation } = await renew(undefined, people, 1);
    const hasBytes = ({ buffer }: Generation) =>
      Buffer.from(buffer).toString("utf16le").toLowerCase().includes("erased-person");
    expect(hasBytes(generation)).toBe(true);
    expect(hasBytes((await renew(generation, people.slice(1), 2)).generation)).toBe(false);
  });
});
