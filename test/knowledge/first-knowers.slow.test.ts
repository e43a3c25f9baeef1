/** Who knows each folder best, in the very figures of a question about that folder alone. */
import { afterAll, expect, test } from "bun:test";
import { readShippedModel } from "../../src/analysis/model.ts";
import { createKnowledgeBase, isRefusal, listFolders } from "../../src/knowledge/knowledge.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { invented } from "../pool/invented.ts";
import { inventAuthorship } from "./invent-authorship.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
const pool = openSqlitePool(":memory:", { now });
afterAll(() => pool.close());
const people = Array.from({ length: 30 }, (_, at) => `dev-${at}`);
const load = await pool.beginImport("test");
await load.put(people.map((login) => invented({ login })));
await load.commit();
const knowledge = createKnowledgeBase({
  ...{ authorship: pool.authorship, model: readShippedModel, now },
});

test("the three of each folder and file are the first of its own answer", async () => {
  const name = "example/first";
  const { repository } = inventAuthorship({ name, commits: 9000, files: 400, people });
  await pool.authorship.replace(repository);
  await pool.authorship.nameAuthors(repository.key, people);
  const asOfDay = repository.lastDay + 30;
  const without = ["dev-3"];
  const whole = await knowledge.ask({ repository: name, paths: [], asOfDay, without });
  const [known] = await knowledge.repositories();
  if (isRefusal(whole) || !known) throw new Error("it was stored");
  const folders = listFolders(whole.files, "");
  const deeper = folders.flatMap(({ path, isFolder }) =>
    isFolder
      ? listFolders(
          whole.files.filter((one) => one.path.startsWith(`${path}/`)),
          path,
        )
      : [],
  );
  const paths = [...folders, ...deeper].map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(20);
  const ask = () =>
    knowledge.firstKnowers({ repository: known, untilDay: whole.untilDay, without, paths });
  const firsts = await ask();
  for (const [at, path] of paths.entries()) {
    const own = await knowledge.ask({ repository: name, paths: [path], asOfDay, without });
    if (isRefusal(own)) throw new Error(own.message);
    const expected = own.people
      .filter(({ login }) => !without.includes(login))
      .slice(0, 3)
      .map(({ login, share }) => ({ login, share }));
    expect([path, firsts[at]?.map(({ login, share }) => ({ login, share }))]).toEqual([
      ...[path, expected],
    ] as never);
    const knowers = new Set(own.files.flatMap(({ knownBy }) => [...knownBy]));
    for (const { login, hasLeft } of firsts[at] ?? []) {
      // Who has left knows no file any more.
      const number = own.people.findIndex((one) => one.login === login);
      if (hasLeft) expect([path, login, knowers.has(number)]).toEqual([path, login, false]);
    }
  }
  expect(await ask()).toEqual(firsts);
  // Whoever is forgotten is no first of anything, although the answers were kept.
  const [gone = ""] = firsts[0]?.map(({ login }) => login) ?? [];
  const left = people.map((login) => (login === gone ? undefined : login));
  await pool.authorship.nameAuthors(repository.key, left);
  const after = (await ask()).flatMap((first) => first.map(({ login }) => login));
  expect(after).not.toContain(gone);
});
