/** A repository that lacks objects is refused; a shallow clone is read as far as it goes. */
import { expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

const elsewhere = inventRepository(at("elsewhere.git"), [
  { author: "Eve Other <eve@example.org>" },
]);

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

/** A pack of undeltified objects, in one of which some bytes are others. */
function copyWithWrongPack(): string {
  const path = copy("packed.git");
  git(path, "repack", "-adfq", "--depth=0", "--window=0");
  const packs = readdirSync(join(path, "objects/pack"));
  const pack = join(path, "objects/pack", packs.find((name) => name.endsWith(".pack")) ?? "");
  const listed = git(path, "verify-pack", "-v", pack.replace(/pack$/, "idx")).toString();
  const blob = new RegExp(`^${idOf("HEAD~2^2:side.py")} blob\\s+\\d+ \\d+ (\\d+)`, "m");
  const offset = Number(blob.exec(listed)?.[1]);
  const bytes = readFileSync(pack);
  bytes.fill(0xff, offset + 3, offset + 8);
  rmSync(pack);
  writeFileSync(pack, bytes);
  return path;
}

function clonePartially(filter: string): string {
  const path = at(`${filter.replace(":", "-")}.git`);
  git(folder, "clone", "-q", "--bare", `--filter=${filter}`, `file://${whole}`, path);
  return path;
}

const objectsOf = (path: string) =>
  git(path, "cat-file", "--batch-all-objects", "--batch-check").toString();

test.each([
  ["a blob", () => copyWithout("blob.git", "HEAD~1:web/x.ts")],
  ["a blob of the newest tree", () => copyWithout("newest-blob.git", "HEAD:web/x.ts")],
  ["a folder", () => copyWithout("folder.git", "HEAD~1:core")],
  ["a tree", () => copyWithout("tree.git", "HEAD~1^{tree}")],
  ["the newest tree", () => copyWithout("newest.git", "HEAD^{tree}")],
  ["a root", () => copyWithout("root.git", "HEAD~6")],
  ["a side of a merge", () => copyWithout("side.git", "HEAD~2^2")],
  ["the bytes of a packed blob", copyWithWrongPack],
  ["all contents, as in a partial clone", () => clonePartially("blob:none")],
  ["all trees, as in a partial clone", () => clonePartially("tree:0")],
])("a repository that lost %s is refused, and nothing is fetched", async (_, make) => {
  const path = make();
  const before = objectsOf(path);
  const { refused, people } = await read([path, elsewhere]);
  expect(refused).toEqual([
    {
      path,
      reason: "objects are missing, as in a partial clone, or damaged.",
      remedy: expect.stringContaining("without --filter"),
    },
  ]);
  expect(people).toHaveLength(1);
  expect(objectsOf(path)).toBe(before);
});

test("a bundle without contents is refused", async () => {
  const path = at("partial.bundle");
  git(whole, "bundle", "create", "-q", path, "--filter=blob:none", "HEAD");
  const { refused } = await read([path, elsewhere]);
  expect(refused.map((one) => one.path)).toEqual([path]);
});

test("a shallow clone is read as far as it goes, and anew when the rest is there", async () => {
  const path = at("shallow.git");
  git(folder, "clone", "-q", "--bare", "--depth=4", `file://${whole}`, path);
  const known = Number(git(path, "rev-list", "--count", "HEAD").toString());
  const [parts, all] = [openData(), openData()];
  const { summaries } = await parts.ingest([path]);
  expect(summaries[0]).toMatchObject({ commits: known, merges: 1, incomplete: 2 });
  expect(summaries[0]?.lacks?.reason).toContain("nothing is known of the time before 2 of them");
  expect(summaries[0]?.lacks?.remedy).toContain("--unshallow");
  expect(await parts.statuses([path])).toEqual([["unchanged", 0]]);
  git(path, "fetch", "-q", "--deepen=1");
  expect(await parts.statuses([path])).toEqual([["reread", expect.any(Number)]]);
  git(path, "fetch", "-q", "--unshallow");
  expect(await parts.statuses([path])).toEqual([["reread", 8]]);
  await all.ingest([path]);
  expect(await parts.exported()).toBe(await all.exported());
});
