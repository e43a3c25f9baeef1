/**
 * The high-water mark is a file beside the database that says which database belongs here, and how far it had come. SQLite
 * recreates a missing file and silently drops a damaged or missing WAL; a comparison with the mark reveals both.
 *
 * It is written after the commit it describes, so it is never ahead of it. The first line is synced, once for each
 * audit entry; the second is written with every batch of calls and is not synced: it survives a crash of the process,
 * and after a power cut it is at worst older. Each line has a disk sector of its own, so that neither tears the other.
 */

import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tryParseJson } from "../../contract/foreign-json.ts";
import { getDraftPath } from "./draft.ts";

export interface HighWaterMark {
  /** The instance's name. */
  readonly name: string;
  /** Where the audit chain ended, and when; marks of earlier versions do not say when. */
  readonly audit: { readonly sequence: number; readonly hash: string; readonly atMs?: number };
  /** How many calls had ever been counted, and when the last was; absent in marks of earlier versions. */
  readonly counted?: CountedCalls;
}

export interface CountedCalls {
  readonly charges: number;
  readonly atMs: number;
}

export interface HighWaterMarkWriter {
  /** Durable when this returns. @throws when the file cannot be written. */
  writeAudit(mark: Omit<HighWaterMark, "counted">): void;
  writeCounted(counted: CountedCalls): void;
  close(): void;
}

export function getHighWaterMarkPath(databasePath: string): string {
  return databasePath.replace(/(\.db)?$/, ".mark");
}

/** @returns `undefined` for a missing mark, or one that a crash cut short: neither proves a loss. */
export function readHighWaterMark(path: string): HighWaterMark | undefined {
  if (!existsSync(path)) return undefined;
  const [first = "", second = ""] = readFileSync(path, "utf8").split("\n");
  const mark = tryParseJson<Omit<HighWaterMark, "counted">>(first);
  if (typeof mark?.name !== "string") return undefined;
  const counted = tryParseJson<CountedCalls>(second);
  return { name: mark.name, audit: mark.audit, ...(counted ? { counted } : {}) };
}

const sectorBytes = 512;

/** Creates the file whole, or replaces it. @throws when the folder cannot be written. */
export function createHighWaterMark(path: string, mark: HighWaterMark): HighWaterMarkWriter {
  const draft = getDraftPath(path);
  rmSync(draft, { force: true });
  // Never follows a link that someone put there.
  const file = openSync(draft, "wx", 0o600);
  try {
    const writer = writeInPlace(file);
    writer.writeCounted(mark.counted ?? { charges: 0, atMs: 0 });
    writer.writeAudit({ name: mark.name, audit: mark.audit });
    renameSync(draft, path);
    return writer;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** @throws when the file is gone or cannot be written. */
export function openHighWaterMark(path: string): HighWaterMarkWriter {
  return writeInPlace(openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)));
}

function writeInPlace(file: number): HighWaterMarkWriter {
  const writeLine = (line: 0 | 1, value: unknown) => {
    const text = `${JSON.stringify(value).padEnd(sectorBytes - 1)}\n`;
    writeSync(file, text, line * sectorBytes);
  };
  return {
    writeAudit({ name, audit }) {
      writeLine(0, { name, audit });
      fsyncSync(file);
    },
    writeCounted: (counted) => writeLine(1, counted),
    close: () => closeSync(file),
  };
}
