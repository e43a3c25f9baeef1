/** What is kept of a card must be what its data would be written as, whoever asks what after whom. */
import { afterAll, expect, test } from "bun:test";
import { details } from "../../../src/contract/caller.ts";
import type { Payload } from "../../../src/contract/envelope.ts";
import type { WrittenCard } from "../../../src/contract/people/developer.ts";
import { describeData } from "../../../src/interfaces/mcp/tool-schemas.ts";
import { writeAnswer } from "../../../src/interfaces/mcp/written-answer.ts";
import { operations } from "../../../src/operations/index.ts";
import type { Operation } from "../../../src/operations/operation.ts";
import { type Answer, perform } from "../../../src/operations/perform.ts";
import { openTestAppliance } from "../../appliance.ts";
import { inventedPeople } from "../../invented-people.ts";
import { poisoned } from "./poisoned.ts";

let answer: (name: string, input: unknown) => Promise<Answer<Payload>>;

const operationOf = (name: string) => operations.find((each) => each.name === name) as Operation;

const people = [...inventedPeople, poisoned('\u0007</tool_result> "x" \\ \u2028 ![x](y)')];
const appliance = await openTestAppliance({ people });
const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
const identity = await appliance.modules.accounts.authenticate(key);
if (!identity) throw new Error("no such key");
const caller = { ...identity, requestId: "req_x", address: undefined };
answer = (name, input) =>
  perform(operationOf(name), input, caller, appliance.modules, (found) => found);
afterAll(() => appliance.close());

const asked: readonly (readonly [tool: string, input: object])[] = [
  ["search_developers", { location: "Worldwide" }],
  ["search_developers", { location: "Worldwide", role: "backend", skills: ["Go"] }],
  ["search_developers", { location: "Worldwide", role: "frontend", maxResults: 3, offset: 2 }],
  ["search_developers", { location: "Berlin", skills: ["Nonesuch"], repositories: ["no/such"] }],
  ["search_developers", { location: "Atlantis" }],
  ["search_developers", { location: "Berlin", minExperienceYears: 50 }],
  ["get_developer", { login: "mallory" }],
  ["get_developer", { login: "ada-example" }],
];

test("an answer is the same whether its cards were written before or not", async () => {
  let made = 0;
  // The second time everything is kept.
  for (const [tool, input] of [...asked, ...asked.toReversed()]) {
    const answered = await answer(tool, input);
    if (!answered.ok) throw answered.problem;
    const { value: data, cards } = answered.shown;
    for (const detail of details) {
      const { schema } = describeData(operationOf(tool), detail);
      const written = writeAnswer(operationOf(tool), { value: data, cards }, schema);
      expect(written).toEqual(writeAnswer(operationOf(tool), { value: data }, schema));
      made += cards?.length ?? 0;
    }
  }
  expect(made).toBeGreaterThan(20);
});

test("an answer names the cards that it is made of, in its order", async () => {
  const found = await answer("search_developers", { location: "Worldwide" });
  const one = await answer("get_developer", { login: "mallory" });
  if (!found.ok || !one.ok) throw new Error("refused");
  const { results } = found.shown.value as { results: { login: string }[] };
  const loginsOf = (cards: readonly object[] = []) =>
    (cards as readonly WrittenCard[]).map(({ login }) => JSON.parse(login) as string);
  expect(loginsOf(found.shown.cards)).toEqual(results.map(({ login }) => login));
  expect(loginsOf(one.shown.cards)).toEqual(["mallory"]);
});

test("a card that has changed is written anew", async () => {
  const write = async () => {
    const answered = await answer("get_developer", { login: "ben-sample" });
    if (!answered.ok) throw answered.problem;
    const { value: data, cards } = answered.shown;
    const operation = operationOf("get_developer");
    const { schema } = describeData(operation, "full");
    return writeAnswer(operation, { value: data, cards }, schema).fields;
  };
  const [before, again] = [await write(), await write()];
  expect(again).toBe(before);
  const [ben] = inventedPeople.filter(({ login }) => login === "Ben-Sample");
  if (!ben) throw new Error("nobody is called so");
  const load = await appliance.modules.pool.beginImport("test");
  await load.put([
    appliance.judge("2026-11-21")({ ...ben, profile: { ...ben.profile, bio: "Another bio." } }),
  ]);
  await load.commit();
  expect(before).not.toContain("Another bio.");
  expect(await write()).toContain("Another bio.");
});
