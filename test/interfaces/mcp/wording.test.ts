/** What models read before they call a tool: it must be true without the schema's keywords, which some clients drop. */
import { describe, expect, test } from "bun:test";
import { limits } from "../../../src/contract/limits.ts";
import { roles, SearchRequest } from "../../../src/contract/requests.ts";
import { instructions, listTools } from "../../../src/interfaces/mcp/tools.ts";
import { operations } from "../../../src/operations/index.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";

const wordsOf = (field: keyof typeof SearchRequest.properties) =>
  String(SearchRequest.properties[field].description);

test("the field role names every role of the vocabulary, and no other", () => {
  expect([...roles]).toEqual(createVocabulary().roles.map(({ id }) => id));
  for (const role of roles) expect(wordsOf("role")).toMatch(new RegExp(`\\b${role}\\b`));
});

describe("bounds stand in words", () => {
  const words: readonly (readonly [keyof typeof SearchRequest.properties, string])[] = [
    ["maxResults", `1 to ${limits.resultsMax}, by default ${limits.resultsDefault}`],
    ["offset", `0 to ${limits.offsetMax}, by default 0`],
    ["minExperienceYears", "years since the account was created"],
    ["minExperienceYears", `0 to ${limits.experienceYearsMax}`],
    ["skills", `at most ${limits.skillsMax}`],
    ["languages", `at most ${limits.languagesMax}`],
    ["location", "worldwide, for everybody. Not Remote."],
  ];
  for (const [field, said] of words) {
    test(`${field}: ${said}`, () => expect(wordsOf(field)).toContain(said));
  }
});

for (const detail of ["full", "slim"] as const) {
  test(`${detail}: nothing points to a file that a model cannot read`, () => {
    const told = JSON.stringify([instructions, listTools({ allowed: operations, detail })]);
    expect(told).not.toMatch(/docs\/|\.md\b|\.ts\b|decision \d/);
  });
}

test("a tool that takes a login declares both of its names, and requires neither", () => {
  for (const { name, inputSchema } of listTools({ allowed: operations, detail: "full" })) {
    if (!("login" in inputSchema.properties)) continue;
    expect([name, Object.keys(inputSchema.properties).sort(), inputSchema.required]).toEqual([
      name,
      ["login", "username"],
      [],
    ]);
  }
});

test("descriptions begin with what the tool does, and say what for", () => {
  for (const { description } of operations) {
    expect(description).not.toStartWith("Answers");
    expect(description).toContain("Answers with");
  }
});
