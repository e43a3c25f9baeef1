import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a folder that is removed after the tests that see it: those of a file or of a `describe`, or one test. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `roster-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
