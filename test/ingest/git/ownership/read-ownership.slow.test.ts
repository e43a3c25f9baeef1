import { expect, test } from "bun:test";
import type { StatedOwner } from "../../../../src/contract/people/ownership-rule.ts";
import { readMetadata } from "../../../../src/ingest/git/ledger/histories.ts";
import { listLocations, readLocationsAgain } from "../../../../src/ingest/git/ledger/locations.ts";
import type { Ledger } from "../../../../src/ingest/ingest.ts";
import { ada, ben, type InventedCommit, openInventor } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";

const inventFrom = openInventor();

type Files = NonNullable<InventedCommit["files"]>;
const code = { "a.ts": "export const a = 1;\n" };
const invent = (...files: readonly Files[]) =>
  inventFrom([
    { author: ada, files: code },
    ...files.map((each) => ({ author: ben, files: each })),
  ]);

const readOwnership = (ledger: Ledger) =>
  readMetadata(ledger.sqlite, listLocations(ledger)[0]?.id ?? 0).ownership;

async function ownershipOf(...files: readonly Files[]) {
  const { ingest, ledger } = openData();
  await ingest([invent(...files)]);
  return readOwnership(ledger);
}

const namesOf = (rules: readonly { readonly owners: readonly StatedOwner[] }[] = []) =>
  rules.flatMap(({ owners }) => owners.flatMap((owner) => Object.values(owner)));

test("the ledger keeps what every form states", async () => {
  const found = await ownershipOf({
    ".github/CODEOWNERS": "* @ada\n*.[ch] @ben\n",
    OWNERS: "approvers: [team-a]\n",
    "lib/OWNERS": "reviewers: [dan]\n",
    "vendor/x/OWNERS": "approvers: [stranger]\n",
    OWNERS_ALIASES: "aliases:\n  team-a: [eve]\n",
  });
  expect(found?.rules.map(({ form, pattern }) => [form, pattern])).toEqual([
    ["github", "*"],
    ["folder", ""],
    ["folder", "lib"],
  ]);
  expect(namesOf(found?.rules)).toEqual(["ada", "eve", "dan"]);
  expect(found?.unread).toMatchObject([{ file: ".github/CODEOWNERS", line: 2 }]);
});

test("nothing is kept where nothing is stated", async () => {
  expect(await ownershipOf()).toBeUndefined();
});

test("of several CODEOWNERS the first of GitHub's places holds; sections and .gitlab say that it is GitLab's", async () => {
  const [github, root, docs] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] as const;
  const both = await ownershipOf({ [github]: "* @first", [root]: "* @second", [docs]: "* @third" });
  expect(namesOf(both?.rules)).toEqual(["first"]);
  const lower = await ownershipOf({ [root]: "[Docs]\n* @second", [docs]: "* @third" });
  expect(lower?.rules).toMatchObject([{ form: "gitlab", section: "docs", file: root }]);
  const last = await ownershipOf({ ".gitlab/CODEOWNERS": "* @fourth" });
  expect(last?.rules).toMatchObject([{ form: "gitlab", owners: [{ login: "fourth" }] }]);
});

test("what is too large is named and not read", async () => {
  const found = await ownershipOf({
    CODEOWNERS: "# x\n".repeat(800_000),
    OWNERS: `approvers: [ada]\n${"# x\n".repeat(70_000)}`,
    "a/OWNERS": "approvers: [ben]\n",
  });
  expect(namesOf(found?.rules)).toEqual(["ben"]);
  expect(found?.unread.map(({ file, line }) => [file, line])).toEqual([
    ["OWNERS", 0],
    ["CODEOWNERS", 0],
  ]);
});

test("a file of more rules than anybody maintains is left out whole, since its last lines would decide", async () => {
  const found = await ownershipOf({
    CODEOWNERS: Array.from({ length: 10_001 }, (_, at) => `/f${at} @ada`).join("\n"),
    OWNERS: "approvers: [ben]\n",
  });
  expect(namesOf(found?.rules)).toEqual(["ben"]);
  expect(found?.unread.map(({ file }) => file)).toEqual(["CODEOWNERS"]);
});

const account = "Ben Sample <7+ben@users.noreply.github.com>";
const stated = "* @Ben ben@example.org @ada\n/a @ben\n/b ada@example.com\n";
const commits = [{ author: ada, files: code }, { author: account }, { author: ben }];

test("a forgotten person does not come back with a tree that names them still, but does when the erasure is undone", async () => {
  const data = openData();
  const path = inventFrom([...commits, { author: ada, files: { CODEOWNERS: stated } }]);
  const kept = () => namesOf(readOwnership(data.ledger)?.rules);
  await data.ingest([path]);
  expect(kept()).toEqual(["Ben", "ben@example.org", "ada", "ben", "ada@example.com"]);
  const { erasing } = data.pool;
  for (const subject of ["ben", "ben@example.org"]) await erasing.hide(subject);
  await data.ingest([path], { wantsAuthors: true });
  expect(kept()).toEqual(["ada", "ada@example.com"]);
  const next = inventFrom([
    ...commits,
    { author: ada, files: { CODEOWNERS: stated } },
    { author: ada, files: { "b.ts": "" } },
  ]);
  Bun.spawnSync(["git", "-C", path, "fetch", "--quiet", next, "+main:main"]);
  expect((await data.ingest([path])).summaries[0]?.status).toBe("continued");
  expect(kept()).toEqual(["ada", "ada@example.com"]);
  for (const { id } of await erasing.receipts()) await erasing.undo(id);
  readLocationsAgain(data.ledger);
  await data.ingest([path]);
  expect(kept()).toEqual(["Ben", "ben@example.org", "ada", "ben", "ada@example.com"]);
});
