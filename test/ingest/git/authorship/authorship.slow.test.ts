/** Who changed which file, from real repositories of git to the answer who knows it. */
import { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkPoolContent, poolFile } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { runCheck } from "../../../../src/sqlite/check-database.ts";
import { openDatabase } from "../../../../src/sqlite/database.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { type InventedCommit, openInventor } from "../invented-repository.ts";
import { openKnowledge } from "./opened-knowledge.ts";

const invent = openInventor();
const ada = "Ada Example <1+ada@users.noreply.github.com>";
const ben = "Ben Sample <2+ben@users.noreply.github.com>";
const cleo = "Cleo Specimen <3+cleo@users.noreply.github.com>";
const bot = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>";

const lines = (count: number, word = "line") =>
  Array.from({ length: count }, (_, at) => `const ${word}${at} = ${at};\n`).join("");
async function know(...histories: readonly (readonly InventedCommit[])[]) {
  const data = openKnowledge();
  await data.ingest(histories.map((commits) => invent(commits)));
  return data;
}

const start: InventedCommit = {
  author: ada,
  at: "2026-01-05",
  files: { "old/core/engine.ts": lines(30), "web/page.ts": lines(20, "page") },
};

test("knowledge goes with a folder that is renamed", async () => {
  const { logins, ask } = await know([
    start,
    {
      author: ben,
      at: "2026-02-01",
      rename: ["old", "lib"],
      files: { "web/page.ts": lines(21, "page") },
    },
  ]);
  expect(await logins({ path: "lib/core/engine.ts" })).toEqual(["ada"]);
  expect(await logins({ path: "lib" })).toEqual(["ada"]);
  expect((await logins({ path: "web" }))[0]).toBe("ada");
  expect(ask({ path: "old" })).rejects.toThrow('no file or folder "old"');
});

test("a folder that looks copied is answered for if people write in it, and else is left out by name", async () => {
  const files = {
    "vendor/zlib.c": lines(3),
    "vendor/LICENSE": "x",
    "go.sum": "x",
    "a.go": lines(3),
  };
  const { logins, ask } = await know([
    { author: ada, at: "2026-01-01", files },
    ...Array.from({ length: 20 }, (_, at) => ({
      ...{ author: ben, at: "2026-01-02", files: { "dist/core/pack.go": lines(at + 3) } },
    })),
  ]);
  expect(await logins({ path: "dist/core" })).toEqual(["ben"]);
  expect((await ask({ path: "vendor" })).leftOut).toEqual({ vendored: 2, generated: 0 });
  expect((await ask()).leftOut).toEqual({ vendored: 2, generated: 1 });
});

test("a repository is listed with the commits and files that its answer counts", async () => {
  const { knowledge, ask } = await know([
    {
      ...start,
      files: { ...start.files, "logo.png": "\0\x01\0", "empty.ts": "", "a/gone.ts": lines(3) },
    },
    { author: ben, at: "2026-02-01", rename: ["old", "lib"] },
    { author: ben, at: "2026-02-02", files: { "logo.png": "\0\x02\0" } },
    { author: ben, at: "2026-02-03", files: { "a/gone.ts": null } },
  ]);
  const [listed] = await knowledge.repositories();
  const { commits, files } = await ask();
  expect([listed?.commits, listed?.files]).toEqual([2, 2]);
  expect([commits, files.length]).toEqual([2, 2]);
});

test("a path that nothing has is refused with what is near, unless that could mislead a model", async () => {
  const files = { "core/engine.ts": lines(3), 'odd/say "yes" <b>.ts': lines(3) };
  const { ask } = await know([{ ...start, files }]);
  expect(ask({ path: "cor/engin.ts" })).rejects.toThrow('; did you mean "core/engine.ts"?');
  expect(ask({ path: "core/other/place.ts" })).rejects.toThrow('; the nearest folder is "core"');
  expect(ask({ path: "odd/say 'yes' <b>.ts" })).rejects.toThrow(/<b>\.ts"$/);
});

test("merges, reverts and whitespace are nobody's knowledge", async () => {
  const engine = lines(30);
  const { logins } = await know([
    { ...start, files: { "engine.ts": engine } },
    { author: cleo, at: "2026-02-01", files: { "other.ts": lines(3) } },
    { author: cleo, at: "2026-02-02", parents: [1, 0], files: {}, message: "Merge branch 'x'" },
    {
      author: ben,
      at: "2026-02-03",
      files: { "engine.ts": engine.replaceAll(" = ", "  =  ") },
      message: "Format",
    },
    { author: ada, at: "2026-02-04", files: { "engine.ts": lines(32) } },
    {
      author: cleo,
      at: "2026-02-05",
      files: { "engine.ts": engine.replaceAll(" = ", "  =  ") },
      message:
        'Revert "Change number 4"\n\nThis reverts commit 1234567890123456789012345678901234567890.',
    },
  ]);
  expect(await logins({ path: "engine.ts" })).toEqual(["ada"]);
});

test("bots are nobody, co-authors and reviewers are somebody", async () => {
  const { ask } = await know([
    start,
    { author: bot, at: "2026-02-01", files: { "web/page.ts": lines(40, "page") } },
    {
      author: ada,
      at: "2026-03-01",
      files: { "web/page.ts": lines(60, "page") },
      message: `Extend it\n\nReviewed-by: ${cleo}\nCo-authored-by: ${ben}`,
    },
    // Who only reviewed is in the pool by a commit of theirs elsewhere.
    { author: cleo, at: "2026-03-02", files: { "docs/guide.ts": lines(2) } },
    { author: ben, at: "2026-03-03", files: { "docs/guide.ts": lines(4) } },
  ]);
  const { people, commits } = await ask({ path: "web" });
  const told = people.map(({ login, commits, reviews }) => [login, commits, reviews]);
  expect(told).toEqual([
    ["ada", 2, 0],
    ["ben", 1, 0],
    ["cleo", 0, 1],
  ]);
  // The bot's is counted as one of nobody.
  expect(commits).toBe(3);
});

test("a day in the past has the same answer as the history up to that day", async () => {
  const history: InventedCommit[] = [
    start,
    { author: ben, at: "2026-02-01", files: { "web/page.ts": lines(50, "page") } },
    { author: cleo, at: "2026-04-01", files: { "old/core/engine.ts": lines(10, "other") } },
    { author: ada, at: "2026-05-01", files: { "web/page.ts": lines(5, "fresh") } },
    { author: ben, at: "2026-06-01", files: { "web/extra.ts": lines(5) } },
  ];
  const whole = await know(history);
  for (let end = 1; end < history.length; end++) {
    const asOf = String(history[end - 1]?.at);
    const before = await know(history.slice(0, end));
    for (const path of ["web", "old", "web/page.ts"]) {
      const [now, then] = [await whole.ask({ path, asOf }), await before.ask({ path, asOf })];
      const told = ({ people, commits, lines }: typeof now) => ({ people, commits, lines });
      expect(told(now)).toEqual(told(then));
    }
  }
});

test("two folders of one name are two repositories, which a question must tell apart", async () => {
  const { ask, pool } = await know(
    [start],
    [{ author: ben, at: "2026-03-01", files: { "other/thing.ts": lines(9) } }],
  );
  expect((await pool.authorship.repositories()).map(({ name }) => name)).toEqual(["tool", "tool"]);
  expect(ask({ repository: "tool" })).rejects.toThrow('several repositories have the name "tool"');
  expect((await ask({ path: "other" })).people.map(({ login }) => login)).toEqual(["ben"]);
});

test("damage is found, is told without an answer, and is mended by reading again", async () => {
  const path = join(makeFolder("damaged"), "pool.db");
  const data = openKnowledge(path);
  const repository = invent([start]);
  await data.ingest([repository]);
  const before = await data.ask();
  const other = new Sqlite(path);
  other.run("UPDATE repository_block SET content = CAST(substr(content, 1, 20) || x'00' AS BLOB)");
  other.close();
  expect(data.ask()).rejects.toThrow("is damaged; their repository must be read again");
  const store = openDatabase(path, poolFile);
  expect(runCheck(checkPoolContent(store))).toEqual([
    "1 repositories have damaged records of who changed which file: `roster ingest git --anew` stores them again",
  ]);
  await data.ingest([repository], true);
  expect(runCheck(checkPoolContent(store))).toEqual([]);
  store.close();
  expect(await data.ask()).toMatchObject({ people: before.people, files: [{}, {}] });
});
