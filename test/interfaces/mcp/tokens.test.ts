/** What the tools take of a model's context, in tokens of o200k, as the models' own tokeniser counts them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";
import type { SearchResultItem } from "../../../src/contract/people/developer.ts";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { roles } from "../../../src/contract/requests.ts";
import { callTool } from "../../../src/interfaces/mcp/tools.ts";
import { toolOperations } from "../../../src/operations/index.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { openDemoAppliance } from "../../demo-appliance.ts";
import { poisoned } from "./poisoned.ts";
import { openRpc } from "./rpc.ts";

const tokeniser = new Tiktoken(o200k);
const tokensOf = (value: unknown) =>
  tokeniser.encode(typeof value === "string" ? value : JSON.stringify(value)).length;
// biome-ignore lint/suspicious/noExplicitAny: A tool's result, as the client gets it.
const tokensOfResult = ({ content, structuredContent }: any) =>
  tokensOf(content[0].text) + tokensOf(structuredContent);

describe("The demo pool", () => {
  let appliance: TestAppliance;
  let results: readonly SearchResultItem[];
  const at = async (detail: string) => {
    const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
    return openRpc(appliance.handle, key, "http://localhost", `/mcp?detail=${detail}`);
  };

  beforeAll(async () => {
    appliance = await openDemoAppliance();
    results = await costliest(appliance);
  }, 300_000);
  afterAll(() => appliance.close());

  /** As if one search had found the 25 whose answers are longest, of all whom any role finds. */
  const found = (detail: "full" | "slim") =>
    callTool(
      { name: "search_developers", arguments: { location: "worldwide" } },
      {
        ...{ allowed: toolOperations, detail, version: "1.2.3", fault: () => {} },
        ask: async (_, __, show) => ({
          ok: true,
          shown: show({ value: { matchedCount: 25, totalCount: 5000, results, place: "Earth" } }),
          meta: {
            ...{ requestId: "req_x", dataSource: "candidate_pool" },
            quota: { used: 999, limit: 1000, month: "2026-11" },
          },
        }),
      },
    );

  test("slim, a search of the costliest 25 takes at most 5,000 tokens, text and structure", async () => {
    const tokens = tokensOfResult(await found("slim"));
    expect(tokens).toBeLessThanOrEqual(5000);
    expect(tokens).toBeGreaterThan(4000);
  });

  test("in full it takes at most 15,000", async () => {
    expect(tokensOfResult(await found("full"))).toBeLessThanOrEqual(15_000);
  });

  test("of 100 full results, fields leave less than a tenth: at most 3,600 tokens for logins and addresses", async () => {
    const ask = { location: "worldwide", skills: ["Python"], maxResults: 100 };
    const costOf = async (detail: string, fields?: string[]) => {
      const { result } = await (await at(detail)).call("search_developers", { ...ask, fields });
      expect(result.structuredContent.results).toHaveLength(100);
      return { tokens: tokensOfResult(result), result };
    };
    const whole = await costOf("full");
    expect(whole.tokens).toBeGreaterThan(40_000);
    const few = await costOf("full", ["email"]);
    expect(few.tokens).toBeLessThanOrEqual(3600);
    // Fields that a slim answer leaves out are answered if they are named.
    const { result } = await costOf("slim", ["followers"]);
    const { results } = result.structuredContent;
    expect(new Set(results.flatMap(Object.keys))).toEqual(new Set(["login", "followers"]));
    expect(result.content[0].text).toMatch(/^1\. [^;\n]+; followers \d+$/m);
  });

  test("slim, the list of tools takes at most 2,600 tokens; in full 7,500", async () => {
    const listed = async (detail: string) =>
      (await (await at(detail)).post({ jsonrpc: "2.0", id: 1, method: "tools/list" })).body.result
        .tools;
    const slim = await listed("slim");
    expect(slim).toHaveLength(toolOperations.length);
    expect(tokensOf(slim)).toBeLessThanOrEqual(2600);
    expect(tokensOf(await listed("full"))).toBeLessThanOrEqual(7500);
  });

  test("slim answers lack fields and add none, and say the same of the rest", async () => {
    const input = { location: "worldwide", role: "backend" };
    const [slim, full] = await Promise.all(
      ["slim", "full"].map(
        async (detail) => (await (await at(detail)).call("search_developers", input)).result,
      ),
    );
    const [few, all] = [slim, full].map(({ structuredContent }) => structuredContent);
    expect(few.totalCount).toBe(all.totalCount);
    expect(few.meta.nextOffset).toBe(25);
    expect(Object.keys(few.results[0])).toContain("matching_keywords");
    expect(few.results[0].bio).toBeUndefined();
    for (const [index, each] of few.results.entries()) {
      expect(all.results[index]).toMatchObject(each);
    }
    expect(slim.content[0].text).toMatch(/^[\d,]+ match, 25 of them here, best first\.$/m);
    expect(slim.content[0].text).not.toContain("undefined");
  });
});

/** Of everybody whom a search for some role puts among its first hundred. */
async function costliest(appliance: TestAppliance): Promise<readonly SearchResultItem[]> {
  const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
  const people = new Map<string, SearchResultItem>();
  for (const role of roles) {
    const { body } = await appliance.client.search(
      { location: "worldwide", role, maxResults: 100 },
      key,
    );
    for (const each of body.data.results) people.set(each.login, each);
  }
  const shown = ({ matching_keywords, name, location, email, login }: SearchResultItem) =>
    tokensOf([login, name, location, email, matching_keywords]);
  const costs = new Map([...people.values()].map((each) => [each, shown(each)]));
  return [...costs]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 25)
    .map(([each]) => each);
}

test("25 people who wrote as much as they could stay below 25,000 tokens, text and structure", async () => {
  const people = Array.from({ length: 30 }, (_, index): Facts => {
    return { ...poisoned("endless words ".repeat(700)), login: `talker-${index}` };
  });
  const appliance = await openTestAppliance({ people });
  const { call } = openRpc(appliance.handle, (await appliance.newAccount("pro")).key);
  const { result } = await call("search_developers", { location: "Berlin" });
  expect(result.structuredContent.results).toHaveLength(25);
  expect(tokensOfResult(result)).toBeLessThan(25_000);
  await appliance.close();
});
