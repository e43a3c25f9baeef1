/** Splitting, exporting and forgetting from a person's page, over a real git history: for administrators only. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openTestAppliance } from "../../../appliance.ts";
import { program, readFolder } from "../../../faults/server-process.ts";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";
import {
  expectAnswer,
  goodPassword,
  invited,
  type Page,
  type Person,
  readable,
} from "../person.ts";

const newFolder = temporaryFolders();
const eva = "Eva Invented <eva@example.com>";
const evaAtHome = "E. Invented <eva@example.com>";

const mirrors = newFolder();
inventRepository(join(mirrors, "team", "ledger.git"), [
  { author: eva, at: "2026-03-02", files: { "a.go": "package a\n" } },
  { author: evaAtHome, at: "2026-03-04", files: { "b.go": "package b\n" } },
]);
// Child processes of the program open the folder, so memory does not do.
const roster = await openTestAppliance({ folder: true, self: program, people: [] });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
const user = await invited(roster, "user@corp.example");
await readFolder(mirrors, roster.config.data);
await until(boss, "/admin/runs", "1 person added");
const login = (await roster.modules.pool.logins())[0] ?? "";
afterAll(() => roster.close());

const ofPerson = (page: string) => `/developers/${login}/${page}`;

/** Reloads the page until it has these words. */
async function until(person: Person, path: string, words: string): Promise<Page> {
  for (;;) {
    const page = await person.open(path);
    if (readable(page.text).includes(words)) return page;
    if (/failed|could not be found|The person cannot be forgotten/.test(page.text))
      throw new Error(readable(page.text));
    await Bun.sleep(50);
  }
}

const auditOf = async () => readable((await boss.open("/admin/audit")).text);

describe("what administrators may do with a person", () => {
  test("is refused to everybody else, and not offered", async () => {
    for (const page of ["identity", "everything.json"])
      expect([page, (await user.open(ofPerson(page))).status]).toEqual([page, 403]);
    const words = "Forget this person";
    expect((await user.open(`/developers/${login}`)).text).not.toContain(words);
    expect((await boss.open(`/developers/${login}`)).text).toContain(words);
  });

  test("everything held is what the command line exports", async () => {
    const copy = JSON.parse((await boss.open(ofPerson("everything.json"))).text);
    expect([copy.form, copy.login, copy.facts.login]).toEqual([
      "urn:roster:person:1",
      login,
      login,
    ]);
  });

  test("whom no git history knows has no author identities", async () => {
    await until(boss, "/developers/nobody-at-all/identity", "No commits of this person were read");
  });

  test("what is joined is said to be two, and is two when everybody is counted anew", async () => {
    const page = await until(boss, ofPerson("identity"), "Split into two people");
    expect(readable(page.text)).toContain("E. Invented <eva@example.com>");
    const [, a = "", b = ""] =
      /name="a" value="([^"]+)".*?name="b" value="([^"]+)"/s.exec(page.text) ?? [];
    const given = { a: readable(a), b: readable(b) };
    expect([given.a, given.b].sort()).toEqual([evaAtHome, eva].sort());
    const other = await boss.send(ofPerson("identity"), "split", {
      a: eva,
      b: "Ben <b@x.example>",
    });
    expectAnswer(other, 400, "no longer one person");
    const sent = await boss.send(ofPerson("identity"), "split", given);
    expect(readable(sent.text)).toContain("Splitting. The scores update in a moment.");
    await until(boss, "/admin/runs", "Split: ");
    await until(boss, ofPerson("identity"), "Only one identity.");
    const log = await auditOf();
    expect(log).toContain("boss@corp.example 's run to split two people finished");
    // The page looks names up; the stored entry has none.
    expect(log).toContain("eva@");
    expect((await boss.open("/admin/audit?format=jsonl")).text).not.toContain("eva@");
  });
});

describe("forgetting", () => {
  test("begins on the person's page, with all that would go, and asks for the password when the sign-in is old", async () => {
    roster.clock.advance(11 * 60);
    const token = await boss.tokenOn(`/developers/${login}`);
    expect((await boss.open(`/developers/${login}`)).text).toContain('action="/admin/forget"');
    expect(token).not.toBe("");
    const found = await boss.send("/admin/forget", "look", { person: login });
    expect(found.at).not.toContain(login);
    await until(boss, found.at, "What will be deleted");
    const page = await boss.send(found.at, "forget", { reason: "ticket 17" });
    expectAnswer(page, 400, "Password is missing");
    expect((await roster.modules.pool.findCards([login]))[0]?.login).toBe(login);
    const given = { reason: "ticket 17", password: goodPassword };
    expect((await boss.send(found.at, "forget", given)).at).toBe("/admin/runs");
    await until(boss, "/admin/runs", "Forgotten: receipt ers_");
    expect(await roster.modules.pool.findCards([login])).toEqual([undefined]);
    expect((await boss.open(`/developers/${login}`)).status).toBe(404);
    const log = await auditOf();
    expect(log).toContain("forgot a person: ");
    expect(log).toContain("split two people (names erased)");
    for (const name of [login, "eva@", "Eva"]) expect(log).not.toContain(name);
  });
});
