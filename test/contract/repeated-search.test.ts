/** A search that is asked again may be answered from what is kept of the first answer, and nobody can tell. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { SearchResultItem } from "../../src/contract/people/developer.ts";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";

let appliance: TestAppliance;

beforeEach(async () => {
  appliance = await openTestAppliance();
});
afterEach(() => appliance.close());

const question = { location: "worldwide", skills: ["Go"] };
const ask = async (more: object = {}) => {
  const { data, meta } = (await appliance.client.search({ ...question, ...more })).body;
  const results: SearchResultItem[] = data.results;
  return { text: JSON.stringify(data), meta, results, logins: results.map(({ login }) => login) };
};
/** Until the answer is one that is kept. */
const askOften = async () => {
  for (let time = 0; time < 3; time++) await ask();
  return ask();
};

test("the same data, counted and named as a call of its own", async () => {
  const first = await ask();
  for (let more = 1; more <= 4; more++) {
    const again = await ask();
    expect(again.text).toBe(first.text);
    expect(again.meta.quota.used).toBe(first.meta.quota.used + more);
    expect(again.meta.requestId).not.toBe(first.meta.requestId);
  }
});

test("whoever is erased is gone at once, before the index is built again", async () => {
  const { logins } = await askOften();
  const [erased = "", ...others] = logins;
  await appliance.modules.pool.erasing.hide(erased);
  expect((await ask()).logins).toEqual(others);
  await appliance.modules.search.refresh();
  expect((await ask()).logins).toEqual(others);
});
