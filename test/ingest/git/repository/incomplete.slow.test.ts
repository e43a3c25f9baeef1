/** A repository that lacks objects is read all the same: only what needs them is left out. */
import { expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../../src/contract/people/facts.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { ada, ben, git, type InventedCommit, inventRepository } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";
import { read } from "../read.ts";

const folder = makeFolder("git");
const at = (name: string): string => join(folder, name);

const lines = (count: number, of = "int a;\n") => of.repeat(count);
const history: readonly InventedCommit[] = [
  { author: ada, at: "2025-01-01", files: { "a.c": lines(9), "web/x.ts": lines(4, "let x;\n") } },
  { author: ben, at: "2025-01-02", files: { "a.c": lines(12), "package.json": "{}" } },
  { author: ada, at: "2025-01-03", rename: ["a.c", "core/b.c"] },
  { author: ben, at: "2025-01-04", files: { "core/b.c": lines(20), "web/x.ts": "let y;\n" } },
  { author: ada, at: "2025-01-05", parents: [1], files: { "side.py": "import django\n" } },
  { author: ben, at: "2025-01-06", parents: [3, 4], files: {}, message: "Merge" },
  { author: ada, at: "2025-01-07", files: { "core/b.c": lines(21), "web/x.ts": "let z;\n" } },
  {
    author: ben,
    at: "2025-01-08",
    files: { "core/b.c": lines(22) },
    message: `fix: it\n\nCo-authored-by: ${ada}`,
  },
];
const whole = inventRepository(at("whole.git"), history, { isLoose: true });
git(whole, "config", "uploadpack.allowFilter", "true");
git(whole, "config", "uploadpack.allowAnySHA1InWant", "true");

const idOf = (revision: string) => git(whole, "rev-parse", revision).toString().trim();
const objectAt = (repository: string, id: string) =>
  join(repository, "objects", id.slice(0, 2), id.slice(2));

/** A copy with loose objects, as fast-import of a few commits leaves them. */
function copy(name: string): string {
  cpSync(whole, at(name), { recursive: true });
  return at(name);
}

function copyWithout(name: string, ...revisions: string[]): string {
  const path = copy(name);
  for (const revision of revisions) rmSync(objectAt(path, idOf(revision)));
  return path;
}

/** What needs no contents: who, how many commits, when. */
function withoutEvidence({ evidence: _, ...facts }: Facts) {
  return {
    ...facts,
    repositories: facts.repositories.map(({ commits }) => commits),
  };
}

async function expectSamePeople(path: string, incomplete: number) {
  const [lacking, all] = [await read([path]), await read([whole])];
  expect(lacking.refused).toEqual([]);
  expect(lacking.people.map(withoutEvidence)).toEqual(all.people.map(withoutEvidence));
  expect(lacking.authorsReport).toEqual(all.authorsReport);
  expect(lacking.summary).toMatchObject({ commits: 8, merges: 1, counted: 7, incomplete });
  expect(lacking.summary?.lacks?.reason).toContain(
    `${incomplete} of 8 commits count without lines`,
  );
  expect(all.summary?.incomplete).toBe(0);
  expect(all.summary?.lacks).toBeUndefined();
  return lacking;
}

test("the invented repository has loose objects", () => {
  expect(existsSync(objectAt(whole, idOf("HEAD")))).toBe(true);
});

test("a missing blob costs the lines of the commits that it is in", async () => {
  const { people } = await expectSamePeople(copyWithout("blob.git", "HEAD~1:web/x.ts"), 1);
  const { people: all } = await read([whole]);
  const linesOf = (facts: readonly Facts[]) =>
    facts
      .flatMap(({ evidence }) => evidence ?? [])
      .reduce((sum, each) => sum + (each.lines ?? 0), 0);
  expect(linesOf(people)).toBeGreaterThan(0);
  expect(linesOf(people)).toBeLessThan(linesOf(all));
});

test("a missing folder, and a missing root tree, cost the same", async () => {
  await expectSamePeople(copyWithout("folder.git", "HEAD~1:core"), 2);
  await expectSamePeople(copyWithout("tree.git", "HEAD~1^{tree}"), 2);
  await expectSamePeople(copyWithout("newest.git", "HEAD^{tree}"), 1);
});

test("a blob whose bytes are wrong costs no more than one that is missing", async () => {
  const path = copy("bytes.git");
  const file = objectAt(path, idOf("HEAD:core/b.c"));
  rmSync(file);
  writeFileSync(file, "no zlib stream");
  await expectSamePeople(path, 1);
});

test("so does one in a pack", async () => {
  const path = copy("packed.git");
  git(path, "repack", "-adfq", "--depth=0", "--window=0");
  const id = idOf("HEAD~2^2:side.py");
  const [pack = ""] = readdirSync(join(path, "objects/pack")).filter((name) =>
    name.endsWith(".pack"),
  );
  const listed = git(
    path,
    "verify-pack",
    "-v",
    join(path, "objects/pack", pack.replace(/pack$/, "idx")),
  );
  const [, offset] =
    new RegExp(`^${id} blob\\s+\\d+ \\d+ (\\d+)`, "m").exec(listed.toString()) ?? [];
  const file = join(path, "objects/pack", pack);
  const bytes = readFileSync(file);
  bytes.fill(0xff, Number(offset) + 3, Number(offset) + 8);
  rmSync(file);
  writeFileSync(file, bytes);
  await expectSamePeople(path, 1);
});

const objectsOf = (path: string) =>
  git(path, "cat-file", "--batch-all-objects", "--batch-check").toString();

test.each([
  ["blob:none", 7],
  ["tree:0", 7],
  ["tree:1", 7],
])(
  "a partial clone with --filter=%s is read, and nothing is fetched",
  async (filter, incomplete) => {
    const path = at(`${filter.replace(":", "-")}.git`);
    git(folder, "clone", "-q", "--bare", `--filter=${filter}`, `file://${whole}`, path);
    const before = objectsOf(path);
    const { summary } = await expectSamePeople(path, incomplete);
    expect(summary?.lacks?.reason).toContain("partial clone");
    expect(summary?.lacks?.remedy).toContain("without --filter");
    expect(objectsOf(path)).toBe(before);
  },
);

test("a bundle without contents is read", async () => {
  const path = at("partial.bundle");
  git(whole, "bundle", "create", "-q", path, "--filter=blob:none", "HEAD");
  await expectSamePeople(path, 7);
});

test("a shallow clone is read as far as it goes, and anew when the rest is there", async () => {
  const path = at("shallow.git");
  git(folder, "clone", "-q", "--bare", "--depth=4", `file://${whole}`, path);
  const known = Number(git(path, "rev-list", "--count", "HEAD").toString());
  const [parts, all] = [openData(), openData()];
  const { summaries } = await parts.ingest([path]);
  expect(summaries[0]).toMatchObject({ commits: known, merges: 1, incomplete: 2 });
  expect(summaries[0]?.lacks?.reason).toContain("what was before 2 of them is not known");
  expect(summaries[0]?.lacks?.remedy).toContain("--unshallow");
  expect(await parts.statuses([path])).toEqual([["unchanged", 0]]);
  git(path, "fetch", "-q", "--unshallow");
  expect(await parts.statuses([path])).toEqual([["reread", 8]]);
  await all.ingest([path]);
  expect(await parts.exported()).toBe(await all.exported());
});

test("a missing commit cuts what is behind it, and not the other side of a merge", async () => {
  const root = await read([copyWithout("root.git", "HEAD~6")]);
  expect(root.summary).toMatchObject({ commits: 7, merges: 1, incomplete: 1 });
  expect(root.summary?.lacks?.reason).toContain("what was before 1 of them is not known");
  const side = await read([copyWithout("side.git", "HEAD~2^2")]);
  expect(side.summary).toMatchObject({ commits: 7, merges: 1, human: 6, incomplete: 0 });
  const main = await read([copyWithout("main.git", "HEAD~2^1")]);
  expect(main.summary).toMatchObject({ commits: 6, merges: 1, human: 5, incomplete: 0 });
});

test("what was missing and is there again is read; the people are those of the whole repository", async () => {
  const id = idOf("HEAD~1:core/b.c");
  const path = copyWithout("restored.git", "HEAD~1:core/b.c");
  const [parts, all] = [openData(), openData()];
  expect(await parts.statuses([path])).toEqual([["new", 8]]);
  expect(await parts.statuses([path])).toEqual([["unchanged", 0]]);
  cpSync(objectAt(whole, id), objectAt(path, id));
  expect(await parts.statuses([path])).toEqual([["reread", 8]]);
  expect(await parts.statuses([path])).toEqual([["unchanged", 0]]);
  await all.ingest([path]);
  expect(await parts.exported()).toBe(await all.exported());
});

test("read in pieces it gives the same people as at once", async () => {
  const path = copyWithout(
    "pieces.git",
    "HEAD~1:core/b.c",
    "HEAD~3:web/x.ts",
    "HEAD~5:package.json",
  );
  const [parts, all] = [openData(), openData()];
  const shas = git(path, "rev-list", "--reverse", "--topo-order", "HEAD")
    .toString()
    .trim()
    .split("\n");
  for (const sha of shas) {
    git(path, "update-ref", "refs/heads/main", sha);
    await parts.ingest([path]);
  }
  await all.ingest([path]);
  expect(await parts.exported()).toBe(await all.exported());
  expect((await parts.ingest([path])).summaries[0]?.lacks).toEqual(
    (await all.ingest([path])).summaries[0]?.lacks,
  );
});

test("what one clone lacks, another of the same repository gives, in any order", async () => {
  const texts = new Set<string>();
  for (const name of ["a", "z"]) {
    const path = join(folder, name, "acme+tool.git");
    const other = join(folder, `${name}2`, "m", "acme+tool.git");
    cpSync(whole, other, { recursive: true });
    cpSync(whole, path, { recursive: true });
    rmSync(objectAt(name === "a" ? path : other, idOf("HEAD~1:core/b.c")));
    const data = openData();
    const { summaries } = await data.ingest([path, other]);
    expect(summaries.map(({ incomplete, lacks }) => [incomplete, lacks])).toEqual([
      [0, undefined],
      [0, undefined],
    ]);
    texts.add(await data.exported());
  }
  expect(texts.size).toBe(1);
});

test("among twenty repositories one that lacks all its contents loses nobody", async () => {
  const shelf = at("shelf");
  for (let number = 0; number < 20; number++) {
    inventRepository(
      join(shelf, `tool-${number}.git`),
      [
        {
          author: `Person Number${number} <p${number}@example.com>`,
          files: { "a.c": lines(number + 1) },
        },
        { author: ada, files: { "a.c": lines(number + 3) } },
      ],
      { isLoose: number === 7 },
    );
  }
  const blobs = git(join(shelf, "tool-7.git"), "rev-list", "--objects", "--all").toString();
  for (const line of blobs.split("\n").filter((each) => each.endsWith(" a.c"))) {
    rmSync(objectAt(join(shelf, "tool-7.git"), line.slice(0, 40)));
  }
  const { people, refused, summaries } = await read([shelf]);
  expect(refused).toEqual([]);
  expect(people).toHaveLength(21);
  expect(summaries.reduce((sum, { incomplete }) => sum + incomplete, 0)).toBe(2);
});

test("a mailmap that is missing is said, and used once it is there", async () => {
  const mapped = inventRepository(
    at("mapped.git"),
    [
      { author: "A <old@example.net>", files: { ".mailmap": `${ada} <old@example.net>\n` } },
      { author: "A <old@example.net>", files: { "a.c": lines(3) } },
    ],
    { isLoose: true },
  );
  const id = git(mapped, "rev-parse", "HEAD:.mailmap").toString().trim();
  const bytes = readFileSync(objectAt(mapped, id));
  rmSync(objectAt(mapped, id));
  const data = openData();
  expect((await data.ingest([mapped])).summaries[0]?.lacks?.reason).toBe(
    "1 of 2 commits count without lines, languages and packages, its mailmap is not there and maps nobody: objects are missing or damaged.",
  );
  writeFileSync(objectAt(mapped, id), bytes);
  expect(await data.statuses([mapped])).toEqual([["reread", 2]]);
  expect((await data.person("Ada Example"))?.commits?.total).toBe(2);
});

test("a repository that lacks nothing is read by one git log", async () => {
  const calls = at("calls");
  const program = at("git-counting");
  writeFileSync(program, `#!/bin/sh\necho "$*" >> ${calls}\nexec git "$@"\n`, { mode: 0o755 });
  await read([whole], { program });
  const logs = readFileSync(calls, "utf8")
    .split("\n")
    .filter((line) => / log -z /.test(line));
  expect(logs).toHaveLength(1);
});

test("a revert of which not even the paths are known counts as little as one that is whole", async () => {
  const path = inventRepository(
    at("revert.git"),
    [
      { author: ada, files: { "file-0.js": "let x;\n", "other.js": "let y;\n" } },
      { author: ada, message: 'Revert "Change number 0"', files: { "file-0.js": null } },
      { author: ben },
    ],
    { isLoose: true },
  );
  const tree = git(path, "rev-parse", "HEAD~1^{tree}").toString().trim();
  rmSync(objectAt(path, tree));
  const { summary } = await read([path]);
  expect(summary).toMatchObject({ commits: 3, counted: 2, excluded: { revert: 1 }, incomplete: 2 });
});
