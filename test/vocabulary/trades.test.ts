import { expect, test } from "bun:test";
import list from "../../seed/vocabulary/trades.txt" with { type: "text" };
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";

const { findTrade, readRole } = createVocabulary();
const names = list
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .flatMap((line) => line.split(" | ").at(-1)?.split(", ") ?? []);

test("a trade that no history shows is no role, in the singular and the plural", () => {
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    expect([name, readRole(name).role?.id, findTrade(name)?.why]).toEqual([
      ...[name, undefined, expect.stringMatching(/^[a-z]/)],
    ]);
    expect(findTrade(`${name}s`)).toBe(findTrade(name));
  }
});

test("it leads to what is nearest, where anything is", () => {
  const near = (name: string) => [findTrade(name)?.role?.id, findTrade(name)?.skill?.id];
  expect(near("UI/UX Designer")).toEqual(["frontend", "ui-design"]);
  expect(near("translator")).toEqual([undefined, "i18n"]);
  expect(near("scrum masters")).toEqual(["product-manager", undefined]);
  expect(near("Software Engineer")).toEqual([undefined, undefined]);
  expect(findTrade("backend developer")).toBeUndefined();
});

test.each([
  ["Release Manager", "release-engineer"],
  ["build engineers", "release-engineer"],
  ["DBA", "database-engineer"],
  ["Database Administrator", "database-engineer"],
  ["Qt Developer", "desktop-developer"],
  ["desktop application developer", "desktop-developer"],
  ["toolchain engineer", "compiler-engineer"],
  ["Network Administrator", "devops"],
  ["ASIC Engineer", "embedded"],
])("%s is what the market calls a role: %s", (name, id) => {
  expect([readRole(name).role?.id, findTrade(name)]).toEqual([id, undefined]);
});

test.each([
  ["build system", "Stone is a small build system with a focus on speed."],
  ["package manager", "A package manager for Lua."],
  ["window manager", "A tiling window manager for X11."],
  ["parser", "A fast Markdown parser."],
  ["serialisation", "A cross-platform serialization library."],
  ["linter", "A linter for Ruby."],
])("who looks for a %s finds whose project says: %s", (words, definition) => {
  const { findSkill, subjectsOf, isField } = createVocabulary();
  const skill = findSkill(words)?.id ?? "";
  expect(subjectsOf(definition)).toContain(skill);
  expect(isField(skill)).toBeTrue();
});
