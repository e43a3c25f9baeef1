import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hasSections, parseCodeOwners } from "../../../../src/ingest/git/ownership/code-owners.ts";
import {
  parseOwnerAliases,
  parseOwnersFile,
} from "../../../../src/ingest/git/ownership/owners-yaml.ts";
import { createOwnership } from "../../../../src/knowledge/ownership/ownership.ts";
import { rounds } from "../../../long.ts";

const github = (text: string) => parseCodeOwners(text, { file: "CODEOWNERS", form: "github" });
const gitlab = (text: string) => parseCodeOwners(text, { file: "CODEOWNERS", form: "gitlab" });
const linesOf = ({ unread }: ReturnType<typeof github>) => unread.map(({ line }) => line);

describe("a line of GitHub", () => {
  test("has a pattern and owners, and ends at a comment", () => {
    expect(
      github("# first\n\n/a\\ b/ @ada\t@example/team docs@example.com # and @nobody\r\n"),
    ).toEqual({
      rules: [
        {
          form: "github",
          file: "CODEOWNERS",
          line: 3,
          pattern: "/a\\ b/",
          owners: [{ login: "ada" }, { team: "example/team" }, { email: "docs@example.com" }],
        },
      ],
      unread: [],
    });
  });

  test("is skipped where GitHub skips it, and the others stay", () => {
    const text = "!a @ada\n\\#a @ada\n*.[ch] @ada\na ada\nb @ada @@\n*** @ada\n[Docs] @ada\nc @ada";
    const parsed = github(text);
    expect(parsed.rules.map(({ pattern }) => pattern)).toEqual(["c"]);
    expect(linesOf(parsed)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    // Reasons go into the ledger and name nobody.
    expect(JSON.stringify(parsed.unread)).not.toContain("ada");
  });
});

describe("a line of GitLab", () => {
  test("inherits the owners of its section, and ignores words that name nobody", () => {
    const { rules } = gitlab(
      "a nobody @ada\n[Docs] @writers docs@example.com\nb\nc @ben\n^[Roles][2]\nd @@maintainer @g/h/i\n!e @ada",
    );
    expect(rules.map(({ form: _, file: __, line: ___, ...rest }) => rest)).toEqual([
      { pattern: "a", owners: [{ login: "ada" }] },
      {
        pattern: "b",
        owners: [{ login: "writers" }, { email: "docs@example.com" }],
        section: "docs",
      },
      { pattern: "c", owners: [{ login: "ben" }], section: "docs" },
      { pattern: "d", owners: [{ team: "@maintainer" }, { team: "g/h/i" }], section: "roles" },
      { pattern: "e", owners: [], section: "roles", isExclusion: true },
    ]);
  });

  test("tells the form by its sections", () => {
    expect(hasSections("* @ada\n^[Docs][2] @ben\n")).toBe(true);
    expect(hasSections("* @ada\n# [Docs]\n*.[ch] @ben\n")).toBe(false);
  });
});

describe("an OWNERS file", () => {
  test("names approvers and reviewers once, through aliases in any case", () => {
    const aliases = parseOwnerAliases("aliases:\n  SIG-Node:\n    - Ada\n    - ben\n");
    const text =
      "# c\napprovers:\n- sig-node\n- cara # x\n- 1234\nreviewers:\n- ada\n- '@dan'\nemeritus_approvers:\n- old\nlabels:\n- l\n";
    expect(parseOwnersFile(text, "a/b/OWNERS", aliases ?? new Map())).toEqual({
      rules: [
        {
          form: "folder",
          file: "a/b/OWNERS",
          line: 2,
          pattern: "a/b",
          owners: ["ada", "ben", "cara", "1234", "dan"].map((login) => ({ login })),
        },
      ],
      unread: [],
    });
  });

  test("without people but with no_parent_owners still ends what the folders above say", () => {
    const { rules } = parseOwnersFile("options: {no_parent_owners: true}", "OWNERS", new Map());
    expect(rules).toMatchObject([{ pattern: "", owners: [], isFinal: true }]);
    expect(parseOwnersFile("labels: [x]", "OWNERS", new Map()).rules).toEqual([]);
  });

  test("has filters that are read as texts, or named as unread", () => {
    const filters = [
      '".*"',
      '"\\\\.go$"',
      "^docs/",
      "a+b",
      '"[ab]"',
      "(a|b)(c)",
      `"${"a|".repeat(100)}"`,
    ];
    const text = `filters:\n${filters.map((one) => `  ${one}:\n    approvers: [ada]\n`).join("")}`;
    const { rules, unread } = parseOwnersFile(text, "OWNERS", new Map());
    expect(rules.map(({ filter }) => filter)).toEqual([
      [{ texts: ["", ""], fromStart: false, toEnd: false }],
      [{ texts: [".go"], fromStart: false, toEnd: true }],
      [{ texts: ["docs/"], fromStart: true, toEnd: false }],
    ]);
    expect(rules.map(({ line }) => line)).toEqual([2, 4, 6]);
    expect(unread.map(({ line }) => line)).toEqual([8, 10, 12, 14]);
  });
});

describe("hostile YAML", () => {
  for (const [what, text] of [
    ["nested lists", "[".repeat(100_000)],
    ["nested folders", Array.from({ length: 500 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
    ["merged keys", "a: &a {b: c}\nd:\n  <<: *a\n"],
    ["a broken text", "approvers: [a\n  b: @@"],
    ["no mapping", "- a\n- b\n"],
    ["several documents", "approvers: [a]\n---\napprovers: [b]\n"],
    ["nothing", ""],
  ] as const) {
    test(`of ${what} states nothing`, () => {
      expect(parseOwnersFile(text, "OWNERS", new Map()).rules).toEqual([]);
      expect(parseOwnerAliases(text)).toBeUndefined();
    });
  }

  test("of lists that repeat each other grows no further than its limits", () => {
    const many = Array.from({ length: 3000 }, (_, at) => `a${at}`);
    const aliases = parseOwnerAliases(`aliases:\n  x: &x [${many}]\n  y: *x\n`);
    expect(aliases?.get("y")?.length).toBe(200);
    const { rules } = parseOwnersFile(`approvers: [${many}]`, "OWNERS", aliases ?? new Map());
    expect(rules[0]?.owners.length).toBe(200);
  });

  test("of values that are no lists of texts names nobody", () => {
    const text =
      "approvers: {a: b}\nreviewers: [[a], {b: c}, null, true, 'x y', '']\noptions: [1]\nfilters: 3\n";
    expect(parseOwnersFile(text, "OWNERS", new Map())).toEqual({ rules: [], unread: [] });
  });
});

test("any text is read without an error, and by rules whose paths can be asked for", () => {
  const word = fc.constantFrom(
    ..."* ** *** / // \\ # ! [ ] [a]( ) { } @ @@ @a a@b @a/b : - & << > | ? ' \" , a".split(" "),
    ...["approvers:", "filters:", "aliases:", "\n", "\n  ", "\n  - ", " ", "\t", "\r\n", "\0"],
  );
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
  fc.assert(
    fc.property(text, text, (written, path) => {
      const aliases = parseOwnerAliases(written) ?? new Map();
      const { rules } = parseOwnersFile(written, "a/OWNERS", aliases);
      const rulesOf = createOwnership(
        [github(written), gitlab(written)].flatMap((stated) => stated.rules).concat(rules),
      );
      for (const asked of [path, `a/${path}`, "a/b"]) rulesOf(asked);
    }),
    { numRuns: rounds(3000) },
  );
});
