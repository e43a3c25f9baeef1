import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../src/contract/fault.ts";
import { describeDamage } from "../../src/doctor/doctor.ts";
import {
  checkFile,
  checkStructure,
  collectFindings,
  runCheck,
} from "../../src/sqlite/check-database.ts";
import { type DatabaseKind, openDatabase } from "../../src/sqlite/database.ts";
import { temporaryFolders } from "./temporary-folder.ts";

const newFolder = temporaryFolders();
const kind: DatabaseKind = { name: "example", applicationId: 4711, migrations: ["SELECT 1;"] };

const failWith = (code: string) => () => {
  throw Object.assign(new Error(`it says ${code}`), { code });
};

describe("what a check finds", () => {
  test.each(["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ", "SQLITE_ERROR"])(
    "%s is damage",
    (code) => {
      expect(collectFindings(failWith(code))).toEqual([`it says ${code}`]);
    },
  );

  test.each(["SQLITE_BUSY", "SQLITE_NOMEM", "SQLITE_CANTOPEN", "SQLITE_IOERR_SHMOPEN"])(
    "%s says nothing about the file",
    (code) => {
      expect(() => collectFindings(failWith(code))).toThrow(`it says ${code}`);
    },
  );

  test("a file that cannot be read at all is a fault of its own, and no finding", () => {
    const path = join(newFolder(), "a.db");
    const check = () => runCheck(checkFile(path, kind, checkStructure));
    expect(check).toThrow("a.db cannot be read: it is gone");
    openDatabase(path, kind).close();
    expect(check()).toEqual([]);
    truncateSync(path, 0);
    expect(check()).toEqual([`${path} is empty: it was truncated.`]);
    writeFileSync(path, "Dear diary. ".repeat(1000));
    expect(check()).toEqual([`${path} is damaged or not a database.`]);
  });

  test("a newer file is refused by its version, not called damaged", () => {
    const path = join(newFolder(), "a.db");
    openDatabase(path, { ...kind, migrations: ["SELECT 1;", "SELECT 2;"] }).close();
    try {
      runCheck(checkFile(path, kind));
      expect.unreachable();
    } catch (error) {
      expect(isFault(error, "store")).toBe(true);
    }
  });
});

test("damage is told once, with one way out", () => {
  expect(
    describeDamage("pool", [
      "x.db is damaged or not a database.",
      "x.db is damaged or not a database.",
    ]),
  ).toBe(
    "pool.db is damaged: x.db is damaged or not a database. Restore a backup; people who can still be read can be exported before.",
  );
});
