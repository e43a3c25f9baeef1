/** Repositories that change places: each path has one repository, which alone is shown, counted and forgotten there. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { cpSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ada, ben, git, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const line = openCommandLine();
afterAll(() => line.close());
const data = ["--data", line.folder];
const shelf = join(realpathSync(join(line.folder, "..")), "shelf");
const at = (name: string) => join(shelf, name);

function invent(name: string, remote: string, authors: readonly string[]): void {
  const commits = authors.map((author, n) => ({ author, message: `${remote} ${n}` }));
  inventRepository(at(name), commits);
  git(at(name), "config", "remote.origin.url", `https://git.corp.example/${remote}.git`);
}

async function ingest(): Promise<void> {
  const { code, err } = await line.run("ingest", "git", shelf, "--allow-removals", ...data);
  expect({ code, err }).toMatchObject({ code: 0 });
}

async function list(): Promise<string[]> {
  const rows = (await line.json("ingest", "list", ...data)) as { name: string; path: string }[];
  return rows.map(({ name, path }) => `${name} at ${path.slice(shelf.length + 1)}`);
}

test("a repository that made room for another is the one where it is now", async () => {
  invent("app", "corp/one", [ada, ben, ben]);
  invent("lib", "corp/two", [ada]);
  await ingest();
  renameSync(at("app"), at("app.old"));
  renameSync(at("lib"), at("app"));
  await ingest();
  expect(await list()).toEqual(["corp/one at app.old", "corp/two at app"]);
  git(at("app.old"), "update-ref", "refs/heads/main", "main~2");
  await ingest();
  expect(await list()).toEqual(["corp/one at app.old", "corp/two at app"]);
  // The commits that were rewritten away are nobody's.
  const file = join(shelf, "people.jsonl");
  await line.run("export", file, ...data);
  const out = await Bun.file(file).text();
  expect(out).toContain("Ada Example");
  expect(out).not.toContain("Ben Sample");
});

test("what earlier versions left behind counts no more, and doctor names it until then", async () => {
  cpSync(at("app.old"), at("copy"), { recursive: true });
  await ingest();
  rmSync(at("copy"), { recursive: true });
  const ledger = new Database(join(line.folder, "ingest.db"));
  ledger.run("UPDATE place SET directory = ?, path = ? WHERE directory = ?", [
    ...[at("app"), at("app"), at("copy")],
  ]);
  ledger.close();
  const isNamed = async () =>
    JSON.stringify(await line.json("doctor", ...data)).includes("at a path that they have left");
  expect(await isNamed()).toBe(true);
  await ingest();
  expect(await isNamed()).toBe(false);
  expect(await list()).toEqual(["corp/one at app.old", "corp/two at app"]);
});

test("a repository in place of another is forgotten alone, by the path that both had", async () => {
  rmSync(at("app"), { recursive: true });
  invent("app", "corp/three", [ben]);
  await ingest();
  const others = ["corp/one at app.old", "corp/two at app (replaced)"];
  expect(await list()).toEqual([others[0] ?? "", "corp/three at app", others[1] ?? ""]);
  const forget = (path: string) => line.run("ingest", "forget", path, "--allow-removals", ...data);
  expect((await forget(at("app"))).code).toBe(0);
  expect(await list()).toEqual(others);
  expect((await forget(`${at("app")} (replaced)`)).code).toBe(0);
  expect(await list()).toEqual(others.slice(0, 1));
});

test("doctor names histories that an older Roster read, also after a recount, until they are read again", async () => {
  const ledger = new Database(join(line.folder, "ingest.db"));
  ledger.run("UPDATE place SET edition = '0.0.1/1'");
  ledger.close();
  const isNamed = async () =>
    JSON.stringify(await line.json("doctor", ...data)).includes("that an older Roster read");
  expect((await line.run("ingest", "git", "--allow-removals", ...data)).code).toBe(0);
  expect(await isNamed()).toBe(true);
  await ingest();
  expect(await isNamed()).toBe(false);
});
