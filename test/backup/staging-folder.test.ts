/** Folders in which backups and copies are prepared, at the same time. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { relative } from "node:path";
import { createStagingFolder } from "../../src/backup/staging-folder.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();

test("one that is in use stays, whichever way its parent is named", async () => {
  const parent = newFolder();
  {
    await using absolute = await createStagingFolder(parent);
    await using shorter = await createStagingFolder(relative(process.cwd(), parent));
    await using again = await createStagingFolder(parent);
    for (const { path } of [absolute, shorter, again]) expect(existsSync(path)).toBe(true);
  }
  expect(readdirSync(parent)).toEqual([]);
});
