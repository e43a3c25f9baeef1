/** A private folder for copies of databases. It is created at its first use, and removed when the process closes it. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./draft.ts";
import { removeFiles } from "./move-files.ts";

const prefix = "roster-copies-";

export function createTemporaryCopies() {
  let made: string | undefined;
  return {
    /** Returns the path of the folder, which only this user can read. */
    folder: (): string => {
      if (made === undefined) {
        removeDeadCopies();
        made = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
      }
      return made;
    },
    /** Removes the folder. @throws Error if this process has a copy open. */
    [Symbol.dispose]: () => {
      if (made !== undefined) removeFiles(made);
    },
  };
}

/** Removes the copies that killed processes have left. */
function removeDeadCopies(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) && /^\d+/.exec(name.slice(prefix.length))?.[0];
    if (!pid || isAlive(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}
