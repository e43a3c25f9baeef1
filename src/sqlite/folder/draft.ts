/**
 * A draft is a file that is written under another name and then moved into place, so that no process reads it incomplete. The
 * next process that writes the same file removes a draft left by a crash.
 */
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns the path of a draft. It contains the process id, so that two processes never share a draft. */
export function getDraftPath(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Removes the drafts of dead processes, with their write-ahead logs. */
export function removeDeadDrafts(path: string): void {
  for (const draft of listDeadDrafts(path)) rmSync(draft, { recursive: true, force: true });
}

export function listDeadDrafts(path: string): readonly string[] {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const isDead = (name: string) => {
    const pid = name.startsWith(start) && /^(\d+)\.tmp/.exec(name.slice(start.length))?.[1];
    return pid && !isAlive(Number(pid));
  };
  return readdirSync(folder)
    .filter(isDead)
    .map((name) => join(folder, name));
}

/** Whether a process is alive. The error EPERM means that it is alive and belongs to another user. */
export function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === "EPERM";
  }
}
