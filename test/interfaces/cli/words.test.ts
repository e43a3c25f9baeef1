/** What a person at a terminal meets beside the way: refusals, words, and what is left out. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inventedPeople } from "../../invented-people.ts";
import { openCommandLine } from "./command-line.ts";

const line = openCommandLine();
const data = ["--data", line.folder];
const file = join(line.folder, "..", "people.jsonl");
writeFileSync(file, inventedPeople.map((facts) => `${JSON.stringify(facts)}\n`).join(""));
await line.run("import", file, ...data);
afterAll(() => line.close());

test("help NAME is NAME --help, and help alone is --help", async () => {
  expect(await line.run("help", "search")).toEqual(await line.run("search", "--help"));
  expect(await line.run("help")).toEqual(await line.run("--help"));
});

test("flags before the command are told where they belong", async () => {
  const { code, err } = await line.run(...data, "ingest", "git", "mirrors");
  expect(code).toBe(2);
  expect(err).toContain("Put flags after the command");
});

test("login and username are both taken, and refused when they differ", async () => {
  const get = await line.json("get", "--username", "ada-example", ...data);
  expect(get).toMatchObject({ success: true, data: { username: "ada-example" } });
  expect(await line.json("analyze", "--login", "ada-example", ...data)).toMatchObject({
    success: true,
  });
  const both = await line.run("get", "ada-example", "--username", "bea-example", ...data);
  expect([both.code, both.out]).toEqual([2, ""]);
});

test("a place given twice is refused instead of one being dropped", async () => {
  const { code, err } = await line.run("search", "Berlin", "--location", "Munich", ...data);
  expect(code).toBe(2);
  expect(err).toContain('location is given twice: "Berlin" and "Munich"');
});

test("a text that is no number is refused in the envelope, with the quota", async () => {
  const answer = await line.json("search", "Berlin", "--max-results", "many", ...data);
  expect(answer).toMatchObject({
    success: false,
    error: { message: 'maxResults must be a whole number from 1 to 100, got "many"' },
    meta: { quota: { limit: -1 } },
  });
});

test("an account is shown without what is not known, and no limit in a word", async () => {
  await line.run("account", "create", "new@example.com", "--plan", "enterprise", ...data);
  const { out } = await line.run("account", "show", "new@example.com", ...data);
  expect(out).not.toContain("undefined");
  expect(out).toMatch(/callsPerMonth +unlimited/);
  const shown = await line.json("account", "show", "new@example.com", ...data);
  expect(shown).toMatchObject({ callsPerMonth: -1, callsPerDay: 2000 });
});

test("commands that need no data folder take --data all the same", async () => {
  expect((await line.run("places", "explain", "Berlin", ...data)).code).toBe(0);
  expect((await line.run("key", "new", ...data)).code).toBe(0);
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
  const found = await line.run("lookup", "Ber", "--kind", "place", ...data);
  expect(found.out).toMatch(/^kind +name +people\n/);
  expect(found.out).toMatch(/\nplace +Berlin, Germany +2\n/);
  const none = await line.run("lookup", "zzyzxqua", ...data);
  expect([none.code, none.out]).toEqual([0, ""]);
  expect(none.err).toContain("No place, skill, role or repository is called so or nearly so.");
});
