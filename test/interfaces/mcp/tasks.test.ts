/**
 * Fifty tasks in the words of users, each with the call that is right for it; the first of `right` is the best one. Readers who see
 * only the list of tools and the tasks must find these calls.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readInput } from "../../../src/contract/read.ts";
import { listTools } from "../../../src/interfaces/mcp/tools.ts";
import { toolOperations as operations } from "../../../src/operations/index.ts";
import { searchDevelopers } from "../../../src/operations/search-developers.ts";
import type { TestAppliance } from "../../appliance.ts";
import { openDemoAppliance } from "../../demo-appliance.ts";
import { openRpc } from "./rpc.ts";
import tasks from "./tasks.json";

let appliance: TestAppliance;
let call: ReturnType<typeof openRpc>["call"];

beforeAll(async () => {
  appliance = await openDemoAppliance();
  const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
  call = openRpc(appliance.handle, key).call;
}, 300_000);
afterAll(() => appliance.close());

test("the tasks are fifty, all different, and need every tool", () => {
  expect(new Set(tasks.map(({ task }) => task)).size).toBe(50);
  const needed = new Set(tasks.flatMap(({ right }) => right.map(({ tool }) => tool)));
  const offered = listTools({ allowed: operations, detail: "full" }).map(({ name }) => name);
  expect([...needed].sort()).toEqual(offered.sort());
});

test("the search that OpenAPI shows with named fields finds people of its company", async () => {
  const { fieldsExample } = searchDevelopers;
  const { result } = await call("search_developers", { ...fieldsExample });
  const { results } = result.structuredContent;
  expect(results).toHaveLength(fieldsExample?.maxResults ?? 0);
  const fields = [...(fieldsExample?.fields ?? []), "login"].sort();
  for (const { company, ...found } of results) {
    expect(company).toBe(fieldsExample?.company);
    expect(Object.keys({ company, ...found }).sort()).toEqual(fields);
  }
});

for (const { task, right } of tasks) {
  test(`${task} is answered by ${right.map(({ tool }) => tool).join(" or ")}`, async () => {
    for (const { tool, arguments: input } of right) {
      const operation = operations.find(({ name }) => name === tool);
      if (!operation) throw new Error(`no tool has the name ${tool}`);
      expect<object>(readInput(operation.input, input)).toEqual(input);
      const { result } = await call(tool, input);
      expect({ input, isError: result.isError, text: result.content[0].text }).toEqual({
        ...{ input, isError: undefined, text: expect.any(String) },
      });
      expect(result.structuredContent.locationSuggestions).toBeUndefined();
      expect(result.structuredContent.unknownSkills).toBeUndefined();
    }
  });
}
