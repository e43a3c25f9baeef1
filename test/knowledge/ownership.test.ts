import { describe, expect, test } from "bun:test";
import { parseCodeOwners } from "../../src/ingest/git/ownership/code-owners.ts";
import { parseOwnersFile } from "../../src/ingest/git/ownership/owners-yaml.ts";
import { createOwnership, findUnmatchedRules } from "../../src/knowledge/ownership/ownership.ts";

const asGithub = (text: string) => parseCodeOwners(text, { file: "CODEOWNERS", form: "github" });
const asGitlab = (text: string) => parseCodeOwners(text, { file: "CODEOWNERS", form: "gitlab" });

function ownersOf(stated: { readonly rules: Parameters<typeof createOwnership>[0] }) {
  const rulesOf = createOwnership(stated.rules);
  return (path: string) =>
    rulesOf(path)
      .flatMap(({ owners }) => owners)
      .flatMap((owner) => Object.values(owner))
      .join(" ");
}

/** Whether a rule is said to match nothing exactly where it does; a file could be a link to a folder. */
function expectUnmatched(
  stated: { readonly rules: Parameters<typeof createOwnership>[0] },
  paths: readonly string[],
): void {
  const rulesOf = createOwnership(stated.rules);
  const holds = (path: string) => rulesOf(path).length + rulesOf(`${path}/.`).length > 0;
  for (const path of paths) {
    const found = findUnmatchedRules(stated.rules, ["unrelated", path, "z"]);
    expect([path, found]).toEqual([path, holds(path) || holds("z") ? [] : [...stated.rules]]);
  }
}

type Pattern = readonly [string, matching: readonly string[], others: readonly string[]];

function testPatterns(read: typeof asGithub, patterns: readonly Pattern[]): void {
  test.each(patterns.map((row) => row))("%s means %p", (pattern, matching, others) => {
    const stated = read(`${pattern} @ada`);
    const owners = ownersOf(stated);
    expectUnmatched(stated, [...matching, ...others]);
    const owned = [...matching, ...others].filter((path) => owners(path) === "ada");
    expect(owned).toEqual([...matching]);
  });
}

describe("GitHub's patterns", () => {
  testPatterns(asGithub, [
    ["*", ["a", ".a", "a/b/c.js"], []],
    ["*.js", ["a.js", ".js", "x/y/a.js"], ["a.jsx", "js"]],
    ["/*.js", ["a.js"], ["x/a.js"]],
    // What matches a folder matches everything in it, wherever the folder is.
    ["docs", ["docs", "docs/a", "x/docs/y/z"], ["docs.md", "xdocs/a"]],
    ["docs/", ["docs/a/b", "x/docs/a"], ["docs"]],
    ["/docs/", ["docs/a/b"], ["x/docs/a", "docs"]],
    ["/docs", ["docs", "docs/a/b"], ["x/docs"]],
    // A slash in the middle ties it to the root, as in .gitignore.
    ["x/docs", ["x/docs/a"], ["y/x/docs/a"]],
    // But unlike there, a star at the end does not go deeper.
    ["docs/*", ["docs/a.md"], ["docs/a/b.md", "x/docs/a.md"]],
    ["/docs/*", ["docs/a.md"], ["docs/a/b.md"]],
    ["docs/a*", ["docs/a.md", "docs/ab/c.md"], ["docs/b/a.md"]],
    ["docs/**", ["docs/a", "docs/a/b"], ["docs", "x/docs/a"]],
    ["**/logs", ["logs", "a/b/logs", "a/logs/b"], ["a/logs.txt"]],
    ["a/**/z", ["a/z", "a/b/z", "a/b/c/z/y"], ["b/a/z"]],
    ["/a/*/c", ["a/b/c", "a/b/c/d"], ["a/c", "a/b/x/c"]],
    ["a?.md", ["ab.md", "x/ab.md"], ["a.md", "abc.md", "a/.md"]],
    ["with\\ space/", ["with space/a"], ["with/a", "space/a"]],
    ["/{a,b}/!c", ["{a,b}/!c"], ["a/!c", "b/!c"]],
    // Case counts, and a single slash matches nothing.
    ["Docs/", ["Docs/a"], ["docs/a"]],
    ["/", [], ["a", "a/b"]],
  ]);

  test("of several that match, the last one holds, and one without owners takes ownership away", () => {
    const owners = ownersOf(asGithub("* @all\n/apps/ @ada @ben\n*.md @docs\n/apps/free\n"));
    expect(owners("x")).toBe("all");
    expect(owners("apps/a.js")).toBe("ada ben");
    expect(owners("apps/a.md")).toBe("docs");
    expect(owners("apps/free/a.md")).toBe("");
    expect(ownersOf(asGithub("/apps/ @ada\n* @all\n"))("apps/a")).toBe("all");
  });
});

describe("GitLab's patterns", () => {
  testPatterns(asGitlab, [
    ["*", ["a", ".a", "a/b"], []],
    // Without a slash at the end it is a file, wherever it is.
    ["README.md", ["README.md", "a/README.md"], ["README.md/a"]],
    ["docs", ["docs", "a/docs"], ["docs/a"]],
    ["docs/", ["docs/a", "docs/a/b", "x/docs/a"], ["docs"]],
    // A slash in the middle does not tie it to the root.
    ["x/docs/", ["x/docs/a", "y/x/docs/a"], ["docs/a"]],
    ["/docs/", ["docs/a/b"], ["x/docs/a"]],
    ["/docs/*", ["docs/a"], ["docs/a/b"]],
    ["/docs/**/*.md", ["docs/a.md", "docs/a/b.md"], ["docs/a.txt"]],
    ["/docs/**", ["docs/a"], ["docs/a/b"]],
    ["*.[ch]", ["a.c", "x/a.h"], ["a.cc"]],
    ["\\#a", ["#a", "x/#a"], ["a"]],
    ["path\\ with\\ spaces/", ["path with spaces/a"], ["spaces/a"]],
  ]);

  test("each section has its own last match; those of one name are one", () => {
    const docs = "[Docs][2] @writers\ndocs/\nREADME.md @ada\n^[Data]\nmodel/ @ben";
    const owners = ownersOf(asGitlab(`* @all\n${docs}\n[DOCS]\nREADME.md @cara`));
    expect(owners("docs/a")).toBe("all writers");
    expect(owners("README.md")).toBe("all cara");
    expect(owners("docs/model/a")).toBe("all writers ben");
  });

  test("an exclusion holds in its section, even against a later rule", () => {
    const owners = ownersOf(asGitlab("[A]\n*.rb @ada\n!/config/\n/config/x.rb @ben\n[B]\n* @all"));
    expect(owners("a.rb")).toBe("ada all");
    expect(owners("config/x.rb")).toBe("all");
  });
});

describe("OWNERS files", () => {
  const rules = [
    ["OWNERS", "approvers: [root]\n"],
    ["a/OWNERS", "approvers: [ann]\nreviewers: [abe]\n"],
    ["a/b/OWNERS", "options:\n  no_parent_owners: true\napprovers: [bob]\n"],
    [
      "c/OWNERS",
      'filters:\n  ".*":\n    approvers: [cid]\n  "\\\\.go$":\n    reviewers: [gus]\n  "^(Makefile|docs/.*\\\\.md)$":\n    approvers: [dot]\n',
    ],
  ].flatMap(([file = "", text = ""]) => parseOwnersFile(text, file, new Map()).rules);
  const owners = ownersOf({ rules });

  test.each([
    ["root", "x"],
    ["root ann abe", "a/x a/bc/x"],
    ["bob", "a/b/x/y"],
    ["root cid", "c/x c/x.gox c/d/Makefile"],
    ["root cid gus", "c/d/x.go"],
    ["root cid dot", "c/Makefile c/docs/a/b.md"],
  ])("name %s for %s", (expected, paths) => {
    for (const path of paths.split(" ")) expect([path, owners(path)]).toEqual([path, expected]);
  });
});

test("several files hold beside each other", () => {
  const { rules } = asGithub("* @ada");
  const folder = parseOwnersFile("approvers: [ben]", "a/OWNERS", new Map());
  expect(ownersOf({ rules: [...rules, ...folder.rules] })("a/x")).toBe("ada ben");
});

test("a stored rule of a form that is no longer read is not in force", () => {
  const former = { form: "component", file: "x.yml", line: 1, pattern: "a" };
  const rules = [...asGithub("* @ada").rules, { ...former, owners: [{ login: "ben" }] } as never];
  expect(ownersOf({ rules })("a/x")).toBe("ada");
});

describe("hostile patterns", () => {
  test("are skipped when they are long, and matched when they are many", () => {
    const long = ["*a".repeat(200), `${"**/a/".repeat(80)}b`];
    const many = Array.from({ length: 100 }, (_, at) => `/x/${"**/*a*/".repeat(35)}${at}`);
    const stated = asGithub(
      [...long, ...many, `/${"x".repeat(300)}`].map((each) => `${each} @ada`).join("\n"),
    );
    expect(stated.unread.map(({ line }) => line)).toEqual([1, 2]);
    const owners = ownersOf(stated);
    const folders = "a/".repeat(480);
    for (let round = 0; round < 200; round++) expect(owners(`x/${folders}c`)).toBe("");
    expect(owners(`x/${folders}99`)).toBe("ada");
    expect(owners("x".repeat(300))).toBe("ada");
    expect(owners(`x/${"a/".repeat(500)}99`)).toBe("");
  });

  test("that begin alike count up to a hundred, the last of them", () => {
    const text = Array.from({ length: 5000 }, (_, at) => `*${at}* @owner${at}`).join("\n");
    const owners = ownersOf(asGithub(text));
    expect(owners("x4999y")).toBe("owner4999");
    expect(owners("x0y")).toBe("");
  });
});
