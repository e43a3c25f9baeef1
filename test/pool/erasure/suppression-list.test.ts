import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { deriveLogin } from "../../../src/identity/derived-login.ts";
import { openPool } from "../../../src/pool/pool.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { person } from "./person.ts";

const newFolder = temporaryFolders();
const now = () => new Date("2026-11-21T12:00:00Z");
const ada = { login: "ada", emails: ["ada@example.com"] };
const ben = { login: "ben", emails: ["ben@example.org"] };
const cleo = { login: "cleo" };

function bring(pool: ReturnType<typeof openPool>, people: readonly Parameters<typeof person>[0][]) {
  const load = pool.beginImport("test");
  load.put(people.map(person));
  return load.commit();
}

test("an older copy of the pool that takes over the list drops whoever was forgotten since", () => {
  const path = join(newFolder(), "pool.db");
  const older = join(newFolder(), "pool.db");
  const first = openPool(path, { now });
  bring(first, [ada, ben, cleo]);
  first.erasing.hide("cleo");
  first.close();
  copyFileSync(path, older);
  const present = openPool(path, { now });
  present.erasing.hide("ada");
  const restored = openPool(older, { now });
  expect(restored.findCard("ada")).toBeDefined();
  expect(restored.erasing.adopt(present.erasing.list())).toBe(1);
  expect(restored.findCard("ada")).toBeUndefined();
  expect(restored.size()).toBe(1);
  expect(restored.erasing.list()).toEqual(present.erasing.list());
  expect(bring(restored, [ada, ben, cleo])).toMatchObject({ suppressed: 2, unchanged: 1 });
  expect(restored.erasing.adopt(present.erasing.list())).toBe(0);
  for (const pool of [present, restored]) pool.close();
});

test("an older copy's decisions about who was forgotten go, under an address of several people too", () => {
  const [present, older] = [openPool(":memory:", { now }), openPool(":memory:", { now })];
  const decided = { kind: "same", by: "operator", evidence: [] } as const;
  for (const name of ["Ada Example", "Ben Sample"]) {
    older.decisions.add({ ...decided, a: `${name} <root@localhost>`, b: "github.com/somebody" });
  }
  const alsoLogins = [deriveLogin({ name: "Ada Example", email: "root@localhost" })];
  present.erasing.hide("ada", { evenIfUnknown: true, alsoLogins });
  older.erasing.adopt(present.erasing.list());
  expect(older.decisions.list().map(({ a }) => a)).toEqual(["Ben Sample <root@localhost>"]);
  for (const pool of [present, older]) pool.close();
});

test("an erasure that was undone since is undone in the older copy too", () => {
  const [present, older] = [openPool(":memory:", { now }), openPool(":memory:", { now })];
  const receipt = present.erasing.hide("ada", { evenIfUnknown: true });
  if (!receipt || receipt === "names the person") throw new Error("not hidden");
  older.erasing.adopt(present.erasing.list());
  expect(bring(older, [ada])).toMatchObject({ suppressed: 1 });
  present.erasing.undo(receipt.id);
  older.erasing.adopt(present.erasing.list());
  expect(bring(older, [ada])).toMatchObject({ added: 1, suppressed: 0 });
  for (const pool of [present, older]) pool.close();
});

test("the lists of two installations hold side by side, each under its own salt", () => {
  const [one, other] = [openPool(":memory:", { now }), openPool(":memory:", { now })];
  one.erasing.hide("ada@example.com", { evenIfUnknown: true });
  other.erasing.hide("ben@example.org", { evenIfUnknown: true });
  one.erasing.adopt(other.erasing.list());
  expect(bring(one, [ada, ben, cleo])).toMatchObject({ added: 1, suppressed: 2 });
  expect(one.erasing.receipts()).toHaveLength(2);
  for (const pool of [one, other]) pool.close();
});
