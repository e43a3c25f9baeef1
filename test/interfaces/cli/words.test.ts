/** What a person at a terminal meets beside the way: refusals, words, and what is left out. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine, writePeople } from "./command-line.ts";

const line = openCommandLine();
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
await run("import", writePeople(line));
afterAll(() => line.close());

test("help NAME is NAME --help, and help alone is --help", async () => {
  expect(await line.run("help", "search")).toEqual(await line.run("search", "--help"));
  expect(await line.run("help")).toEqual(await line.run("--help"));
});

test("flags before the command are told where they belong", async () => {
  const { code, err } = await line.run("--data", line.folder, "ingest", "git", "mirrors");
  expect(code).toBe(2);
  expect(err).toContain("Put flags after the command");
});

test("login and username are both taken, and refused when they differ", async () => {
  const get = await json("get", "--username", "ada-example");
  expect(get).toMatchObject({ success: true, data: { username: "ada-example" } });
  expect(await json("analyze", "--login", "ada-example")).toMatchObject({ success: true });
  const both = await run("get", "ada-example", "--username", "bea-example");
  expect([both.code, both.out]).toEqual([2, ""]);
});

test("a place given twice is refused instead of one being dropped", async () => {
  const { code, err } = await run("search", "Berlin", "--location", "Munich");
  expect(code).toBe(2);
  expect(err).toContain('location is given twice: "Berlin" and "Munich"');
});

test("a text that is no number is refused in the envelope, with the quota", async () => {
  const answer = await json("search", "Berlin", "--max-results", "many");
  expect(answer).toMatchObject({
    success: false,
    error: { message: 'maxResults must be a whole number from 1 to 100, got "many"' },
    meta: { quota: { limit: -1 } },
  });
});

test("an account is shown without what is not known, and no limit in a word", async () => {
  await run("account", "create", "new@example.com", "--plan", "enterprise");
  const { out } = await run("account", "show", "new@example.com");
  expect(out).not.toContain("undefined");
  expect(out).toMatch(/callsPerMonth +unlimited/);
  const shown = await json("account", "show", "new@example.com");
  expect(shown).toMatchObject({ callsPerMonth: -1, callsPerDay: 2000 });
});

test("an export of answers has the profile or the analysis of everybody behind a login", async () => {
  const file = join(line.folder, "..", "answers.jsonl.gz");
  const readLogins = async (...flags: string[]) => {
    expect((await run("export", file, ...flags)).code).toBe(0);
    const text = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(file).bytes()));
    const answers = text
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each));
    return answers.map(({ username, profile }) => username ?? profile.login);
  };
  const logins = await readLogins("--kind", "profile");
  expect(logins.length).toBeGreaterThan(5);
  expect(await readLogins("--kind", "analysis")).toEqual(logins);
  expect(await readLogins("--kind=profile", "--after", logins[1])).toEqual(logins.slice(2));
  expect((await run("export", file, "--after", "ada")).code).toBe(2);
  expect((await run("export", file, "--kind", "facts")).code).toBe(2);
});

test("commands that need no data folder take --data all the same", async () => {
  expect((await run("places", "explain", "Berlin")).code).toBe(0);
  expect((await run("key", "new")).code).toBe(0);
});

// Root may look into everything.
test.skipIf(process.getuid?.() === 0)(
  "a folder that may not be looked into is not called empty",
  async () => {
    const closed = join(line.folder, "..", "closed");
    mkdirSync(closed, { mode: 0o000 });
    const { code, err } = await line.run("search", "Berlin", "--data", closed);
    chmodSync(closed, 0o700);
    expect(code).toBe(5);
    expect(err).toContain("permission denied");
  },
);

test("a look-up is a table, or says that there is nothing", async () => {
  const found = await run("lookup", "Ber", "--kind", "place");
  expect(found.out).toMatch(/^kind +name +people\n/);
  expect(found.out).toMatch(/\nplace +Berlin, Germany +2\n/);
  const none = await run("lookup", "zzyzxqua");
  expect([none.code, none.out]).toEqual([0, ""]);
  expect(none.err).toContain("No place, skill, role or repository has this name or a similar one.");
});
