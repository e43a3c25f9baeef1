/** The page of the audit log: entries under their days, each with its number where the log is compared with others. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";
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
  expect(readable(days[0] ?? "")).toMatch(/00:01:00 .* created a password link/);
  expect(days[0]).not.toContain("23:59:00");
  expect(days[1]).toContain("23:59:00");
});

test("a part of an address, or words of a decision, find the entries about them", async () => {
  const decision = await roster.modules.pool.decisions.add({
    ...{ kind: "same", a: "Cara Invented <cara@example.org>", b: "github/cara-two" },
    ...{ by: "operator", evidence: [] },
  });
  const accountId = (await roster.modules.accounts.find("boss@corp.example"))?.id ?? "";
  const at = new Date("2026-11-27T00:02:00.000Z");
  const control = openSqliteControlStore(join(roster.config.data, "control.db"));
  for (const action of ["identity.merged", "identity.undone"] as const) {
    await control.record({ at, actor: accountId, action, subject: decision.id, detail: {} });
  }
  await control.close();
  await roster.modules.pool.decisions.undo(decision.id);
  const countEntries = async (who: string) =>
    (await open(`?who=${encodeURIComponent(who)}`)).match(/id="entry-/g)?.length ?? 0;
  expect(await countEntries("BOSS@c")).toBe(await countEntries("boss@corp.example"));
  expect(await countEntries("boss@c")).toBeGreaterThan(3);
  expect(await countEntries("cara@example")).toBe(2);
  expect(await countEntries("nobody-like-this")).toBe(0);
  const page = readable(await open("?who=cara@example"));
  const two = "Cara Invented <cara@example.org> and github/cara-two";
  expect(page).toContain(`undid the decision about ${two}`);
  expect(page).toContain(`merged ${two} (since undone)`);
  expect(page).not.toContain("dec_");
});

test("the number of an entry is a title, and leads there from a broken chain", async () => {
  const page = await open();
  expect(page).toContain('title="Entry 1, 2026-11-26T23:59:00.000Z"');
  expect(readable(page)).not.toMatch(/entry \d/i);
  expect(readable(await open("?check"))).toContain("The log is intact");
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
