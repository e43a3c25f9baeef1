/** What other runs may do while a forge is asked, and what a walk does that finds another import when it is ready to write. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../src/contract/fault.ts";
import { listSources } from "../../../src/ingest/forges/sources.ts";
import { putMissing } from "../../../src/ingest/forges/walk-pages.ts";
import { openWalk } from "../../../src/ingest/forges/walks.ts";
import { mirrorRepositories } from "../../../src/ingest/mirrors/mirror-repositories.ts";
import { lockFile } from "../../../src/sqlite/folder/noted-lock.ts";
import { temporaryFolder } from "../git/invented-repository.ts";
import { judgeAsOf } from "../git/opened-data.ts";
import { asOf } from "../git/read.ts";
import { openForgeData } from "./ingesting.ts";
import { inventForge } from "./invented-forge.ts";
import { serveProxy } from "./program.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A forge with one person, which answers nothing until it is released. */
function inventSilent(id: number, login: string) {
  const forge = inventForge();
  forge.accounts.set(id, { login, name: `${login} Forge`, location: "Berlin" });
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const proxy = serveProxy(forge.url, () => {
    asked.resolve();
    return released.promise;
  });
  return {
    url: proxy.url,
    asked: asked.promise,
    release: released.resolve,
    async [Symbol.asyncDispose]() {
      released.resolve();
      await proxy[Symbol.asyncDispose]();
      await forge[Symbol.asyncDispose]();
    },
  };
}

function inventAda() {
  const forge = inventForge();
  forge.accounts.set(1, { login: "ada" });
  return forge;
}

const listLogins = async ({ pool }: ReturnType<typeof openForgeData>) =>
  [...(await pool.logins())].sort();

test("a source is read by one run at a time, two sources by two", async () => {
  const data = openForgeData(join(folder.path, "forges.db"));
  await using one = inventSilent(1, "ada");
  await using other = inventSilent(2, "cara");
  const walks = [data.ingestFrom(one.url), data.ingestFrom(other.url, { id: "labs" })];
  await Promise.all([one.asked, other.asked]);
  await expect(data.ingestFrom(one.url)).rejects.toThrow("Another run is reading the source corp");
  one.release();
  other.release();
  await Promise.all(walks);
  expect(await listLogins(data)).toEqual(["ada", "cara"]);
  // Whoever has ended is in nobody's way.
  expect(await data.ingestFrom(one.url)).toMatchObject({ isComplete: true });
});

test("an import that runs when everything is read is waited for, and told of", async () => {
  const data = openForgeData();
  await using forge = inventSilent(1, "ada");
  forge.release();
  const busy = await data.pool.lockImports("git");
  const told = Promise.withResolvers<void>();
  const walk = data.ingestFrom(forge.url, {
    onProgress: ({ what }) => {
      if (what.startsWith("waiting: Another import is running")) told.resolve();
    },
  });
  await told.promise;
  expect(await listLogins(data)).toEqual([]);
  await busy.release();
  await walk;
  expect(await listLogins(data)).toEqual(["ada"]);
});

test("one that waits in vain loses nothing: the next run asks for no list again, and shows everything", async () => {
  const data = openForgeData();
  await using forge = inventAda();
  const busy = await data.pool.lockImports("git");
  await expect(data.ingestFrom(forge.url, { lockWaitMs: 0 })).rejects.toThrow(
    "What was read of source corp is stored, and the next run continues from there",
  );
  expect(await listLogins(data)).toEqual([]);
  expect(listSources(data.forges)[0]).toMatchObject({
    people: 1,
    completedAt: undefined,
    lastRun: { fault: expect.stringContaining("Another import is running") },
  });
  await busy.release();
  const asked = forge.asked.length;
  expect(await data.ingestFrom(forge.url)).toMatchObject({ isComplete: true });
  expect(await listLogins(data)).toEqual(["ada"]);
  const lists = forge.asked.slice(asked).filter(({ url }) => /\/(users|repos)\/search/.test(url));
  expect(lists).toEqual([]);
});

test("a stop ends the wait, and the walk goes on from there as well", async () => {
  const data = openForgeData();
  await using forge = inventAda();
  const busy = await data.pool.lockImports("git");
  const stop = new AbortController();
  const walk = data.ingestFrom(forge.url, {
    signal: stop.signal,
    onProgress: ({ what }) => {
      if (what.startsWith("waiting:")) stop.abort(new Error("stopped"));
    },
  });
  await expect(walk).rejects.toThrow("stopped");
  await busy.release();
  await data.ingestFrom(forge.url);
  expect(await listLogins(data)).toEqual(["ada"]);
});

test("a walk whose people the pool refuses is over: the next one asks anew", async () => {
  const data = openForgeData();
  await using forge = inventAda();
  const judge = () => {
    throw new Fault("removals", "It would remove too many.");
  };
  await expect(data.ingestFrom(forge.url, { judge })).rejects.toThrow("too many");
  // Somebody mends the forge: what it says now must count.
  forge.accounts.set(2, { login: "cara" });
  await data.ingestFrom(forge.url);
  expect(await listLogins(data)).toEqual(["ada", "cara"]);
});

test("what a walk stores while others count is counted by the next run", async () => {
  const data = openForgeData();
  await using forge = inventAda();
  await using other = inventForge();
  other.accounts.set(2, { login: "cara" });
  await data.ingestFrom(other.url, { id: "labs" });
  const judge = judgeAsOf(asOf);
  let isStored = false;
  await data.ingestFrom(forge.url, {
    judge: (facts) => {
      // As a page of a walk that another process makes.
      if (!isStored) {
        const answers = new Map([["2", renamed]]);
        putMissing(openWalk(data.forges, "labs", []), answers, () => false);
      }
      isStored = true;
      return judge(facts);
    },
  });
  expect(isStored).toBe(true);
  expect((await data.facts("cara"))?.supplements?.[0]?.profile?.location).toBeUndefined();
  await data.ingestGit([]);
  expect(JSON.stringify(await data.facts("cara"))).toContain("Bremen");
});

const renamed = {
  ...{ number: "2", login: "cara", isBot: false, addresses: [] },
  profile: { location: "Bremen" },
};

test("mirrors of one forge are updated by one run at a time", async () => {
  const home = join(folder.path, "mirrors", "git.corp.example");
  mkdirSync(home, { recursive: true });
  const release = lockFile(join(home, ".mirroring"), 0);
  const told = Promise.withResolvers<string>();
  const mirror = (signal?: AbortSignal) =>
    mirrorRepositories({
      ...{ folder: join(folder.path, "mirrors"), forge: "git.corp.example", signal },
      ...{ url: "http://127.0.0.1:9", repositories: [], people: new Set() },
      onProgress: told.resolve,
    });
  const stop = new AbortController();
  const stopped = mirror(stop.signal);
  expect(await told.promise).toContain("waiting: another run updates the mirrors");
  stop.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  const second = mirror();
  release?.();
  expect(await second).toEqual({ paths: [], warnings: [] });
  expect(existsSync(home)).toBe(true);
});
