/** What is told of the authors of a change, of real repositories that `ingest git` read. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openKnowledge, toDay } from "../ingest/git/authorship/opened-knowledge.ts";
import { ada, ben, git, inventRepository } from "../ingest/git/invented-repository.ts";
import { inventedRepository } from "../invented-authorship.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder("authors");
const opened: ReturnType<typeof openKnowledge>[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

const cara = "Cara Third <cara@example.net>";
const lines = (count: number, of: string) => `${of}\n`.repeat(count);
const history: Parameters<typeof inventRepository>[1] = [
  { author: ada, at: "2025-01-01", files: { "core/a.ts": lines(90, "a"), "top.ts": "t\n" } },
  {
    ...{ author: ada, at: "2025-02-01", files: { "core/b.ts": lines(40, "b") } },
    message: "Add b\n\nCo-authored-by: Claude <noreply@anthropic.com>",
  },
  {
    ...{ author: ben, at: "2025-03-01" },
    files: { "web/c.ts": lines(30, "c"), "core/a.ts": lines(91, "a") },
  },
  { author: cara, at: "2025-04-01", files: { "vendor/lib/x.js": lines(9, "x") } },
  {
    ...{ author: ben, at: "2026-11-01", files: { "web/d.ts": lines(30, "d") } },
    message: `Add d\n\nReviewed-by: ${ada}`,
  },
];

/** @param args of `git clone`. */
function openClone(name: string, ...args: string[]) {
  const source = inventRepository(join(folder, `${name}.git`), history);
  const clone = join(folder, name);
  git(folder, "clone", "--quiet", "--bare", ...args, `file://${source}`, clone);
  const data = openKnowledge();
  opened.push(data);
  const measure = async (...logins: string[]) => {
    const [repository] = await data.pool.authorship.repositories();
    const asOfDay = toDay("2026-11-21");
    const until = { asOfDay, untilDay: repository?.lastDay ?? 0 };
    return data.knowledge.measureAuthors({ repository: repository?.id ?? 0, logins, ...until });
  };
  return { clone, data, measure };
}

test("commits, reviews and marks of assistants are counted, and the best known folders named", async () => {
  const { clone, data, measure } = openClone("whole");
  await data.ingest([clone]);
  const [first, second] = await data.logins();
  const logins = [first, second].map((login) => login ?? "");
  const measured = await measure(...logins);
  expect([measured?.isWhole, measured?.firstDay]).toEqual([true, toDay("2025-01-01")]);
  const told = new Map(logins.map((login, at) => [login.split("-")[0], measured?.authors[at]]));
  const [byAda, byBen] = [told.get("ada"), told.get("ben")];
  expect(byAda).toMatchObject({
    isNamed: true,
    work: { commits: 2, assisted: 1, reviews: 1, first: toDay("2025-01-01") },
  });
  expect(byBen?.work).toMatchObject({ commits: 2, assisted: 0, reviews: 0 });
  expect(byAda?.folders.map(({ path }) => path)).toEqual(
    ["core", "", "web"].slice(0, byAda?.folders.length),
  );
  expect(byBen?.folders[0]).toEqual({ path: "web", share: expect.any(Number) });
  for (const { share } of byAda?.folders ?? []) expect(share).toBeGreaterThanOrEqual(0.1);
});

test("who changed only what others wrote is named and has no work, and a stranger is not named", async () => {
  const { clone, data, measure } = openClone("named");
  await data.ingest([clone]);
  const logins = (await data.pool.authorship.logins(1)) ?? [];
  const login = logins.find((one) => one?.startsWith("cara")) ?? "";
  expect((await measure(login, "never-here"))?.authors).toEqual([
    { isNamed: true, work: undefined, folders: [] },
    { isNamed: false, work: undefined, folders: [] },
  ]);
});

test("a shallow clone says that older work is missing, until it is there", async () => {
  const { clone, data, measure } = openClone("shallow", "--depth=2");
  await data.ingest([clone]);
  expect(await measure("nobody")).toMatchObject({ isWhole: false });
  git(clone, "fetch", "--quiet", "--unshallow");
  await data.ingest([clone]);
  expect(await measure("nobody")).toMatchObject({ isWhole: true, firstDay: toDay("2025-01-01") });
});

test("a repository that is gone has no answer", async () => {
  const { measure } = openClone("gone");
  expect(await measure("nobody")).toBeUndefined();
});

test("what an earlier version stored is stored anew by the next run, though nothing is new", async () => {
  const { clone, data } = openClone("earlier");
  await data.ingest([clone]);
  const { authorship } = data.pool;
  const before = await authorship.fingerprints();
  const [key = ""] = before.keys();
  await authorship.replace({ ...inventedRepository, key, fingerprint: "5.earlier" });
  await data.ingest([clone]);
  expect(await authorship.fingerprints()).toEqual(before);
});
