/** The page that forgets somebody asks where a name alone makes two addresses one person's. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openTestAppliance } from "../../../appliance.ts";
import { program, readFolder } from "../../../faults/server-process.ts";
import { inventRepository } from "../../../ingest/git/invented-repository.ts";
import { temporaryFolders } from "../../../sqlite/temporary-folder.ts";
import { expectAnswer, goodPassword, invited, readable } from "../person.ts";

const newFolder = temporaryFolders();
const mirrors = newFolder();
inventRepository(join(mirrors, "app.git"), [
  { author: "Vera Holm <vera@example.org>" },
  { author: "Vera Holm <other@example.net>" },
]);
const roster = await openTestAppliance({ folder: true, self: program, people: [] });
const boss = await invited(roster, "boss@corp.example", { administrator: true });
afterAll(() => roster.close());

async function until(path: string, words: string): Promise<string> {
  for (;;) {
    const text = readable((await boss.open(path)).text);
    if (text.includes(words)) return text;
    await Bun.sleep(50);
  }
}

test("a box must be ticked before a person is forgotten whom a name alone joins", async () => {
  await readFolder(mirrors, roster.config.data);
  await until("/admin/runs", "1 person added");
  const { at } = await boss.send("/admin/forget", "look", { person: "other@example.net" });
  const page = await until(at, "What will be deleted");
  for (const said of [
    "Some of this may belong to another person",
    "Vera Holm <other@example.net> and Vera Holm <vera@example.org> (same name)",
    "All of this is one person",
  ]) {
    expect(page).toContain(said);
  }
  const given = { reason: "ticket 17", password: goodPassword };
  const refused = await boss.send(at, "forget", given);
  expectAnswer(refused, 400, "Confirm that all of this belongs to one person.");
  expect(await roster.modules.pool.logins()).toHaveLength(1);
  expect((await boss.send(at, "forget", { ...given, sure: "yes" })).at).toBe("/admin/runs");
  await until("/admin/runs", "Forgotten: receipt ers_");
  expect(await roster.modules.pool.logins()).toHaveLength(0);
});
