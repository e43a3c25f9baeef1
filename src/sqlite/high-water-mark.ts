/**
 * A mark beside the database, outside of it: which database belongs here, and how far it had come.
 * SQLite opens a vanished file as a new one, and drops a damaged or missing WAL without a word; against
 * the mark both are noticed. It is written after the commit it speaks of, so it is never ahead by itself:
 * with each audit entry, and once a minute for the calls.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { getDraftPath, removeDeadDrafts } from "./draft.ts";

export interface HighWaterMark {
  /** The instance's name. */
  readonly name: string;
  readonly latestMs: number;
  /** Where the audit chain ended. */
  readonly audit: { readonly sequence: number; readonly hash: string };
}

export function getHighWaterMarkPath(databasePath: string): string {
  return databasePath.replace(/(\.db)?$/, ".mark");
}

/** @returns `undefined` without a mark, or with one that a crash cut short: no mark is no proof. */
export function readHighWaterMark(path: string): HighWaterMark | undefined {
  // Also without a mark: the crash may have come while the first one was made.
  if (existsSync(dirname(path))) removeDeadDrafts(path);
  if (!existsSync(path)) return undefined;
  try {
    const mark = JSON.parse(readFileSync(path, "utf8")) as HighWaterMark;
    return typeof mark.name === "string" ? mark : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the mark whole. @throws when the folder cannot be written. */
export function writeHighWaterMark(path: string, mark: HighWaterMark): void {
  const draft = getDraftPath(path);
  rmSync(draft, { force: true });
  // Never through a link that somebody put there.
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${JSON.stringify(mark)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
