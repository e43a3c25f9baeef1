/** What anybody may write into a commit makes no two addresses one person's: a mailmap, an account or an operator does. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { git, type InventedCommit, openInventor, run } from "../invented-repository.ts";
import { read } from "../read.ts";
import { openRosterFolder } from "../roster-folder.ts";

const invent = openInventor();

const vera = "Vera Holm <vera@example.org>";
const mallory = "Mallory Quist <mallory@example.net>";
const both: readonly InventedCommit[] = [{ author: vera }, { author: vera }, { author: mallory }];
const message = (...lines: readonly string[]) =>
  `feat: mine\n\nIt was needed.\n\n${lines.join("\n")}\n`;

/** By name, the addresses of each person. */
async function peopleIn(commits: readonly InventedCommit[]) {
  const { people } = await read([invent(commits)]);
  return people
    .map(({ profile, emails }) => [profile.name, ...emails.map(({ address }) => address)].join(" "))
    .sort();
}

const apart = ["Mallory Quist mallory@example.net", "Vera Holm vera@example.org"];
const keys = "Co-authored,Reviewed,Signed-off,Tested,Reported,Acked".split(",");

test.each([
  `${mallory} <vera@example.org>`,
  `${mallory}, <vera@example.org>`,
  `${mallory}, ${vera}`,
  `${vera} ${mallory}`,
  "Mallory Quist <mallory@example.net <vera@example.org>>",
  "vera@example.org <mallory@example.net>",
  "Vera Holm <vera@example.org>, Mallory Quist <vera@example.org>",
])("a trailer of any kind leaves two people two: %s", async (value) => {
  const lines = keys.map((key) => `${key}-by: ${value}`);
  expect(await peopleIn([...both, { author: mallory, message: message(...lines) }])).toEqual(apart);
});

test("a trailer with a mailmap of the repository makes two people one", async () => {
  const people = await peopleIn([
    ...both,
    { author: mallory, message: message(`Co-authored-by: ${vera}`) },
    { files: { ".mailmap": `${vera} <mallory@example.net>\n` }, author: vera },
  ]);
  expect(people).toEqual(["Vera Holm mallory@example.net vera@example.org"]);
});

test("other names in trailers take no address from the person who commits with it", async () => {
  const others = ["Xan Yuri", "Zed Quack", "Una Orr"].map((name) => `${name} <vera@example.org>`);
  const lines = others.map((person) => `Co-authored-by: ${person}`);
  expect(await peopleIn([...both, { author: mallory, message: message(...lines) }])).toEqual(apart);
  // An address that several people commit with is a list's.
  const shared = await peopleIn([vera, ...others].map((author) => ({ author })));
  expect(shared).toEqual(["Una Orr", "Vera Holm", "Xan Yuri", "Zed Quack"]);
});

test("the line of an author is read by git alone, whatever stands in it", async () => {
  const path = invent(both);
  const tree = git(path, "rev-parse", "main^{tree}").toString().trim();
  let parent = git(path, "rev-parse", "main").toString().trim();
  for (const author of [
    `${mallory} <vera@example.org>`,
    "Mallory Quist <mallory@example.net <vera@example.org>>",
    "Mallory Quist <mallory@example.net>, Vera Holm <vera@example.org>",
  ]) {
    const text = `tree ${tree}\nparent ${parent}\nauthor ${author} 1700000000 +0000\ncommitter ${author} 1700000000 +0000\n\nfeat: odd\n`;
    const write = ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"];
    parent = run(path, write, Buffer.from(text)).toString().trim();
  }
  git(path, "update-ref", "refs/heads/main", parent);
  const { people } = await read([path]);
  const withVera = people.filter(({ emails }) =>
    emails.some(({ address }) => address.includes("vera@")),
  );
  expect(withVera.map(({ profile, commits }) => [profile.name, commits?.total])).toEqual([
    ["Vera Holm", 2],
  ]);
});

test("an address as a name is no handle of the person who has the address", async () => {
  const owner = "Vera Holm <vholm@example.org>";
  const path = invent([
    { author: owner },
    { author: owner },
    { author: "vholm@example.org <other@example.net>" },
  ]);
  const { person } = await read([path]);
  expect(person("Vera Holm").emails.map(({ address }) => address)).toEqual(["vholm@example.org"]);
});

test("a history that an older version stored is healed by the next run, also where the repository is gone", async () => {
  const { folder, call, close } = openRosterFolder(() => new Date("2026-11-21T12:00:00Z"));
  const own = { author: mallory, message: message(`Co-authored-by: ${mallory}`) };
  const path = invent([...both, own]);
  await call([0], "ingest", "git", path);
  rmSync(path, { recursive: true });
  const file = new Database(join(folder, "ingest.db"));
  const store = (form: number) => {
    const joined = {
      name: "Mallory Quist",
      email: "mallory@example.net",
      rawEmail: "vera@example.org",
    };
    const row = file.query<{ content: Uint8Array }, []>("SELECT content FROM history_people").get();
    const people = JSON.parse(Buffer.from(Bun.zstdDecompressSync(row?.content ?? "")).toString());
    const content = Bun.zstdCompressSync(JSON.stringify({ ...people, coAuthors: [joined] }));
    file.run("UPDATE history_people SET content = ?", [content]);
    file.run("UPDATE place SET edition = ?", [`0.2.0/${form}`]);
  };
  const known = () => call([0], "identity", "list", "vera@example.org");
  // Of the present form, it is what a mailmap said.
  store(8);
  await call([0], "ingest", "git");
  expect(await known()).toContain("mailmap");
  store(7);
  file.close();
  await call([0], "ingest", "git");
  expect(await known()).not.toMatch(/mailmap|Mallory/);
  expect(await call([0], "find", "Mallory Quist")).toContain("mallory-4ecc31");
  close();
});
