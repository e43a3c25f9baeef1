/** Who knows each folder best, in the very figures of a question about that folder alone. */
import { afterAll, expect, test } from "bun:test";
import { isRefusal, listFolders } from "../../src/knowledge/knowledge.ts";
import { inventAuthorship } from "./invent-authorship.ts";
import { openInventedKnowledge } from "./invented-knowledge.ts";

const { pool, people, knowledge, store } = await openInventedKnowledge(30);
afterAll(() => pool.close());

test("the three of each folder and file are the first of its own answer", async () => {
  const name = "example/first";
  const { repository } = inventAuthorship({ name, commits: 9000, files: 400, people });
  const { known } = await store(repository);
  const asOfDay = repository.lastDay + 30;
  const without = ["dev-3"];
  const whole = await knowledge.ask({ repository: name, paths: [], asOfDay, without });
  if (isRefusal(whole)) throw new Error(whole.message);
  const folders = listFolders(whole.files, "");
  const below = (path: string) => whole.files.filter((one) => one.path.startsWith(`${path}/`));
  const deeper = folders.flatMap(({ path, isFolder }) =>
    isFolder ? listFolders(below(path), path) : [],
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
