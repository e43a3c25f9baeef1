/**
 * A lock across processes that says, for people, who has it. The operating system frees a SQLite lock when its holder dies for any
 * reason, so a killed holder never blocks the next one; a file with a process id would.
 */
import {
  closeSync,
  constants,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Connection } from "../connection.ts";

export interface NotedLock {
  /** Replaces what is said beside the words on the holder: it decides nothing. */
  note(more: string): void;
  /** Removes the note, too. */
  release(): void;
}

/**
 * @param path an empty file, which stays.
 * @param waitMilliseconds how long to wait for another holder; the thread waits.
 * @returns what releases it; undefined when another connection holds it.
 */
export function lockFile(path: string, waitMilliseconds: number): (() => void) | undefined {
  const lock = new Connection(path, "create");
  try {
    lock.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
    // Nothing is ever written, so there is nothing to roll back, and a full disk has no room for a journal.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
  // Closing it twice does nothing, and ends the transaction.
  return () => lock.close();
}

/**
 * Takes the lock and writes beside it who has it. A killed holder leaves that note behind, and a full disk leaves it out.
 *
 * @returns undefined when another connection holds it.
 */
export function lockWithNote(
  path: string,
  words: string,
  waitMilliseconds: number,
): NotedLock | undefined {
  const release = lockFile(path, waitMilliseconds);
  if (!release) return undefined;
  const note = notePath(path);
  const write = (text: string) => tryTo(() => replaceFile(note, text));
  write(`${words}\n`);
  return {
    note: (more) => write(`${words}\n${more}\n`),
    release() {
      tryTo(() => rmSync(note, { force: true }));
      release();
    },
  };
}

const noteBytesMax = 1000;
const lineLengthMax = 200;

/** @returns who has it, and what else is said, as ASCII; empty when nothing is. */
export function readLockNote(path: string): { readonly holder: string; readonly more: string } {
  let file: number | undefined;
  try {
    // What is no plain file must not be waited for.
    file = openSync(notePath(path), constants.O_RDONLY | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(noteBytesMax);
    const text = bytes.toString("utf8", 0, readSync(file, bytes));
    const [holder = "", more = ""] = text.replace(/[^\x20-\x7e\n]/g, " ").split("\n");
    return { holder: holder.slice(0, lineLengthMax).trim(), more: more.trim() };
  } catch {
    return { holder: "", more: "" };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function notePath(path: string): string {
  return `${path}-by`;
}

/** Never writes through what someone else put there, such as a link out of the folder; a reader sees the old or the new. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
  renameSync(draft, path);
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // The note is only for people.
  }
}
