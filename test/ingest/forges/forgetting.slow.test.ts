/** Whoever was forgotten stays away by the account's number, whatever the login and addresses are called by now. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeFolder } from "../../temporary-folder.ts";
import { inventRepository, run } from "../git/invented-repository.ts";
import { listCommits, setOrigin } from "./ingesting.ts";
import { type InventedForge, inventForge } from "./invented-forge.ts";
import { openProgram, tokenArguments } from "./program.ts";

const folder = makeFolder("git");
let made = 0;

function inventQueue(forge: InventedForge, authors: Readonly<Record<string, number>>): string {
  const commits = Object.keys(authors).map((author) => ({ author }));
  const path = inventRepository(join(folder, `${made++}`, "queue.git"), commits);
  setOrigin(path, `${forge.url}/team/queue.git`);
  learnAuthors(forge, path, authors);
  return path;
}

function learnAuthors(
  forge: InventedForge,
  path: string,
  authors: Readonly<Record<string, number>>,
): void {
  for (const { sha, email } of listCommits(path)) {
    const [, number] = Object.entries(authors).find(([who]) => who.includes(`<${email}>`)) ?? [];
    if (number !== undefined) forge.authors.set(sha, number);
  }
}

const quilla = "Quilla Vanish <quilla@corp.example>";
const ben = "Ben Forge <ben@corp.example>";

/** Files with the word, but for pool.db and a login, which the list of changes has for 30 days. */
function othersWith(roster: ReturnType<typeof openProgram>, word: string): readonly string[] {
  const isLogin = /^[a-z]+$/.test(word);
  return roster.filesWith(word).filter((path) => !(isLogin && path.endsWith("pool.db")));
}

describe("a forgotten account", () => {
  test("does not come back renamed, with another address, and with commits under it", async () => {
    await using forge = inventForge();
    using roster = openProgram();
    const account = { name: "Quilla Vanish", location: "Berlin", email: "quilla@corp.example" };
    forge.accounts.set(70, { login: "team" });
    forge.accounts.set(71, { ...account, login: "quilla" });
    forge.accounts.set(72, { login: "ben", name: "Ben Forge", email: "ben@corp.example" });
    forge.repositories.set(1, { owner: 70, name: "queue", stars: 1 });
    forge.repositories.set(2, { owner: 71, name: "diary", stars: 1 });
    const reviews = [{ by: 71, at: "2026-11-01T10:00:00Z" }];
    const change = { author: 72, updated: "2026-11-02T10:00:00Z", reviews };
    forge.changes.set(1, [change]);
    const path = inventQueue(forge, { [quilla]: 71, [ben]: 72 });
    await roster.ingestGit(path);
    await roster.ingestGitea(forge.url, "secret-token");
    const copy = join(roster.folder, "copy.json");
    await roster.call("person", "export", "quilla", copy);
    const { facts, ifForgotten } = await Bun.file(copy).json();
    expect(facts.accounts).toEqual([{ forge: new URL(forge.url).host, login: "quilla", id: "71" }]);
    expect(facts.credits).toMatchObject({ approved: { count: 1 } });
    expect(JSON.stringify(ifForgotten)).toContain("#71");
    const listReviewers = () => {
      using forges = new Database(join(roster.data, "forges.db"), { readonly: true });
      return forges.query("SELECT number FROM review").values().flat();
    };
    expect(listReviewers()).toEqual(["71"]);
    await roster.call("forget", "quilla");
    expect(listReviewers()).toEqual([]);
    const words = ["quilla", "Quilla", "Vanish"];
    for (const word of words) expect([word, othersWith(roster, word)]).toEqual([word, []]);

    const fresh = "Tilda New <tilda@new.example>";
    forge.accounts.set(71, { login: "tilda", name: "Tilda New", email: "t@other.example" });
    const clone = join(folder, `${made++}`);
    run(folder, ["clone", "--quiet", path, clone]);
    run(clone, [
      ...["-c", "user.name=Tilda New", "-c", "user.email=tilda@new.example"],
      ...["commit", "--quiet", "--allow-empty", "--message", "More"],
    ]);
    run(clone, ["push", "--quiet", path, "HEAD:main"]);
    learnAuthors(forge, path, { [fresh]: 71, [ben]: 72 });
    await roster.ingestGit(path);
    reviews.push({ by: 71, at: "2026-11-03T10:00:00Z" }, { by: 70, at: "2026-11-03T10:00:00Z" });
    forge.changes.set(1, [{ ...change, updated: "2026-11-04T10:00:00Z" }]);
    const refreshed = JSON.parse(await roster.ingestGitea(forge.url, "secret-token", "--json"));
    expect(refreshed.suppressed).toBeGreaterThan(0);
    expect(listReviewers()).toEqual(["70"]);
    const [text, found] = [await roster.exportAll(), await roster.attempt(["get", "tilda"])];
    expect(found.code).toBe(4);
    for (const word of [...words, "tilda", "Tilda", "t@other.example"]) {
      expect([word, text.includes(word), othersWith(roster, word)]).toEqual([word, false, []]);
    }
    expect((await roster.people()).map(({ login }) => login).sort()).toEqual(["ben", "team"]);
  }, 300_000);

  test("that a selection named is named no more, and others of the walk stay", async () => {
    await using forge = inventForge();
    using roster = openProgram();
    forge.accounts.set(71, { login: "quilla", name: "Quilla Vanish" });
    forge.accounts.set(72, { login: "ben" });
    const found = (path: string): Response | undefined => {
      const [, login] = /^users\/(\w+)$/.exec(path) ?? [];
      const [id] = [...forge.accounts].find(([, each]) => each.login === login) ?? [];
      if (!login || login === "search") return undefined;
      if (id === undefined) return new Response("", { status: 404 });
      return Response.json({ id, login, full_name: "", visibility: "public" });
    };
    forge.before = found;
    const access = ["--url", forge.url, ...tokenArguments(roster.folder, "secret-token")];
    await roster.call("ingest", "gitea", ...access, "--user", "quilla", "--user", "ben");
    await roster.call("forget", "quilla");
    expect(othersWith(roster, "quilla")).toEqual([]);
    expect((await roster.people()).map(({ login }) => login)).toEqual(["ben"]);
  }, 300_000);
});
