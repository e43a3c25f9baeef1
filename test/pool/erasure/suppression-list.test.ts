import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { deriveLogin } from "../../../src/identity/derived-login.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { person } from "./person.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:00Z");
const ada = { login: "ada", emails: ["ada@example.com"] };
const ben = { login: "ben", emails: ["ben@example.org"] };
const cleo = { login: "cleo" };

async function bring(
  pool: ReturnType<typeof openSqlitePool>,
  people: readonly Parameters<typeof person>[0][],
) {
  const load = await pool.beginImport("test");
  await load.put(people.map(person));
  return load.commit();
}

test("an older copy of the pool that takes over the list drops whoever was forgotten since", async () => {
  const path = join(newFolder(), "pool.db");
  const older = join(newFolder(), "pool.db");
  const first = openSqlitePool(path, { now });
  await bring(first, [ada, ben, cleo]);
  await first.erasing.hide("cleo");
  await first.close();
  copyFileSync(path, older);
  const present = openSqlitePool(path, { now });
  await present.erasing.hide("ada");
  const restored = openSqlitePool(older, { now });
  expect((await restored.findCards(["ada"]))[0]).toBeDefined();
  expect(await restored.erasing.adopt(await present.erasing.list())).toBe(1);
  expect((await restored.findCards(["ada"]))[0]).toBeUndefined();
  expect(await restored.size()).toBe(1);
  expect(await restored.erasing.list()).toEqual(await present.erasing.list());
  expect(await bring(restored, [ada, ben, cleo])).toMatchObject({ suppressed: 2, unchanged: 1 });
  expect(await restored.erasing.adopt(await present.erasing.list())).toBe(0);
  for (const pool of [present, restored]) await pool.close();
});

test("an older copy's decisions about who was forgotten go, under an address of several people too", async () => {
  const [present, older] = [
    openSqlitePool(":memory:", { now }),
    openSqlitePool(":memory:", { now }),
  ];
  const decided = { kind: "same", by: "operator", evidence: [] } as const;
  for (const name of ["Ada Example", "Ben Sample"]) {
    await older.decisions.add({
      ...decided,
      a: `${name} <root@localhost>`,
      b: "github.com/somebody",
    });
  }
  const alsoLogins = [deriveLogin({ name: "Ada Example", email: "root@localhost" })];
  await present.erasing.hide("ada", { evenIfUnknown: true, alsoLogins });
  await older.erasing.adopt(await present.erasing.list());
  expect((await older.decisions.list()).map(({ a }) => a)).toEqual(["Ben Sample <root@localhost>"]);
  for (const pool of [present, older]) await pool.close();
});

test("an erasure that was undone since is undone in the older copy too", async () => {
  const [present, older] = [
    openSqlitePool(":memory:", { now }),
    openSqlitePool(":memory:", { now }),
  ];
  const receipt = await present.erasing.hide("ada", { evenIfUnknown: true });
  if (!receipt || receipt === "names the person") throw new Error("not hidden");
  await older.erasing.adopt(await present.erasing.list());
  expect(await bring(older, [ada])).toMatchObject({ suppressed: 1 });
  await present.erasing.undo(receipt.id);
  await older.erasing.adopt(await present.erasing.list());
  expect(await bring(older, [ada])).toMatchObject({ added: 1, suppressed: 0 });
  for (const pool of [present, older]) await pool.close();
});

test("the lists of two installations hold side by side, each under its own salt", async () => {
  const [one, other] = [openSqlitePool(":memory:", { now }), openSqlitePool(":memory:", { now })];
  await one.erasing.hide("ada@example.com", { evenIfUnknown: true });
  await other.erasing.hide("ben@example.org", { evenIfUnknown: true });
  await one.erasing.adopt(await other.erasing.list());
  expect(await bring(one, [ada, ben, cleo])).toMatchObject({ added: 1, suppressed: 2 });
  expect(await one.erasing.receipts()).toHaveLength(2);
  for (const pool of [one, other]) await pool.close();
});
