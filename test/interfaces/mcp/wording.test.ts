/** What models read before they call a tool: it must be true without the schema's keywords, which some clients drop. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scopes } from "../../../src/accounts/oauth/oauth.ts";
import { limits } from "../../../src/contract/limits.ts";
import { roles, SearchRequest } from "../../../src/contract/requests.ts";
import { instructions, listTools } from "../../../src/interfaces/mcp/tools.ts";
import { toolOperations } from "../../../src/operations/index.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";

const wordsOf = (field: keyof typeof SearchRequest.properties) =>
  String(SearchRequest.properties[field].description);

describe("the documents", () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dir, `../../../docs/${name}`), "utf8");
  /** What stands in a cell or in brackets, in code. */
  const toolsIn = (text: string) => toolOperations.filter(({ name }) => text.includes(name));

  test("list every tool with every field that it takes", () => {
    for (const { name, inputSchema } of listTools({ allowed: toolOperations, detail: "full" })) {
      const row = read("mcp.md")
        .split("\n")
        .find((line) => line.startsWith(`| \`${name}\` |`));
      const named = Object.keys(inputSchema.properties).filter((field) =>
        row?.includes(`\`${field}\``),
      );
      expect({ name, named }).toEqual({ name, named: Object.keys(inputSchema.properties) });
    }
  });

  test("say of each scope which tools it opens, and the consent page what that means", () => {
    const inProse = /A token may call those of its scopes \(([^)]+)\)/.exec(read("mcp.md"))?.[1];
    const inTable = /^\| scopes \| (.+) \|$/m.exec(read("sign-in.md"))?.[1];
    for (const scope of ["search", "profile"] as const) {
      const opened = toolOperations.filter((operation) => operation.scope === scope);
      for (const text of [inProse, inTable]) {
        const [, part = ""] = (text ?? "").split(`\`${scope}\``);
        expect(toolsIn(part.split(/;|\)/)[0] ?? "")).toEqual(opened);
      }
    }
    // One word for what each tool does; terms are only names.
    const words = {
      search_developers: "Search",
      find_people: "find people",
      who_knows: "who knows",
    };
    for (const word of Object.values(words)) expect(scopes.search).toContain(word);
    for (const word of ["See", "analyse"]) expect(scopes.profile).toContain(word);
    const told = [
      ...Object.keys(words),
      "lookup_terms",
      "get_developer",
      "get_developers",
      "analyze_profile",
    ];
    expect(told.sort()).toEqual(toolOperations.map(({ name }) => name).sort());
  });
});

test("the field role names every role of the vocabulary, and no other", () => {
  expect([...roles]).toEqual(createVocabulary().roles.map(({ id }) => id));
  for (const role of roles) expect(wordsOf("role")).toMatch(new RegExp(`\\b${role}\\b`));
});

describe("bounds stand in words", () => {
  const words: readonly (readonly [keyof typeof SearchRequest.properties, string])[] = [
    ["maxResults", `1 to ${limits.resultsMax}; default: ${limits.resultsDefault}`],
    ["offset", `0 to ${limits.offsetMax}; default: 0`],
    ["minExperienceYears", "years on the platform"],
    ["minExperienceYears", `0 to ${limits.experienceYearsMax}`],
    ["skills", `At most ${limits.skillsMax} `],
    ["languages", `At most ${limits.languagesMax} `],
    ["location", "worldwide for everybody. Remote is not a place."],
  ];
  for (const [field, said] of words) {
    test(`${field}: ${said}`, () => expect(wordsOf(field)).toContain(said));
  }
});

for (const detail of ["full", "slim"] as const) {
  test(`${detail}: nothing points to a file that a model cannot read`, () => {
    const told = JSON.stringify([instructions, listTools({ allowed: toolOperations, detail })]);
    expect(told).not.toMatch(/docs\/|\.md\b|\.ts\b|decision \d/);
  });
}

test("a tool that takes a login declares both of its names, and requires neither", () => {
  for (const { name, inputSchema } of listTools({ allowed: toolOperations, detail: "full" })) {
    if (!("login" in inputSchema.properties)) continue;
    expect([name, Object.keys(inputSchema.properties).sort(), inputSchema.required]).toEqual([
      name,
      ["login", "username"],
      undefined,
    ]);
  }
});

test("descriptions say what for, what it costs, and give an example that works as it is", () => {
  for (const { name, description } of listTools({ allowed: toolOperations, detail: "slim" })) {
    expect(description).toMatch(/^[A-Z][a-z]+s /);
    expect(description).toContain("Use it ");
    expect(description).toMatch(/Costs one call\b|costs no call/);
    const example = JSON.parse(description.split(" Example: ")[1] ?? "null");
    const operation = toolOperations.find((one) => one.name === name);
    expect(example).toEqual(operation?.example);
  }
});

test("days say their form, because rules are left out of a tool's schema", () => {
  for (const { inputSchema } of listTools({ allowed: toolOperations, detail: "slim" })) {
    for (const [field, { description }] of Object.entries(inputSchema.properties)) {
      const isDay = field === "asOf" || field === "activeSince";
      expect([field, String(description).includes("YYYY-MM-DD")]).toEqual([field, isDay]);
    }
  }
});
