/** The page of the audit log: entries under their days, each with its number where the log is compared with others. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance({ folder: true, now: "2026-11-26T23:59:00.000Z" });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
roster.clock.set("2026-11-27T00:01:00.000Z");
await roster.modules.accounts.makeLink("boss@corp.example", "reset");
afterAll(() => roster.close());

const open = async (query = "") => (await boss.open(`/admin/audit${query}`)).text;

test("entries stand under the day of UTC, the newest first", async () => {
  const page = await open();
  const headings = [...page.matchAll(/<h3[^>]*>([^<]+)<\/h3>/g)].map(([, day]) => day);
  expect(headings).toEqual(["27 November 2026", "26 November 2026"]);
  const [, ...days] = page.split("<h3");
  expect(readable(days[0] ?? "")).toMatch(/00:01:00 .* made a link for a new password/);
  expect(days[0]).not.toContain("23:59:00");
  expect(days[1]).toContain("23:59:00");
});

test("the number of an entry is a title, and leads there from a broken chain", async () => {
  const page = await open();
  expect(page).toContain('title="Entry 1, 2026-11-26T23:59:00.000Z"');
  expect(readable(page)).not.toMatch(/entry \d/i);
  expect(readable(await open("?check"))).toContain("The chain is whole");
  const sqlite = new Database(join(roster.config.data, "control.db"));
  sqlite.run("DROP TRIGGER audit_no_update");
  sqlite.run("UPDATE audit SET actor = 'nobody' WHERE sequence = 2");
  sqlite.close();
  const broken = await open("?check");
  const [, link = ""] = /Entry <a href="([^"]+)"/.exec(broken) ?? [];
  expect(link).toBe("/admin/audit?before=3#entry-2");
  const [first] = /id="entry-\d+"/.exec((await boss.open(link)).text) ?? [];
  expect(first).toBe('id="entry-2"');
});
