import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { deriveLogin } from "../../../src/identity/derived-login.ts";
import { type GitIngest, ingestGit, openLedger } from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { readRankedRows } from "../../pool/ranked-rows.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { ada, ben, inventRepository } from "./invented-repository.ts";
import { judgeAsOf } from "./opened-data.ts";

const folder = makeFolder("git");
const asOf = "2026-11-21";
const vocabulary = createVocabulary();
const judge = judgeAsOf(asOf);
const path = inventRepository(join(folder, "tool.git"), [
  { author: ada, files: { "a.ts": 'import React from "react";\n' } },
  { author: ben },
  { author: "helper[bot] <1+helper[bot]@users.noreply.github.com>" },
]);

const demo: Facts = {
  ...{ login: "demo-person", source: "demo", profile: {} },
  ...{ emails: [], repositories: [], evidence: [] },
};
const now = () => new Date("2026-11-21T12:00:00Z");

const login = deriveLogin({ name: "Ada Example", email: "ada@example.com" });

async function openDemoPool() {
  const pool = openSqlitePool(":memory:", { now });
  const load = await pool.beginImport("demo");
  await load.put([judge(demo)]);
  await load.commit();
  return pool;
}

const request = (pool: GitIngest["pool"], more: Partial<GitIngest> = {}): GitIngest => ({
  ...{ paths: [path], pool, judge, modelVersion: "1", vocabulary, asOf },
  ledger: openLedger(":memory:", { version: "test", now }),
  ...more,
});

test("everybody comes in at one moment, demo people leave, and a second run changes nothing", async () => {
  const pool = await openDemoPool();
  const report = await ingestGit(request(pool));
  expect(report.developers).toEqual({ human: 2, bot: 1, assistant: 0, nobody: 0 });
  expect(report.imported).toMatchObject({ added: 3, removed: 1 });
  expect((await pool.findFacts(["demo-person"]))[0]).toBeUndefined();
  expect(await pool.size()).toBe(3);
  const logins = (await Array.fromAsync(pool.facts())).flat().map(({ login }) => login);
  expect(logins).toContain("helper-bot");
  expect((await readRankedRows(pool)).map(({ standing }) => standing.login)).not.toContain(
    "helper-bot",
  );
  const before = (await Array.fromAsync(pool.facts())).flat();
  const again = await ingestGit(request(pool));
  expect(again.imported).toMatchObject({ added: 0, replaced: 0, unchanged: 3, removed: 0 });
  expect((await Array.fromAsync(pool.facts())).flat()).toEqual(before);
  await pool.close();
});

test("what a file told of somebody stays when git is read, also of repositories that git does not know", async () => {
  const pool = await openDemoPool();
  const elsewhere = { name: "ada/elsewhere", owned: true, stars: 5000, topics: ["redis"] };
  const readme = (name: string, repository: string) => ({
    ...{ kind: "readme" as const, name, commits: 3, months: { "2026-01": 3 } },
    repositories: [repository],
  });
  const load = await pool.beginImport("import");
  await load.put([
    judge({
      ...{ ...demo, login: login.toUpperCase(), source: "github.com" },
      profile: { name: "Ada E. Example", location: "Berlin" },
      emails: [{ address: "ada@example.com", sources: ["profile"], published: true }],
      repositories: [
        { name: "tool", owned: true, stars: 7, commits: 900 },
        { ...elsewhere, commits: 12 },
        { name: "old", owned: false, commits: 3 },
      ],
      evidence: [readme("redis", "ada/elsewhere"), readme("kafka", "tool")],
    }),
  ]);
  await load.commit();
  for (const changed of [1, 0]) {
    expect((await ingestGit(request(pool))).imported).toMatchObject({ replaced: changed });
    const [facts] = await pool.findFacts([login]);
    expect(facts?.profile).toEqual({ name: "Ada E. Example", location: "Berlin" });
    expect(facts?.emails).toEqual([
      { address: "ada@example.com", sources: ["commits", "profile"], published: true },
    ]);
    expect(facts?.commits?.total).toBe(1);
    expect(facts?.repositories).toMatchObject([{ name: "tool", stars: 7, commits: 1 }, elsewhere]);
    expect(facts?.repositories[1]).toEqual(elsewhere);
    const readmes = facts?.evidence.filter(({ kind }) => kind === "readme");
    expect(readmes).toEqual([readme("redis", "ada/elsewhere")]);
    expect(facts?.evidence.some(({ name }) => name === "npm:react")).toBe(true);
  }
  await pool.close();
});

test("who was read before ingest.db was deleted leaves, too, when git tells of them no more", async () => {
  const pool = await openDemoPool();
  const other = inventRepository(join(folder, "other.git"), [
    { author: "Cleo Third <cleo@example.net>" },
  ]);
  await ingestGit(request(pool, { paths: [path, other] }));
  const anew = request(pool, { paths: [other] });
  expect((await ingestGit(anew)).imported).toMatchObject({ unchanged: 1, removed: 0 });
  const rest = await ingestGit({ ...anew, paths: [path] });
  expect(rest.imported).toMatchObject({ unchanged: 4, removed: 0 });
  const decided = { kind: "same", by: "operator", evidence: [] } as const;
  await pool.decisions.add({ ...decided, a: "ada@example.com", b: "ben@example.org" });
  expect((await ingestGit({ ...anew, paths: [] })).imported).toMatchObject({ removed: 1 });
  expect(await pool.size()).toBe(3);
  await pool.close();
});

test("when nothing can be read the pool stays as it was, demo people and all", async () => {
  const pool = await openDemoPool();
  const revision = await pool.revision();
  const report = await ingestGit(request(pool, { paths: [join(folder, "missing")] }));
  expect(report.refused).toHaveLength(1);
  expect(report.imported).toBeUndefined();
  expect(await pool.revision()).toBe(revision);
  await pool.close();
});

test("a history of an older form is read again, once and with a word; before that it counts as it is", async () => {
  const file = join(folder, "ingest.db");
  const open = () => openLedger(file, { version: "test", now });
  const pool = openSqlitePool(":memory:", { now });
  const first = open();
  expect((await ingestGit(request(pool, { ledger: first }))).ofOlderForm).toBe(0);
  const facts = await Array.fromAsync(pool.facts());
  first.close();
  const stored = new Database(file);
  stored.run("UPDATE place SET edition = 'test/5'");
  const { sense } =
    stored.query<{ sense: Uint8Array }, []>("SELECT sense FROM history").get() ?? {};
  const { windows: _, ...older } = JSON.parse(
    Bun.zstdDecompressSync(sense ?? Buffer.alloc(0)).toString(),
  );
  stored.run("UPDATE history SET sense = ?", [Bun.zstdCompressSync(JSON.stringify(older))]);
  stored.close();
  const second = open();
  await ingestGit(request(pool, { ledger: second, paths: [], wantsAuthors: true }));
  expect(await Array.fromAsync(pool.facts())).toEqual(facts);
  const again = await ingestGit(request(pool, { ledger: second }));
  expect([again.ofOlderForm, again.summaries[0]?.status]).toEqual([1, "reread"]);
  expect((await ingestGit(request(pool, { ledger: second }))).ofOlderForm).toBe(0);
  second.close();
});

test("messages that tools write are neither good nor bad", async () => {
  const one = inventRepository(join(folder, "tools.git"), [
    { author: ada, message: "Handle tabs, because they were read as one column" },
    { author: ada, message: "Translated using Weblate (German)" },
    { author: ada, message: "feat: Update README.md\n\nIt was wrong since the move." },
    { author: ada, message: "Update README.md" },
  ]);
  const pool = openSqlitePool(":memory:", { now });
  await ingestGit(request(pool, { paths: [one] }));
  const [facts] = (await Array.fromAsync(pool.facts())).flat();
  expect(facts?.commits).toMatchObject({
    total: 4,
    quality: { n: 2, good: 2 },
    semantic: { eligible: 4, matches: 1 },
  });
  await pool.close();
});
