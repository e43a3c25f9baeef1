import { afterEach, expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listOpenFiles } from "../../src/sqlite/folder/open-files.ts";

/**
 * Gives a fresh folder per call; all are gone after the test that asked. Whatever the test did, this process must not have
 * a file open then that was removed from such a folder, or replaced in it. Call at a test file's top level.
 */
export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterEach(() => {
    const folders = made.splice(0);
    const lost = folders.flatMap(listLostFiles);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    expect(lost).toEqual([]);
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-test-"));
    made.push(folder);
    return folder;
  };
}

/** Files below a folder that are open here and have no name any more. */
function listLostFiles(folder: string): readonly string[] {
  const names = [...(listOpenFiles("self")?.values() ?? [])];
  return names.filter((name) => name.startsWith(`${folder}/`) && name.endsWith(" (deleted)"));
}
