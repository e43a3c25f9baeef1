import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { noFiles } from "../../../src/ingest/git/identify/rules.ts";
import { makeFolder } from "../../temporary-folder.ts";
import {
  ada,
  ben,
  git,
  type InventedCommit,
  inventRepository,
  run,
  shortlog,
} from "./invented-repository.ts";
import { read } from "./read.ts";

const folder = makeFolder("git");
let made = 0;
const invent = (commits: readonly InventedCommit[]) =>
  inventRepository(join(folder, `repository-${made++}`), commits);

describe("the authors report", () => {
  test("equals git shortlog line for line, with a mailmap in a bare repository", async () => {
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
    const { authorsReport, summary } = await read([path]);
    expect(authorsReport).toEqual(shortlog(path));
    expect(authorsReport).toContain("2\tAda Example <ada@example.com>");
    expect(summary).toMatchObject({ commits: 11, merges: 1, human: 9, nobody: 1 });
    expect(summary?.authors).toBe(authorsReport.length);
  });

  test("keeps names that are no valid UTF-8, and shows them readable", async () => {
    const path = invent([{ author: Buffer.from("J\xf6rg Latin <joerg@example.de>", "latin1") }]);
    const { authorsReport, person } = await read([path]);
    expect(authorsReport).toEqual(shortlog(path));
    expect(person("Jörg Latin").emails[0]?.address).toBe("joerg@example.de");
  });
});

describe("identity", () => {
  test("the same e-mail is one person, whatever the name and case", async () => {
    const { people } = await read([
      invent([{ author: ada }, { author: ada }, { author: "ada <ADA@example.com>" }]),
    ]);
    expect(people).toHaveLength(1);
    expect(people[0]).toMatchObject({ profile: { name: "Ada Example" }, derivedLogin: true });
    expect(people[0]?.login).toMatch(/^ada-[0-9a-f]{6}$/);
  });

  test("the same full name in one repository is one person; with names off it is suggested", async () => {
    const path = invent([{ author: ada }, { author: "Ada Example <a.example@work.example.org>" }]);
    expect((await read([path])).people).toHaveLength(1);
    const { people, suggestions } = await read([path], { files: { ...noFiles, byName: "off" } });
    expect([people.length, suggestions.length]).toEqual([2, 1]);
  });

  test("the same name and address in two repositories is one person, even where many have such an address", async () => {
    const author = "Ada Example <git@ada-example.org>";
    const paths = [invent([{ author }]), invent([{ author, message: "Elsewhere" }])];
    expect((await read(paths)).people).toHaveLength(1);
  });

  test("a noreply address gives the login, in its old and its new form", async () => {
    const { people } = await read([
      invent([
        { author: "Ada <77+ada-example@users.noreply.github.com>" },
        { author: "Ada <ada-example@users.noreply.github.com>" },
        { author: "Ada E <77+ada-renamed@users.noreply.github.com>" },
      ]),
    ]);
    expect(people.map(({ login, derivedLogin }) => [login, derivedLogin])).toEqual([
      ["ada-renamed", undefined],
    ]);
  });

  test("the mailmap joins an account with an e-mail", async () => {
    const { people } = await read([
      invent([
        {
          files: {
            ".mailmap": "Ada Example <ada@example.com> <9+ada@users.noreply.github.com>\n",
          },
        },
        { author: "Ada <9+ada@users.noreply.github.com>" },
      ]),
    ]);
    expect(people.map(({ login }) => login)).toEqual(["ada"]);
  });

  test("two accounts of one forge are never one person, even where a mailmap says so", async () => {
    const { people } = await read([
      invent([
        {
          files: {
            ".mailmap": [
              "Ada Example <ada@example.com> <1+ada@users.noreply.github.com>",
              "Ada Example <ada@example.com> <2+ada-two@users.noreply.github.com>",
            ].join("\n"),
          },
        },
        { author: "Ada <1+ada@users.noreply.github.com>" },
        { author: "Ada <2+ada-two@users.noreply.github.com>" },
      ]),
    ]);
    expect(people.map(({ login }) => login).sort()).toEqual(["ada", "ada-two"]);
  });

  test("the same login on two forges is two people; the later one carries its host", async () => {
    const { people } = await read([
      invent([
        { author: "Ada Example <ada@users.noreply.github.com>" },
        { author: "Adam Sample <5-ada@users.noreply.gitlab.com>" },
      ]),
    ]);
    expect(people.map(({ login }) => login).sort()).toEqual(["ada", "ada@gitlab.com"]);
  });

  test("generic addresses bring nobody together", async () => {
    const authors = ["One", "Two", "Three"].flatMap((name) =>
      [
        "root@localhost",
        "none@none",
        "git@example.com",
        "x@3dda9f2c-1111-2222-3333-444455556666",
      ].map((address) => ({ author: `${name} <${address}>` })),
    );
    const { people } = await read([invent(authors)]);
    expect(people).toHaveLength(12);
    expect(new Set(people.map(({ login }) => login)).size).toBe(12);
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
    const path = invent([
      ...Array.from({ length: 8 }, (_, at) => ({
        author: "Acme Release Bot <release@acme.example>",
        message: `Release version 1.${at}.0`,
      })),
      ...[
        "Fix the parser",
        "Write the guide",
        "Draw the map",
        "Count sheep",
        "Mow grass",
        "Sing",
      ].map((message) => ({ author: "Ro Bot <ro@example.com>", message })),
    ]);
    const { person } = await read([path]);
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

  test("a summary adds up: every commit counts, or is told with the reason why not", async () => {
    const shared = { message: `Pair\n\nCo-authored-by: ${ben}` };
    const day = Array.from({ length: 9 }, (_, at) => ({
      author: at % 3 ? ada : "Ada <ada@example.com>",
      at: 1_700_000_000 + at,
      ...(at % 2 && shared),
    }));
    const path = invent([...day, { at: "2027-01-01" }, { author: ben, parents: [2, 9] }]);
    const fork = join(folder, `fork-${made++}.git`);
    git(folder, "clone", "--quiet", "--bare", path, fork);
    run(fork, ["fast-import", "--quiet"], Buffer.from(oneMore));
    const { summaries } = await read([path, fork]);
    expect(summaries.map(({ commits, counted }) => [commits, counted])).toEqual([
      [12, 6],
      [11, 0],
    ]);
    for (const { commits, counted, excluded } of summaries) {
      const left = Object.values(excluded).reduce((sum, each) => sum + each, 0);
      expect(counted + left).toBe(commits);
    }
    expect(summaries.map(({ excluded }) => excluded)).toEqual([
      { capped: 4, future: 1, merge: 1 },
      { elsewhere: 11 },
    ]);
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
    const trailers = [
      `Co-authored-by: ${ben}`,
      "Co-authored-by: Claude <noreply@anthropic.com>",
      "Co-authored-by: nobody without an address",
    ];
    const { person, people } = await read([
      invent([
        { author: ada, at: "2025-01-01", message: `Pair\n\nTogether.\n\n${trailers.join("\n")}` },
        {
          author: ada,
          at: "2025-02-01",
          message: "Alone\n\nCo-authored-by: Claude <noreply@anthropic.com>",
        },
      ]),
    ]);
    expect(people).toHaveLength(2);
    expect(person("Ada Example").commits).toMatchObject({
      total: 2,
      coAuthored: 1,
      volume: { "2025-01": 0.5, "2025-02": 1 },
    });
    expect(person("Ben Sample").commits).toMatchObject({ total: 1, volume: { "2025-01": 0.5 } });
  });

  test("the semantic share is of first lines of exactly the conventional form", async () => {
    const subjects = ["feat: one", "fix(core)!: two", "Feat: three", "feat:four", "feature: five"];
    const { people } = await read([
      invent(
        subjects.map((message, at) => ({
          message: `${message}\r\n\r\nBody`,
          at: 1.7e9 + at * 86400,
        })),
      ),
    ]);
    expect(people[0]?.commits?.semantic).toEqual({ eligible: 5, matches: 2 });
  });

  test("a repository given twice, as a clone and as a mirror, changes nothing", async () => {
    const path = invent([{ author: ada }, { author: "X <root@localhost>" }, { author: ben }]);
    const clone = join(folder, `clone-${made++}`);
    git(folder, "clone", "--quiet", path, clone);
    const once = await read([path]);
    const twice = await read([path, clone]);
    expect(twice.summaries).toHaveLength(2);
    expect(twice.people.map(({ login, commits }) => [login, commits])).toEqual(
      once.people.map(({ login, commits }) => [login, commits]),
    );
  });
});

test("the heaviest commits of a day count, whichever came first", async () => {
  const day = Array.from({ length: 8 }, (_, at) => ({
    at: 1_700_000_000 + at,
    message: at < 5 ? `Pair\n\nCo-authored-by: ${ben}` : "Alone",
  }));
  for (const commits of [day, day.toReversed()]) {
    const { person } = await read([invent(commits)]);
    expect(person("Ada Example").commits).toMatchObject({ total: 5, volume: { "2023-11": 4 } });
  }
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

test("a change picked into a repository of another history counts once", async () => {
  const pick = { at: "2025-03-03", message: "Teach it to count", files: { "b.js": "2\n" } };
  const { person, summaries } = await read([
    invent([{ author: ben }, pick]),
    invent([{ author: ben, message: "Another beginning" }, pick]),
  ]);
  expect(person("Ada Example").commits).toMatchObject({ total: 1, excluded: { duplicate: 1 } });
  expect(summaries.map(({ counted }) => counted)).toEqual([2, 1]);
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
  const { person } = await read([
    invent([
      {
        files: {
          "a.go": "package a\n",
          "docs/b.js": "1\n2\n",
          "vendor/c.py": "1\n2\n",
          "d.pb.go": "// Code generated by protoc-gen-go. DO NOT EDIT.\n1\n2\n",
        },
      },
    ]),
  ]);
  const languages = person("Ada Example").evidence.filter(({ kind }) => kind === "language");
  expect(languages.map(({ name, lines }) => [name, lines])).toEqual([["Go", 1]]);
  const linked = invent([{ files: { "a.go": "package a\n" } }]);
  const clone = join(folder, `clone-${made++}`);
  git(folder, "clone", "--quiet", linked, clone);
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
    const path = invent([
      {
        author: ada,
        at: "2025-01-01",
        files: { "old.ts": 'import React from "react";\n'.repeat(4) },
      },
      { author: ada, at: "2025-02-01", rename: ["old.ts", "web.ts"], message: "Rename" },
      {
        author: ben,
        at: "2024-12-01",
        files: { "package.json": '{"dependencies":{"react":"1","left-pad":"1"}}' },
      },
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
        {
          author: ada,
          files: { "big.py": "x = 1\n".repeat(5000), "small.rb": "y\n".repeat(5000) },
        },
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

  test("a bot that joins", async () => {
    const bot = { author: "x[bot] <1+x[bot]@users.noreply.github.com>", at: "2025-03-11" };
    expect(await figures(invent([...work, bot]))).toEqual(await figures(invent(work)));
  });

  test("another time zone", async () => {
    const shifted = work.map((commit) => ({ ...commit, zone: "+1300" }));
    expect(await figures(invent(shifted))).toEqual(await figures(invent(work)));
  });

  test("another name", async () => {
    const renamed = work.map((commit) =>
      commit.author === ada ? { ...commit, author: "Zed Other <ada@example.com>" } : commit,
    );
    expect(await figures(invent(renamed))).toEqual(await figures(invent(work)));
  });
});

/** A commit on top of what is there, for `git fast-import`. */
const oneMore = `commit refs/heads/main
author ${ben} 1710000000 +0000
committer ${ben} 1710000000 +0000
data 5
More

from refs/heads/main^0
M 100644 inline more.js
data 2
1

`;
