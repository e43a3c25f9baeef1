/** Runs of the real program beside one that asks a silent forge, and beside each other; and walks that are killed. */
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { type InventedForge, inventForge } from "../ingest/forges/invented-forge.ts";
import { giteaArguments, openProgram, serveProxy } from "../ingest/forges/program.ts";
import { ada, ben, inventRepository } from "../ingest/git/invented-repository.ts";

let roster: ReturnType<typeof openProgram>;
const children: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  roster[Symbol.dispose]();
});

function start(args: readonly string[]) {
  const child = roster.spawn(args);
  children.push(child);
  return child;
}

/** Shorter than the half minute after which Roster gives up an answer. */
const silenceMs = 20_000;

/** Delays each answer from the nth request on, until it is released. */
function silence(forge: InventedForge, from: number) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proxy = serveProxy(forge.url, async (number) => {
    if (number < from) return;
    asked.resolve();
    await Promise.race([released.promise, Bun.sleep(silenceMs)]);
  });
  return { ...proxy, until: asked.promise, release: released.resolve };
}

function inventPeople(count: number): InventedForge {
  const forge = inventForge();
  for (let id = 1; id <= count; id++) {
    forge.accounts.set(id, { login: `dev${id}`, name: `Dev ${id}`, location: "Berlin" });
  }
  return forge;
}

test("whatever imports goes on while a forge is silent, and the walk's people come when it ends", async () => {
  roster = openProgram();
  await using forge = inventPeople(60);
  await using proxy = silence(forge, 2);
  const at = (name: string) => join(roster.folder, name);
  inventRepository(at("one"), [{ author: ada }, { author: ben }]);
  await roster.ingestGit(at("one"));
  const walk = start([...giteaArguments(roster.folder, proxy.url, "secret"), "--id", "corp"]);
  await proxy.until;
  inventRepository(at("two"), [{ author: "Hana Sample <hana@example.com>" }]);
  writeFileSync(
    at("people.jsonl"),
    `${JSON.stringify({ login: "ivan", source: "hr", profile: {}, emails: [], repositories: [], evidence: [] })}\n`,
  );
  writeFileSync(at("staff.csv"), "email,location\nada@example.com,Bremen\n");
  for (const command of [
    ["ingest", "git", at("two")],
    ["import", at("people.jsonl")],
    ["ingest", "people", at("staff.csv")],
    ["identity", "merge", "ada@example.com", "ben@example.org"],
    ["rescore"],
    ["forget", "hana@example.com"],
    ["ingest", "forget", at("two")],
  ]) {
    await roster.call(...command);
  }
  // The people whom the forge has named so far are shown.
  const before = (await roster.people()).map(({ login }) => login);
  expect(before).toEqual(expect.arrayContaining(["dev1", "ivan"]));
  expect(before).not.toContain("dev60");
  // A source that is being read cannot be read or forgotten by another run.
  for (const command of [
    [...giteaArguments(roster.folder, proxy.url, "secret"), "--id", "corp"],
    ["sources", "forget", "corp"],
  ]) {
    const { code, err } = await roster.attempt(command);
    expect([code, err]).toEqual([
      5,
      expect.stringContaining(
        `Another run is reading the source corp (process ${walk.pid}, since `,
      ),
    ]);
  }
  proxy.release();
  expect(await readOutput(walk)).toMatchObject({ code: 0 });
  const people = (await roster.people()).map(({ login }) => login);
  expect(people).toEqual(expect.arrayContaining(["dev1", "dev60", "ivan"]));
  expect(people).toHaveLength(62);
}, 300_000);

test("a source that fails ends no other", async () => {
  roster = openProgram();
  await using forge = inventPeople(5);
  await using bad = inventForge();
  bad.before = () => new Response("", { status: 401 });
  await roster.call("account", "create", "ada@example.com", "--plan", "free");
  const blocks = Object.entries({ none: bad.url, corp: forge.url }).map(
    ([id, url]) => `[[sources]]\nid = "${id}"\nkind = "gitea"\nurl = "${url}"\nselect = ["all"]\n`,
  );
  writeFileSync(join(roster.data, "roster.toml"), blocks.join("\n"));
  const { code, out, err } = await roster.attempt(["sources", "refresh"]);
  expect(out).toContain("corp: 5 people");
  expect([code, err]).toEqual([5, expect.stringContaining("The token of source none was refused")]);
}, 300_000);

test("a walk that is killed, wherever it is, goes on, and the pool is that of a walk that was not", async () => {
  roster = openProgram();
  await using forge = inventPeople(5);
  const args = (url: string) => [
    ...giteaArguments(roster.folder, url, "secret"),
    ...["--id", "corp", "--as-of", "2026-11-21"],
  ];
  await roster.call(...args(forge.url));
  const whole = await roster.exportAll();
  const requests = forge.asked.length;
  roster[Symbol.dispose]();
  for (let request = 1; request <= requests; request++) {
    roster = openProgram();
    await using proxy = silence(forge, request);
    const walk = start(args(proxy.url));
    await proxy.until;
    walk.kill("SIGKILL");
    await walk.exited;
    proxy.release();
    await roster.call(...args(forge.url));
    expect(await roster.exportAll()).toBe(whole);
    roster[Symbol.dispose]();
  }
  roster = openProgram();
}, 300_000);
