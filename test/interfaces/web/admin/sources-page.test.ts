/** The page of sources: what they told, what is wrong and what to do, and the form that makes a table for the settings. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openForgeLedger } from "../../../../src/ingest/forges/forge-ledger.ts";
import { addSource, noteRun } from "../../../../src/ingest/forges/sources.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { invited, readable } from "../person.ts";

const roster = await openTestAppliance({ people: [] });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

const open = async (form: Record<string, string> = {}) =>
  (await boss.open(`/admin/sources?${new URLSearchParams(form)}`)).text;
const good = { kind: "gitlab", url: "https://git.corp.example", select: "group:acme, user:ada" };

describe("the form of a source", () => {
  test("is empty and folded up at first, and makes nothing", async () => {
    const markup = await open();
    expect(markup).toMatch(/<details class="folded"><summary><h2 id="add-title">/);
    const page = readable(markup);
    expect(page).toContain("None yet");
    expect(page).not.toContain("The table for the settings file");
    expect(page).not.toContain("was not made");
  });

  test("makes the table, names the file and the variable, and keeps what was typed", async () => {
    const page = await open({ ...good, id: "corp", everyHours: "", tokenFile: "" });
    const shown = readable(page);
    expect(page).toMatch(/<details class="folded" open><summary><h2 id="add-title">/);
    expect(shown).toContain("The table for the settings file");
    expect(shown).toContain("roster.toml");
    expect(shown).toContain(
      '[[sources]] id = "corp" kind = "gitlab" url = "https://git.corp.example" select = ["group:acme", "user:ada"]',
    );
    expect(shown).toContain("ROSTER_SOURCE_CORP_TOKEN");
    expect(page).toContain('value="group:acme, user:ada"');
    expect(page).toMatch(/<option value="gitlab" selected/);
    const withFile = readable(await open({ ...good, tokenFile: "/etc/roster/git.token" }));
    expect(withFile).toContain('tokenFile = "/etc/roster/git.token"');
    expect(withFile).not.toContain("ROSTER_SOURCE_");
  });

  test("says which field is wrong, in the words of the form, and is never at a loss", async () => {
    const wrong = await open({ ...good, select: "acme" });
    expect(wrong).toContain('href="#select"');
    expect(readable(wrong)).toContain("Whose people must be a list such as");
    expect(readable(await open({ ...good, everyHours: "0" }))).toContain(
      "The hours must be a whole number from 1 to 8760.",
    );
    for (const odd of ["", "\0", "<script>", "x".repeat(5000), "$&"]) {
      for (const field of ["kind", "url", "select", "id", "everyHours", "tokenFile"]) {
        const { status, text } = await boss.open(
          `/admin/sources?${new URLSearchParams({ ...good, [field]: odd })}`,
        );
        expect([field, odd.slice(0, 9), status]).toEqual([field, odd.slice(0, 9), 200]);
        expect(text).not.toContain("<script>");
      }
    }
  });
});

test("a fault is told in words; the code of the system is in its title", async () => {
  const data = mkdtempSync(join(tmpdir(), "roster-sources-"));
  const ledger = openForgeLedger(join(data, "forges.db"));
  const corp = { id: "corp", kind: "gitea", url: "https://git.corp.example" } as const;
  addSource(ledger, { ...corp, forge: "git.corp.example", selections: [] });
  const at = "2026-11-27T10:00:00.000Z";
  const fault = "corp cannot be reached: ECONNREFUSED.";
  const run = { startedAt: at, endedAt: at, requests: 1, hidden: 0, suppressed: 0, fault };
  noteRun(ledger, "corp", run, undefined);
  ledger.close();
  const faulty = await openTestAppliance({ folder: data, people: [] });
  const admin = await invited(faulty, "boss@corp.example", { administrator: true });
  const { text } = await admin.open("/admin/sources");
  expect(text).toContain(`title="${fault}">corp cannot be reached.<`);
  expect(readable(text)).not.toContain("ECONNREFUSED");
  expect(readable(text)).toContain("Nothing answers at this address and port");
  expect(text).toContain("whether <code>url</code> in the settings file");
  expect(readable(text)).toContain("Forge Gitea or Forgejo, https://git.corp.example");
  await faulty.close();
  rmSync(data, { recursive: true, force: true });
});
