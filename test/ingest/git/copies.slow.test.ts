/** A repository that is read twice, under one name or two: everything that people see counts once, and the run says so. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openCommandLine } from "../../interfaces/cli/command-line.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { setOrigin } from "../forges/ingesting.ts";
import { ada, ben, git, type InventedCommit, inventRepository } from "./invented-repository.ts";

const folder = makeFolder("git");
const cleo = "Cleo Example <cleo@example.net>";
const uses = `package queue\n\nimport "github.com/spf13/cobra"\n\nfunc serve(n int) {\n\tcobra.CheckErr(n)\n}\n`;
const manifest = "module corp.example/queue\n\nrequire github.com/spf13/cobra v1.2.3\n";
const commits: readonly InventedCommit[] = Array.from({ length: 12 }, (_, at) => ({
  author: at % 2 === 0 ? ada : ben,
  at: `2026-0${1 + (at % 9)}-11`,
  message: `queue: add part ${at}, since callers ask for it`,
  files: { [`src/part${at}.go`]: uses, ...(at === 0 && { "go.mod": manifest }) },
}));
const own = (author: string) => ({
  ...{ author, at: "2026-10-11", message: `queue: add the part of ${author}` },
  files: { [`src/${author.slice(0, 3)}.go`]: uses },
});

let made = 0;
function invent(name: string, some: readonly InventedCommit[], origin?: string): string {
  const path = inventRepository(join(folder, `${made++}`, name), some);
  return origin === undefined ? path : setOrigin(path, origin);
}

/** What a run says, and what people are shown after it. */
async function read(...paths: readonly string[]) {
  const line = openCommandLine();
  try {
    const data = ["--data", line.folder];
    const { code, err } = await line.run("ingest", "git", ...paths, ...data);
    expect({ code, err }).toMatchObject({ code: 0 });
    const known = (await line.json("ingest", "list", ...data)) as { name: string }[];
    const who = await Promise.all(
      ["--package=github.com/spf13/cobra", "--path=src/part1.go"].map((about) =>
        line.run("who", about, ...data),
      ),
    );
    const file = join(line.folder, "..", "people.jsonl");
    await line.run("export", file, ...data);
    const { out } = await line.run("identity", "list", "ada@example.com", ...data);
    const [commits = ""] = /(?<=ada@example\.com +)\d+/.exec(out) ?? [];
    const shown = [readFileSync(file, "utf8"), ...who.map(({ out }) => out), commits];
    return { err, names: known.map(({ name }) => name), shown };
  } finally {
    line.close();
  }
}

const queue = "https://forge.example/ada/queue.git";
const original = (some = commits) => invent("queue.git", some, queue);
const cloned = (...how: readonly string[]) => {
  const path = join(dirname(original()), "backup");
  git(
    folder,
    "clone",
    "--quiet",
    "--bare",
    ...how,
    `file://${join(dirname(path), "queue.git")}`,
    path,
  );
  git(path, "config", "remote.origin.url", "/srv/queue.git");
  return path;
};

test.each<[string, () => string, copied?: readonly InventedCommit[]]>([
  ["at the same commit", () => cloned()],
  ["behind", () => invent("backup", commits.slice(0, 9))],
  ["ahead", () => invent("backup", [...commits, own(ada)]), [...commits, own(ada)]],
  ["shallow", () => cloned("--depth=4")],
  ["of the same name, shallow", () => setOrigin(cloned("--depth=4"), queue)],
  [
    "below a path of the server",
    () => invent("q", commits, "https://forge.example/git/ada/queue.git"),
  ],
  ["by ssh, in other letters", () => invent("q", commits, "git@forge.example:ada/Queue.git")],
])("a clone %s is the same repository", async (_, copy, all = commits) => {
  const alone = await read(original(all));
  for (const path of [original(), copy()]) {
    const other = path.endsWith("queue.git") ? copy() : original();
    const both = await read(path, other);
    const byName = (text: string) => text.replaceAll("Queue", "queue");
    expect(both.shown.map(byName)).toEqual(alone.shown);
    expect(new Set(both.names)).toHaveProperty("size", 1);
    expect(both.err).toContain(`; ${all.length} count\n`);
    expect(both.err).toMatch(
      /^copy \/.+: it has the commits of \/.+ too\. They count once, under the name ada\/.ueue\./m,
    );
  }
});

test("a mirror with another remote counts once, and the run names the repository that has it", async () => {
  const mirror = () => invent("q", commits.slice(0, 9), "https://mirror.example/mirrors/queue.git");
  const [alone, both] = [await read(original()), await read(original(), mirror())];
  expect(both.shown).toEqual(alone.shown);
  expect(both.err).toContain("12 count, left out 9 elsewhere\n");
  expect(both.err).toContain(
    ": all commits of mirrors/queue are in ada/queue too, and count there. Profiles and searches name ada/queue.",
  );
});

test("a fork keeps its own commits, and what it shares with the original counts once", async () => {
  const fork = invent("q", [...commits, own(cleo)], "https://forge.example/cleo/queue.git");
  const { err, shown } = await read(original([...commits, own(ada), own(ben)]), fork);
  expect(err).not.toContain("copy ");
  const people =
    shown[0]
      ?.trim()
      .split("\n")
      .map((line) => JSON.parse(line)) ?? [];
  const work = people.map(({ profile, repositories }) => [
    profile.name,
    ...repositories.map(({ name, commits }: Record<string, unknown>) => [name, commits]),
  ]);
  expect(work.sort()).toEqual([
    ["Ada Example", ["ada/queue", 7]],
    ["Ben Sample", ["ada/queue", 7]],
    ["Cleo Example", ["cleo/queue", 1]],
  ]);
  const found = [...(shown[1]?.matchAll(/^(\w+)-.* (\d+) commits? to/gm) ?? [])];
  expect(found.map(([, login, count]) => `${login} ${count}`).sort()).toEqual([
    "ada 7",
    "ben 7",
    "cleo 1",
  ]);
});

test("a copy that two repositories contain is a clone of the fuller one, whichever is read first", async () => {
  const fork = invent("q", [...commits, own(cleo)], "https://forge.example/cleo/queue.git");
  const both = [original([...commits, own(ada), own(ben)]), fork];
  for (const paths of [both, both.toReversed()]) {
    const { err } = await read(...paths, invent("backup", commits));
    expect(err).toMatch(/^copy .+, under the name ada\/queue\./m);
  }
});

test("a repository that took in another one, history and all, is no clone of it", async () => {
  const joined = [...commits, { ...own(cleo), parents: [] }, { author: ben, parents: [12, 11] }];
  const { err, names } = await read(original(), invent("mono", joined));
  expect([names.sort(), err]).toEqual([
    ["ada/queue", "mono"],
    expect.not.stringContaining("clone of"),
  ]);
});
