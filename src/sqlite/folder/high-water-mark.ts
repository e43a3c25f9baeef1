/**
 * The high-water mark is a file next to the database. It records which database belongs here and the database's latest state.
 * SQLite silently recreates a missing database and drops a damaged write-ahead log. The mark reveals both.
 * The mark is written after the commit it describes, so it is never ahead of the database. The first line is synced at each audit
 * entry. The second line is written with every batch of calls but not synced, so a power cut may leave it outdated. Each line has
 * its own disk sector, so a failed write damages only one line.
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
  /** The last entry of the audit log, and its time. Marks of earlier versions have no time. */
  readonly audit: { readonly sequence: number; readonly hash: string; readonly atMs?: number };
  /** The total number of calls counted, and the time of the last one. Absent in marks of earlier versions. */
  readonly counted?: CountedCalls;
}

export interface CountedCalls {
  readonly charges: number;
  readonly atMs: number;
}

export type HighWaterMarkWriter = ReturnType<typeof writeInPlace>;

export function getHighWaterMarkPath(databasePath: string): string {
  return databasePath.replace(/(\.db)?$/, ".mark");
}

/** @returns undefined if the mark is missing or incomplete. This does not prove that data was lost. */
export function readHighWaterMark(path: string): HighWaterMark | undefined {
  if (!existsSync(path)) return undefined;
  const [first = "", second = ""] = readFileSync(path, "utf8").split("\n");
  const mark = tryParseJson<Omit<HighWaterMark, "counted">>(first);
  if (typeof mark?.name !== "string") return undefined;
  const counted = tryParseJson<CountedCalls>(second);
  return { name: mark.name, audit: mark.audit, ...(counted ? { counted } : {}) };
}

const sectorBytes = 512;

/** Creates the high-water mark, or replaces it. @throws if the folder cannot be written. */
export function createHighWaterMark(path: string, mark: HighWaterMark): HighWaterMarkWriter {
  const draft = getDraftPath(path);
  rmSync(draft, { force: true });
  // "wx" refuses to write through a link that someone may have created.
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

/** @throws if the file is missing or cannot be written. */
export function openHighWaterMark(path: string): HighWaterMarkWriter {
  return writeInPlace(openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)));
}

function writeInPlace(file: number) {
  const writeLine = (line: 0 | 1, value: unknown) => {
    const text = `${JSON.stringify(value).padEnd(sectorBytes - 1)}\n`;
    writeSync(file, text, line * sectorBytes);
  };
  return {
    /** The mark is durable when this returns. @throws if the file cannot be written. */
    writeAudit({ name, audit }: Omit<HighWaterMark, "counted">) {
      writeLine(0, { name, audit });
      fsyncSync(file);
    },
    writeCounted: (counted: CountedCalls) => writeLine(1, counted),
    close: () => closeSync(file),
  };
}
