/** What merges bring, from real repositories of git to the answer who knows it; `git blame` says the same of each. */
import { expect, test } from "bun:test";
import { git, type InventedCommit, openInventor } from "../invented-repository.ts";
import { openKnowledge } from "./opened-knowledge.ts";

const invent = openInventor();

const people = ["ada", "ben", "cleo", "dora"] as const;
const [ada, ben, cleo, dora] = people.map((name) => ({
  author: `${name} Example <${people.indexOf(name) + 1}+${name}@users.noreply.github.com>`,
}));
const lines = (word: string, count = 20) =>
  Array.from({ length: count }, (_, at) => `const ${word}${at} = ${at};\n`).join("");

async function know(commits: readonly InventedCommit[]) {
  const path = invent(commits);
  const data = openKnowledge();
  await data.ingest([path]);
  /** The authors whom git blames for the lines of a file, by login. */
  const blame = (file: string) => {
    const output = git(path, "blame", "--line-porcelain", "main", "--", file).toString();
    const found = [...output.matchAll(/^author (\w+) /gm)].map(([, name = ""]) => name);
    return [...new Set(found)].sort();
  };
  return { ...data, blame };
}

/** A library, and an application with it in a folder; then both go on, and the library is merged again. */
const [libA, libB, libReadme] = [lines("a"), lines("b"), lines("readme")];
const subtree: readonly InventedCommit[] = [
  { ...ada, files: { "a.ts": lines("app"), "README.md": lines("hello") } },
  {
    ...cleo,
    parents: [],
    files: { "src/a.ts": libA, "README.md": libReadme, ".gitignore": "x\n" },
  },
  { ...dora, parents: [1], files: { "src/b.ts": libB } },
  {
    ...ben,
    parents: [0, 2],
    files: {
      "third/lib/src/a.ts": libA,
      "third/lib/src/b.ts": libB,
      "third/lib/README.md": libReadme,
      "third/lib/.gitignore": "x\n",
    },
  },
  { ...cleo, parents: [2], files: { "src/b.ts": libB + lines("more") } },
  { ...ada, parents: [3], files: { "third/lib/src/a.ts": libA + lines("own", 5) } },
  { ...ben, parents: [5, 4], files: { "third/lib/src/b.ts": libB + lines("more") } },
];

test("a tree that was merged into a folder is its own authors' work", async () => {
  const { logins, ask, blame } = await know(subtree);
  expect((await logins({ path: "third/lib" })).sort()).toEqual(["ada", "cleo", "dora"]);
  for (const path of ["third/lib/src/a.ts", "third/lib/src/b.ts"]) {
    expect([path, (await logins({ path })).sort()]).toEqual([path, blame(path)]);
  }
  // Blame loses it to who merged, since both trees have a file of that name at their roots.
  expect(await logins({ path: "third/lib/README.md" })).toEqual(["cleo"]);
  // The file of the same name at the root has nothing of the library's.
  expect(await logins({ path: "README.md" })).toEqual(["ada"]);
  expect(ask({ path: "src" })).rejects.toThrow('no file or folder "src"');
});

test("a tree in a tree has both folders", async () => {
  const inner = lines("inner");
  const { logins } = await know([
    { ...ada, files: { "a.ts": lines("app") } },
    { ...ben, parents: [], files: { "b.ts": lines("middle") } },
    { ...cleo, parents: [], files: { "c.ts": inner } },
    { ...ben, parents: [1, 2], files: { "deep/c.ts": inner } },
    { ...ada, parents: [0, 3], files: { "mid/b.ts": lines("middle"), "mid/deep/c.ts": inner } },
  ]);
  expect(await logins({ path: "mid/deep/c.ts" })).toEqual(["cleo"]);
  expect(await logins({ path: "mid/b.ts" })).toEqual(["ben"]);
});

const base: InventedCommit = { ...ada, files: { "a.ts": lines("base", 40) } };
const left = lines("base", 40).replace("const base2 =", "const left2 =");
const right = lines("base", 40).replace("const base30 =", "const right30 =");
const both = left.replace("const base30 =", "const right30 =");
const sides: readonly InventedCommit[] = [
  base,
  { ...ben, parents: [0], files: { "a.ts": left } },
  { ...cleo, parents: [0], files: { "a.ts": right } },
];

test("a merge of both sides is nobody's work", async () => {
  const { logins, blame } = await know([
    ...sides,
    { ...dora, parents: [1, 2], files: { "a.ts": both } },
  ]);
  expect((await logins()).sort()).toEqual(["ada", "ben", "cleo"]);
  expect(blame("a.ts")).toEqual(["ada", "ben", "cleo"]);
});

test("what only the merge has is the work of who merged", async () => {
  const files = {
    "a.ts": both.replace("const base10 =", "const merged10 ="),
    "only/new.ts": lines("new"),
  };
  const { logins, blame, ask } = await know([
    ...sides,
    { ...dora, parents: [1], files: { "b.ts": lines("other") } },
    { ...dora, parents: [3, 2], files },
  ]);
  expect(await logins({ path: "only/new.ts" })).toEqual(["dora"]);
  expect((await logins({ path: "a.ts" })).sort()).toEqual(blame("a.ts"));
  expect((await logins({ path: "a.ts" }))[0]).toBe("ada");
  // A merge counts here, and nowhere as a commit of hers.
  expect((await ask({ path: "a.ts" })).commits).toBe(4);
});

test("a merge across a rename leaves the lines to their authors", async () => {
  const { logins } = await know([
    base,
    { ...ben, parents: [0], rename: ["a.ts", "lib/a.ts"], files: { "lib/a.ts": left } },
    { ...cleo, parents: [0], files: { "a.ts": right } },
    { ...dora, parents: [1, 2], files: { "lib/a.ts": both } },
  ]);
  expect((await logins({ path: "lib/a.ts" })).sort()).toEqual(["ada", "ben", "cleo"]);
});

test("a branch from before the code moved to a folder keeps what stayed", async () => {
  const [readme, licence] = [lines("readme"), lines("licence")];
  const { logins } = await know([
    { ...ada, files: { "a.ts": lines("base", 40), "README.md": readme, LICENSE: licence } },
    { ...ben, parents: [0], rename: ["a.ts", "src/a.ts"], files: {} },
    { ...cleo, parents: [0], files: { "a.ts": right, "README.md": readme + lines("told", 5) } },
    {
      ...dora,
      parents: [1, 2],
      files: { "src/a.ts": right, "README.md": readme + lines("told", 5) },
    },
  ]);
  expect((await logins({ path: "src/a.ts" })).sort()).toEqual(["ada", "cleo"]);
  expect((await logins({ path: "README.md" })).sort()).toEqual(["ada", "cleo"]);
});

test("a shallow clone denies no file that it has", async () => {
  const source = invent(subtree);
  const clone = `${source}-clone`;
  git(source, "clone", "--quiet", "--bare", "--depth=1", `file://${source}`, clone);
  const data = openKnowledge();
  await data.ingest([clone]);
  for (const path of ["", "third/lib", "a.ts"]) {
    expect((await data.ask({ path })).people).toEqual([]);
  }
  expect(data.ask({ path: "never.ts" })).rejects.toThrow("no file or folder");
});
