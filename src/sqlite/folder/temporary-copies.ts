/** A private folder for copies of databases, made at its first use, gone when the process closes it. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./draft.ts";
import { removeFiles } from "./move-files.ts";

const prefix = "roster-copies-";

export function createTemporaryCopies() {
  let made: string | undefined;
  return {
    /** Only this user may read it. */
    folder: (): string => {
      if (made === undefined) {
        removeDeadCopies();
        made = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
      }
      return made;
    },
    /** @throws Error while this process has a copy open. */
    remove: () => {
      if (made !== undefined) removeFiles(made);
    },
  };
}

/** The copies hold what the data folder holds: those of a process that was killed must not stay. */
function removeDeadCopies(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) && /^\d+/.exec(name.slice(prefix.length))?.[0];
    if (!pid || isAlive(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
