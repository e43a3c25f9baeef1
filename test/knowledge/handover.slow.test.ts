/** What people leave behind, counted once more by plain loops over three invented histories. */
import { afterAll, describe, expect, test } from "bun:test";
import { readShippedModel } from "../../src/analysis/model.ts";
import type { WhoData } from "../../src/contract/people/who-knows.ts";
import { isRefusal } from "../../src/knowledge/knowledge.ts";
import { measureKnowledge } from "../../src/knowledge/measure-knowledge.ts";
import { selectPaths } from "../../src/knowledge/select-files.ts";
import { openTestAppliance } from "../appliance.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const constants = readShippedModel().knowledge;
const { pool, people, knowledge, store } = await openInventedKnowledge(12);
afterAll(() => pool.close());

for (const seed of [1, 2, 3]) {
  test(`history ${seed}: folders, files nobody else knows, and who is next`, async () => {
    const name = `example/handed-${seed}`;
    const { repository } = inventAuthorship({
      ...{ name, commits: 300 + seed * 40, files: 60, people },
    });
    const { known, head, read } = await store(repository);
    const { files: selected } = await selectPaths({ head, read }, [""]);
    const whole = measureKnowledge([{ repository: known.id, head, files: selected }], {
      ...{ asOfDay: known.lastDay, constants },
    });
    const without = [whole.people[0]?.login ?? "", whole.people[2]?.login ?? ""];
    const asOfDay = known.lastDay;
    const answer = await knowledge.ask({ repository: name, without, asOfDay });
    if (isRefusal(answer) || !answer.handover) throw new Error("no answer");

    const leaving = new Set([0, 2]);
    const folders = new Map<string, { files: number; known: number; lost: number }>();
    const shares = new Map<string, Map<number, number>>();
    const weights = new Map<string, number>();
    for (const [at, { path, knownBy }] of whole.files.entries()) {
      const folder = path.split("/").slice(0, -1).join("/");
      const counts = folders.get(folder) ?? { files: 0, known: 0, lost: 0 };
      folders.set(folder, counts);
      counts.files += 1;
      if (knownBy.some((one) => leaving.has(one))) {
        counts.known += 1;
        if (!knownBy.some((one) => !leaving.has(one))) counts.lost += 1;
      }
      const knowers = whole.knowers[at];
      const weight = (knowers?.lines ?? 0) + 1;
      weights.set(folder, (weights.get(folder) ?? 0) + weight);
      const own = shares.get(folder) ?? new Map<number, number>();
      shares.set(folder, own);
      for (const { person, share } of knowers?.people ?? []) {
        own.set(person.number, (own.get(person.number) ?? 0) + weight * share);
      }
    }
    const expected = [...folders].filter(([, { known }]) => known > 0);
    const { handover } = answer;
    expect(handover.folders.map(({ path }) => path).sort()).toEqual(
      expected.map(([path]) => path).sort(),
    );
    expect(expected.length).toBeGreaterThan(2);
    expect(handover.lost).toBe(expected.reduce((all, [, { lost }]) => all + lost, 0));
    expect(handover.files).toBe(expected.reduce((all, [, { known }]) => all + known, 0));
    for (const { path, files, known, lost, share, next } of handover.folders) {
      expect({ files, known, lost }).toEqual(folders.get(path) ?? { files: 0, known: 0, lost: 0 });
      const own = [...(shares.get(path) ?? [])].map(
        ([person, sum]) => [person, sum / (weights.get(path) ?? 1)] as const,
      );
      const theirs = own.filter(([person]) => leaving.has(person));
      const sum = theirs.reduce((all, [, one]) => all + one, 0);
      expect(share).toBeCloseTo(sum, 9);
      const stays = (person: number) => {
        const one = whole.people[person];
        return one !== undefined && !leaving.has(person) && !one.hasLeft;
      };
      const best = own
        .filter(([person, one]) => one >= 0.01 && stays(person))
        .sort(([a, x], [b, y]) => y - x || a - b)
        .slice(0, 3);
      expect(next.map(({ person }) => person)).toEqual(best.map(([person]) => person));
    }
    const order = handover.folders.map(({ lost, share }) => lost + share / 10);
    expect(order).toEqual([...order].sort((a, b) => b - a));
    // As if they had left: they know no file any more, and others are untouched.
    const remaining = whole.files.map(({ knownBy }) => knownBy.filter((one) => !leaving.has(one)));
    expect(answer.files.map(({ knownBy }) => knownBy)).toEqual(remaining);
  });
}

interface Answered {
  readonly data?: WhoData;
  readonly error?: { readonly message: string };
}

describe("asked of an appliance", async () => {
  const appliance = await openTestAppliance();
  afterAll(() => appliance.close());
  const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
  const ask = async (without: readonly string[]) => {
    const body = { repository: "demo-guild/onyx-vault", without, limit: 50 };
    const reply = await appliance.client.ask({ path: "/v1/who", body, key });
    return reply as { readonly status: number; readonly body: Answered };
  };

  test("without the first, who was second is first, and the folders say who is next", async () => {
    const before = (await ask([])).body.data;
    expect([before?.handover, before?.people.length]).toEqual([undefined, 3]);
    const first = before?.people[0]?.login ?? "";
    const { data } = (await ask([first.toUpperCase()])).body;
    expect([data?.people[0]]).toEqual([before?.people[1]]);
    expect(data?.total).toBe((before?.total ?? 0) - 1);
    expect(data?.handover?.logins).toEqual([first]);
    const next = data?.handover?.folders.flatMap((folder) => folder.next) ?? [];
    expect(next.length).toBeGreaterThan(0);
    expect(next.some(({ login }) => login === first)).toBe(false);
  });

  test("without everybody of the page, all that they know is nobody's", async () => {
    const everybody = (await ask([])).body.data?.people.map(({ login }) => login) ?? [];
    const { body } = await ask(everybody);
    const { lost = 0, files = 0, folders = [] } = body.data?.handover ?? {};
    expect(files).toBeGreaterThan(0);
    expect(lost).toBe(folders.reduce((all, folder) => all + folder.lost, 0));
    expect(body.data?.people.some(({ login }) => everybody.includes(login))).toBe(false);
  });

  test("without somebody unknown it is not found, and says who", async () => {
    const { status, body } = await ask(["nobody-of-that-name"]);
    expect(status).toBe(404);
    expect(body.error?.message).toBe(
      'without: nobody has the login "nobody-of-that-name"; find people by their names first',
    );
    expect((await ask(["not a login!"])).status).toBe(404);
    expect((await ask(Array.from({ length: 21 }, (_, at) => `dev-${at}`))).status).toBe(400);
  });
});
