/** The page of decisions: a page at a time, and found by words. */
import { afterAll, expect, test } from "bun:test";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance();
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

const decide = (name: string, reason: string) =>
  roster.modules.pool.decisions.add({
    ...{ kind: "same", a: `${name} <${name}@example.com>`, b: `github/${name}` },
    ...{ by: "operator", reason, evidence: [] },
  });
const open = async (query = "") => (await boss.open(`/admin/identity/decisions${query}`)).text;
const findNames = (page: string) => [
  ...new Set([...page.matchAll(/github\/(\w+)/g)].map(([, name]) => name)),
];
const field = 'name="q"';

test("a few decisions need no search", async () => {
  await decide("cara", "Ticket 7");
  expect(await open()).not.toContain(field);
});

test("many are found by words of a name, an address or the reason, a page at a time", async () => {
  for (let n = 0; n < 30; n++) await decide(`dora${n}`, n < 28 ? "as she said" : "ticket 9");
  const page = await open();
  expect(page).toContain(field);
  expect(readable(page)).toContain("Decisions (31)");
  expect(findNames(page)).toHaveLength(25);
  expect(findNames(await open("?q=ticket"))).toEqual(["dora29", "dora28", "cara"]);
  expect(findNames(await open("?q=TICKET+cara%40example"))).toEqual(["cara"]);
  const long = await open("?q=dora");
  expect(readable(long)).toContain("Decisions (30)");
  const [, older = ""] = /href="([^"]+)">Next/.exec(long) ?? [];
  const rest = (await boss.open(older.replaceAll("&amp;", "&"))).text;
  expect(findNames(rest)).toEqual(["dora4", "dora3", "dora2", "dora1", "dora0"]);
  expect(rest).toContain('value="dora"');
});

test("what is in no decision is said, and comes back escaped and bounded", async () => {
  const page = await open("?q=%3Cscript%3E");
  expect(page).not.toContain("<script>");
  expect(readable(page)).toContain('No decision contains "<script>".');
  expect(await open(`?q=${"x".repeat(5000)}`)).not.toContain("x".repeat(201));
});
