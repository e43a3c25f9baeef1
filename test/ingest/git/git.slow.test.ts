import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  ada,
  ben,
  git,
  type InventedCommit,
  openInventor,
  run,
  shortlog,
} from "./invented-repository.ts";
import { read } from "./read.ts";

const invent = openInventor();

test("the authors report equals git shortlog line for line, with a mailmap in a bare repository", async () => {
  const path = invent([
    { files: { ".mailmap": "Ada Example <ada@example.com> <ada@old.example.net>\n" } },
    { author: "A. Example <ada@old.example.net>" },
    { author: ben },
    { author: "ben sample <BEN@example.org>" },
    { author: "Zoë Ünicode <zoe@example.com>" },
    { author: "Ångström <a@example.com>" },
    { author: "  Spaced   Out  <spaced@example.com>" },
    { author: Buffer.from("J\xf6rg Latin <joerg@example.de>", "latin1") },
    { author: "Nobody <>" },
    { author: ben, parents: [3] },
    { author: ada, parents: [8, 9], message: "Merge branch 'other'" },
  ]);
  const { authorsReport, summary, person } = await read([path]);
  expect(authorsReport).toEqual(shortlog(path));
  expect(person("Jörg Latin").emails[0]?.address).toBe("joerg@example.de");
  expect(authorsReport).toContain("2\tAda Example <ada@example.com>");
  expect(summary).toMatchObject({ commits: 11, merges: 1, human: 9, nobody: 1 });
  expect(summary?.authors).toBe(authorsReport.length);
});

const mailmap = (...lines: string[]) => ({ files: { ".mailmap": lines.join("\n") } });

describe("logins of accounts", () => {
  test.each<[string, InventedCommit[], string[]]>([
    [
      "a noreply address gives the login, in its old and its new form",
      [
        { author: "Ada <77+ada-example@users.noreply.github.com>" },
        { author: "Ada <ada-example@users.noreply.github.com>" },
        { author: "Ada E <77+ada-renamed@users.noreply.github.com>" },
      ],
      ["ada-renamed"],
    ],
    [
      "two accounts of one forge are never one person, even where a mailmap says so",
      [
        mailmap(
          `${ada} <1+ada@users.noreply.github.com>`,
          `${ada} <2+two@users.noreply.github.com>`,
        ),
        { author: "Ada <1+ada@users.noreply.github.com>" },
        { author: "Ada <2+two@users.noreply.github.com>" },
      ],
      ["ada", "two"],
    ],
    [
      "the same login on two forges is two people; the later one carries its host",
      [
        { author: "Ada Example <ada@users.noreply.github.com>" },
        { author: "Adam Sample <5-ada@users.noreply.gitlab.com>" },
      ],
      ["ada", "ada@gitlab.com"],
    ],
  ])("%s", async (_, commits, logins) => {
    const { people } = await read([invent(commits)]);
    expect(people.map(({ login }) => login).sort()).toEqual(logins);
    for (const { derivedLogin } of people) expect(derivedLogin).toBeUndefined();
  });

  test("generic addresses bring nobody together", async () => {
    const addresses = ["root@localhost", "none@none", "git@example.com"];
    const authors = ["One", "Two", "Three"].flatMap((name) =>
      addresses.map((address) => ({ author: `${name} <${address}>` })),
    );
    const { people } = await read([invent(authors)]);
    expect(new Set(people.map(({ login }) => login)).size).toBe(authors.length);
  });
});

describe("classes", () => {
  test("bots and assistants are set apart with the reason, and human work is not", async () => {
    const path = invent([
      { author: ada },
      { author: "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>" },
      { author: "house-keeper[bot] <1+house-keeper[bot]@users.noreply.github.com>" },
      { author: "Claude <noreply@anthropic.com>" },
      { author: "Claude Sample <claude@example.fr>" },
    ]);
    const { people, summary } = await read([path]);
    expect(summary).toMatchObject({ human: 2, bot: 2, assistant: 1, people: 2, authors: 5 });
    const classes = people.map(({ class: kind, classReason }) => [kind, classReason]);
    expect(classes.filter(([kind]) => kind !== "human").every(([, reason]) => reason)).toBe(true);
  });

  test("a name with a bot's word needs the behaviour of one", async () => {
    const by = (author: string, ...messages: string[]) =>
      messages.map((message) => ({ author, message }));
    const releases = Array.from({ length: 8 }, (_, at) => `Release version 1.${at}.0`);
    const work = "Fix the parser,Write the guide,Draw the map,Count sheep,Mow grass,Sing".split(
      ",",
    );
    const { person } = await read([
      invent([
        ...by("Acme Release Bot <release@acme.example>", ...releases),
        ...by("Ro Bot <ro@example.com>", ...work),
      ]),
    ]);
    expect(person("Acme Release Bot").class).toBe("bot");
    expect(person("Ro Bot").class).toBe("human");
  });
});

describe("counting", () => {
  test("merges, copies, reverts, empty, generated and vendored changes are read and not counted", async () => {
    const pick = { author: ada, at: "2025-03-03", message: "Teach it to count" };
    const path = invent([
      { author: ben, files: { "a.js": "1\n" } },
      { ...pick, files: { "b.js": "2\n" } },
      { author: ben, at: "2025-03-02", files: { "d.js": "4\n" }, parents: [0] },
      { ...pick, files: { "b.js": "2\n" } },
      { author: ada, files: {}, message: "Nothing at all" },
      { author: ada, files: { "package-lock.json": "{}\n" }, message: "Lock" },
      { author: ada, files: { "node_modules/x/index.js": "1\n" }, message: "Bring in" },
      { author: ada, files: { "b.js": null }, message: 'Revert "Teach it to count"' },
      { author: ada, parents: [1, 7], files: {}, message: "Merge" },
      { author: ada, files: { "c.js": "3\n" }, message: "Real work" },
    ]);
    const { person, summary } = await read([path]);
    expect(person("Ada Example").commits).toMatchObject({
      total: 2,
      excluded: { duplicate: 1, empty: 1, generated: 1, merge: 1, revert: 1, vendored: 1 },
    });
    expect(summary).toMatchObject({ commits: 10, merges: 1, human: 9, counted: 4 });
  });

  test("at most five commits of a day and repository count, also under two addresses", async () => {
    const commits = Array.from({ length: 8 }, (_, at) => ({
      author: at % 2 ? "Ada <ada@example.com>" : ada,
      at: 1_700_000_000 + at,
    }));
    const { people } = await read([invent(commits)]);
    expect(people[0]?.commits).toMatchObject({
      total: 5,
      volume: { "2023-11": 5 },
      excluded: { capped: 3 },
    });
  });

  test("dates that nobody can mean, and dates after the as-of day, are flagged and not counted", async () => {
    const { people, summary } = await read([
      invent([
        { at: 0 },
        { at: 4_294_967_295 },
        { at: "2027-01-01" },
        { at: "2026-11-21", zone: "+9999" },
        { at: "1998-05-05" },
      ]),
    ]);
    expect(people[0]?.commits).toMatchObject({
      total: 2,
      first: "1998-05-05",
      last: "2026-11-21",
      excluded: { future: 2, undated: 1 },
    });
    expect(summary?.human).toBe(5);
  });

  test("a commit of k people gives each 1/k; an assistant takes no share", async () => {
    const claude = "Co-authored-by: Claude <noreply@anthropic.com>";
    const pair = `Pair\n\nCo-authored-by: ${ben}\n${claude}\nCo-authored-by: nobody without an address`;
    const { person, people } = await read([
      invent([
        { author: ada, at: "2025-01-01", message: pair },
        { author: ada, at: "2025-02-01", message: `Alone\n\n${claude}` },
      ]),
    ]);
    expect(people).toHaveLength(2);
    expect(person("Ada Example").commits).toMatchObject({
      ...{ total: 2, coAuthored: 1, volume: { "2025-01": 0.5, "2025-02": 1 } },
    });
    expect(person("Ben Sample").commits).toMatchObject({ total: 1, volume: { "2025-01": 0.5 } });
  });
});

test("at most five commits of a day are evidence of a skill, under one spelling and under two", async () => {
  for (const second of [ada, "Ada <ada@example.com>"]) {
    const { people } = await read([
      invent(
        Array.from({ length: 12 }, (_, at) => ({
          author: at % 2 ? second : ada,
          at: 1_700_000_000 + at,
          files: { "a.go": `package a // ${at}\n` },
        })),
      ),
    ]);
    const [go] = people.flatMap(({ evidence }) => evidence.filter(({ name }) => name === "Go"));
    expect(go).toMatchObject({ commits: 5, months: { "2023-11": 5 } });
  }
});

test("only the same change of the same author at the same time is a copy", async () => {
  const change = { author: ada, at: "2025-03-03", message: "Count", files: { "b.js": "2\n" } };
  const others = [
    { ...change, author: ben },
    { ...change, at: "2025-03-04" },
    { ...change, message: "Count again" },
    { ...change, files: { "c.js": "2\n" } },
    { ...change, files: { "b.js": "2\n3\n" } },
  ];
  const root = { author: ben, files: { "a.js": "1\n" } };
  for (const other of [...others, change]) {
    const branch = { author: ben, files: { "x.js": "1\n" }, parents: [0] };
    const merge = { author: ben, files: {}, message: "Merge", parents: [1, 3] };
    const path = invent([root, { ...change, parents: [0] }, branch, other, merge]);
    const { summary } = await read([path]);
    expect(summary?.excluded["duplicate"] ?? 0).toBe(other === change ? 1 : 0);
  }
});

test("documents, generated and vendored files and links are no lines of a language", async () => {
  const files = {
    "a.go": "package a\n",
    "docs/b.js": "1\n2\n",
    "vendor/c.py": "1\n2\n",
    "d.pb.go": "// Code generated by protoc-gen-go. DO NOT EDIT.\n1\n2\n",
  };
  const { person } = await read([invent([{ files }])]);
  const languages = person("Ada Example").evidence.filter(({ kind }) => kind === "language");
  expect(languages.map(({ name, lines }) => [name, lines])).toEqual([["Go", 1]]);
  const linked = invent([{ files: { "a.go": "package a\n" } }]);
  const clone = `${linked}-clone`;
  git(linked, "clone", "--quiet", linked, clone);
  symlinkSync("a.go", join(clone, "b.rb"));
  git(clone, "add", "b.rb");
  git(clone, "-c", "user.name=Lin Link", "-c", "user.email=lin@example.com", "commit", "-qm", "x");
  const { evidence } = (await read([clone])).person("Lin Link");
  expect(evidence.filter(({ kind }) => kind === "language")).toEqual([]);
});

test("a commit without an author is nobody's, and a name cannot turn the page around", async () => {
  const path = invent([{ author: "\u202eRight \u2067to left <r@example.com>" }]);
  const raw = git(path, "cat-file", "commit", "HEAD").toString();
  const tip = git(path, "rev-parse", "HEAD").toString();
  const orphan = raw.replace(/^author .*\n/m, `parent ${tip}`);
  const made = run(
    path,
    ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
    Buffer.from(orphan),
  );
  git(path, "update-ref", "HEAD", made.toString().trim());
  const { people, authorsReport } = await read([path]);
  expect(people.map(({ profile }) => profile.name)).toEqual([undefined, "Right  to left"]);
  expect(authorsReport).toEqual(shortlog(path));
});

describe("evidence", () => {
  test("languages by lines, kinds of path, imports and manifests of the files touched", async () => {
    const dependencies = '{"dependencies":{"react":"1","left-pad":"1"}}';
    const path = invent([
      { at: "2025-01-01", files: { "old.ts": 'import React from "react";\n'.repeat(4) } },
      { author: ada, at: "2025-02-01", rename: ["old.ts", "web.ts"], message: "Rename" },
      { author: ben, at: "2024-12-01", files: { "package.json": dependencies } },
      { author: ben, at: "2025-04-01", files: { "test/a.py": "from django.db import models\n" } },
      { author: ben, at: "2025-05-01", files: { "data.json": "[1]\n", "README.md": "hello\n" } },
    ]);
    const { person } = await read([path]);
    const named = (name: string) =>
      person(name)
        .evidence.filter(({ kind }) => kind !== "product")
        .map(({ kind, name, commits }) => `${kind} ${name} ${commits}`)
        .sort();
    expect(named("Ada Example")).toEqual(["import npm:react 2", "language TypeScript 2"]);
    expect(named("Ben Sample")).toEqual([
      "import pypi:django 1",
      "language Python 1",
      "manifest npm:react 1",
      "path test 1",
    ]);
    expect(person("Ada Example").evidence.find(({ kind }) => kind === "language")).toMatchObject({
      lines: 4,
      months: { "2025-01": 1, "2025-02": 1 },
    });
    expect(person("Ada Example").repositories[0]).toMatchObject({
      commits: 2,
      authors: 2,
      language: "TypeScript",
    });
  });

  test("lines are capped at a thousand a commit, and a tree brought in says nothing of languages", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`src/f${at}.go`, "package x\n"]),
    );
    const { person } = await read([
      invent([
        { author: ada, files: { "big.py": "x\n".repeat(5000), "small.rb": "y\n".repeat(5000) } },
        { author: ben, files: many },
      ]),
    ]);
    const lines = person("Ada Example").evidence.map(({ name, lines }) => [name, lines]);
    expect(Object.fromEntries(lines)).toEqual({ Python: 500, Ruby: 500 });
    expect(person("Ben Sample").evidence).toEqual([]);
    expect(person("Ben Sample").commits?.total).toBe(1);
  });
});

test("a repository belongs to whom its remote names, else to whom wrote most of it", async () => {
  const login = "Ada <ada-example@users.noreply.github.com>";
  const owned = invent([{ author: ben }, { author: ben }, { author: ben }, { author: login }]);
  git(owned, "config", "remote.origin.url", "git@github.com:Ada-Example/tool.git");
  const { people } = await read([owned]);
  expect(
    Object.fromEntries(people.map((facts) => [facts.login.slice(0, 3), facts.repositories])),
  ).toMatchObject({
    ada: [{ name: "Ada-Example/tool", owned: true }],
    ben: [{ name: "Ada-Example/tool", owned: false }],
  });
  const other = await read([invent([{ author: ben }, { author: ben }, { author: login }])]);
  expect(other.person("Ben Sample").repositories[0]?.owned).toBe(true);
});

describe("what must not change anybody's figures", () => {
  const work = [
    { author: ada, at: "2025-01-10", files: { "a.py": "x = 1\n" } },
    { author: ben, at: "2025-02-10", files: { "b.go": "package b\n" } },
    { author: ada, at: "2025-03-10", files: { "c.py": "y = 2\n" }, message: "fix: keep it" },
  ];
  const figures = async (path: string) =>
    (await read([path])).people
      .filter((facts) => facts.class === "human")
      .map(({ login, commits, evidence }) => ({
        ...{ login, commits },
        // The name of the folder is a product's.
        evidence: evidence.filter(({ kind }) => kind !== "product").map(strip),
      }));
  const strip = ({ repositories: _, ...evidence }: { repositories?: string[] }) => evidence;

  const bot = { author: "x[bot] <1+x[bot]@users.noreply.github.com>", at: "2025-03-11" };
  test.each<[string, InventedCommit[]]>([
    ["a bot that joins", [...work, bot]],
    ["another time zone", work.map((commit) => ({ ...commit, zone: "+1300" }))],
    [
      "another name",
      work.map(({ author, ...rest }) => ({
        ...rest,
        author: author.replace(/^Ada \w+/, "Zed Other"),
      })),
    ],
  ])("%s", async (_, changed) => {
    expect(await figures(invent(changed))).toEqual(await figures(invent(work)));
  });
});
