/**
 * Drafts: a file that must never be seen half made is made under another name and put in its place whole.
 * What a crash leaves of them is taken away by the next process that makes the same file.
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The draft's name tells whose it is, so that two processes never share one. */
export function getDraftPath(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Removes what dead processes left, their journals too. */
export function removeDeadDrafts(path: string): void {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(start) && /^(\d+)\.tmp/.exec(name.slice(start.length))?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** A process of somebody else's is alive too: asking about it is only forbidden. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
