/**
 * The high-water mark, a file beside the database: which database belongs here, and how far it had come.
 * SQLite creates a missing file anew and silently drops a damaged or missing WAL; comparing with the mark reveals
 * both. The mark is written after the commit it describes, so it is never ahead of it: with each audit entry, and
 * once a minute for calls.
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

/** @returns `undefined` for a missing mark, or one that a crash cut short: neither proves a loss. */
export function readHighWaterMark(path: string): HighWaterMark | undefined {
  // Also without a mark: a crash may have interrupted the first one.
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
  // Never follows a link that someone put there.
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${JSON.stringify(mark)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
