/**
 * Repositories that are gigantic, or made to become so when they are read: Roster and each git process stay
 * small, what can be read is, the others of the run are, and a line says what was left out and why.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, inventRepository, run } from "../ingest/git/invented-repository.ts";
import { isLong } from "../long.ts";
import { makeFolder } from "../temporary-folder.ts";
import { addObject, commitText, deltaBomb } from "./hostile-objects.ts";
import { startIngest } from "./ingest-process.ts";

const folder = makeFolder("git");
const at = (...names: string[]): string => join(folder, ...names);
const good = inventRepository(at("good.git"), [{}, {}]);

/** The most memory that a process may take; Roster with its data takes about half of it. */
const peakMaxMiB = 640;
/** Bytes, more than a git process may hold. */
const unpacked = isLong ? 400_000_000 : 300_000_000;
const roots = isLong ? 2000 : 300;
const memory = ["--git-memory", "256", "--timeout", "2m"];

async function ingest(...paths: string[]) {
  const data = at(`data-${Bun.randomUUIDv7()}`);
  const { read, refused, peakMiB, code } = await startIngest(data, [
    ...memory,
    ...paths,
    good,
  ]).ended();
  expect(code).toBe(Object.keys(refused).length > 0 ? 3 : 0);
  expect(read["good.git"]).toBe(2);
  expect(peakMiB).toBeGreaterThan(1);
  expect(peakMiB).toBeLessThan(peakMaxMiB);
  return { read, refused };
}

const empty = (name: string): string => inventRepository(at(name), []);

/** Fast-import commands. */
const build = (path: string, commands: string): Buffer =>
  run(path, ["fast-import", "--quiet"], Buffer.from(commands));

const commit = (message: string, changes: string): string =>
  `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata ${message.length}\n${message}\n${changes}\n`;

test("gigantic files, as manifest, README and code, are not held", async () => {
  const path = empty("files.git");
  const blob = (word: string, bytes: number): string => {
    const hash = "git -c core.compression=1 hash-object -w --stdin";
    const made = Bun.spawnSync(["sh", "-c", `yes ${word} | head -c ${bytes} | ${hash}`], {
      env: { ...process.env, GIT_DIR: path },
    });
    return made.stdout.toString().trim();
  };
  const changes = (sha: string): string =>
    ["package.json", "README.md", "main.js", ".gitattributes", ".mailmap.js"]
      .map((name) => `M 100644 ${sha} ${name}\n`)
      .join("");
  // In the gate only the newer is gigantic, which is the one that is read as manifest, README and code.
  const [one, two] = [blob("a", isLong ? 120_000_000 : 4_000_000), blob("b", 120_000_000)];
  build(path, commit("One", changes(one)) + commit("Two", changes(two)));
  expect((await ingest(path)).read).toMatchObject({ "files.git": 2 });
}, 300_000);

test("a tree of very many files, and one a thousand folders deep, are read", async () => {
  const [wide, deep] = [empty("wide.git"), empty("deep.git")];
  const tree = (path: string, entries: readonly string[]): string =>
    run(path, ["mktree", "--missing"], Buffer.from(entries.join("")))
      .toString()
      .trim();
  const file = `100644 blob ${addObject(wide, "blob", "a\n")}\t`;
  const names = Array.from({ length: isLong ? 100_000 : 10_000 }, (_, at) => `${file}f${at}.txt\n`);
  const tip = addObject(wide, "commit", commitText(tree(wide, names)));
  git(wide, "update-ref", "refs/heads/main", tip);
  git(wide, "repack", "--quiet", "-a", "-d");
  build(deep, commit("Deep", `M 100644 inline ${"d/".repeat(1000)}f\ndata 2\na\n`));
  expect((await ingest(wide, deep)).read).toMatchObject({ "wide.git": 1, "deep.git": 1 });
}, 300_000);

test("a tree of ten thousand million files is left out, in the newest commit and in an old one", async () => {
  const [newest, old] = ["newest.git", "old.git"].map((name) => {
    const path = empty(name);
    let sha = addObject(path, "blob", "a\n");
    let mode = "100644 blob";
    for (let level = 0; level < 10; level++) {
      const entries = Array.from({ length: 10 }, (_, at) => `${mode} ${sha}\t${at}\n`);
      sha = run(path, ["mktree"], Buffer.from(entries.join("")))
        .toString()
        .trim();
      mode = "040000 tree";
    }
    const bomb = addObject(path, "commit", commitText(sha));
    const small = run(path, ["mktree"], Buffer.alloc(0)).toString().trim();
    const after = addObject(path, "commit", commitText(small, [bomb]));
    git(path, "update-ref", "refs/heads/main", name === "old.git" ? after : bomb);
    git(path, "repack", "--quiet", "-a", "-d");
    return path;
  }) as [string, string];
  const { refused } = await ingest(newest, old);
  expect(refused["newest.git"]).toMatch(
    /ls-tree failed: it wrote more than 128 MiB|more than 256 MiB/,
  );
  expect(refused["old.git"]).toMatch(/more than 256 MiB of memory/);
}, 300_000);

test("a chain of deltas that becomes hundreds of megabytes is not unpacked", async () => {
  const path = empty("deltas.git");
  const { pack, blob } = deltaBomb(unpacked);
  expect(pack.length).toBeLessThan(1_000_000);
  run(path, ["index-pack", "--stdin"], pack);
  build(path, commit("Bomb", `M 100644 ${blob} package.json\nM 100644 ${blob} main.js\n`));
  expect((await ingest(path)).read).toMatchObject({ "deltas.git": 1 });
}, 300_000);

test("commits with gigantic, broken and overflowing fields are read", async () => {
  const path = empty("commits.git");
  const tree = run(path, ["mktree"], Buffer.alloc(0)).toString().trim();
  const mega = "x".repeat(1_000_000);
  const author = "Ada <ada@example.com>";
  const texts: ((parents: string[]) => string)[] = [
    (parents) => commitText(tree, parents, { author: `${mega} <${mega}@example.com> 1 +0000` }),
    (parents) => commitText(tree, parents, { message: `${mega}\n\n${"word\n".repeat(200_000)}` }),
    (parents) =>
      commitText(tree, parents, {
        message: `A\n\n${"Co-authored-by: A <a@b.c>\n".repeat(100_000)}`,
      }),
    (parents) =>
      commitText(tree, parents, { extra: `x-${mega} ${mega}\ngpgsig ${mega}\n ${mega}\n` }),
    (parents) => commitText(tree, parents, { extra: `encoding ${mega}\n` }),
    (parents) => commitText(tree, parents, { message: "zero\0zero" }),
    (parents) => commitText(tree, parents, { author: "A\0B <a\0@b.c> 1 +0000" }),
    (parents) => commitText(tree, parents, { author: `${author} ${"9".repeat(1_000_000)} +0000` }),
    (parents) => commitText(tree, parents, { author: `${author} 18446744073709551616 +9999999` }),
    (parents) => commitText(tree, parents, { author: `${author} -1 -9999` }),
    (parents) => commitText(tree, parents, { author: "<<<>>> > <" }),
    (parents) => commitText(tree, parents, { author: "" }),
  ];
  let tip: string[] = [];
  for (const text of texts) tip = [addObject(path, "commit", text(tip))];
  const parents = Array.from({ length: roots }, (_, at) =>
    addObject(path, "commit", commitText(tree, [], { message: `Root ${at}` })),
  );
  const octopus = addObject(path, "commit", commitText(tree, [...tip, ...parents]));
  git(path, "update-ref", "refs/heads/main", octopus);
  expect((await ingest(path)).read).toMatchObject({ "commits.git": texts.length + roots + 1 });
}, 300_000);

test("very many refs cost nothing", async () => {
  const path = inventRepository(at("refs.git"), [{ message: "refs" }, {}, {}]);
  const head = git(path, "rev-parse", "HEAD").toString().trim();
  const refs = Array.from(
    { length: isLong ? 1_000_000 : 150_000 },
    (_, at) => `${head} refs/heads/b${at}\n`,
  );
  writeFileSync(join(path, "packed-refs"), refs.join(""));
  expect((await ingest(path)).read).toMatchObject({ "refs.git": 3 });
}, 300_000);
