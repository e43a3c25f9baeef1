/**
 * A lock between processes, with a note that tells people which process holds it. The operating system releases the lock when its
 * holder ends.
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

/**
 * Locks a file until the returned function is called.
 * @param path an empty file, which is not removed.
 * @param waitMilliseconds how long to wait for another holder. The wait blocks the thread.
 * @returns a function that releases the lock. Undefined means that another connection has the lock.
 */
export function lockFile(path: string, waitMilliseconds: number): (() => void) | undefined {
  const lock = new Connection(path, "create");
  try {
    lock.run(`PRAGMA busy_timeout = ${waitMilliseconds}`);
    // The lock file is never written, so it needs no journal on disk.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
  // Closing ends the transaction. Closing twice is harmless.
  return () => lock.close();
}

/** Takes the lock and writes a note that describes its holder. @returns undefined if another connection has the lock. */
export function lockWithNote(path: string, words: string, waitMilliseconds: number) {
  const release = lockFile(path, waitMilliseconds);
  if (!release) return undefined;
  const note = notePath(path);
  const write = (text: string) => tryTo(() => replaceFile(note, text));
  write(`${words}\n`);
  return {
    /** Replaces the text of the note below the description of the holder. */
    note: (more: string) => write(`${words}\n${more}\n`),
    /** Releases the lock and removes the note. */
    release() {
      tryTo(() => rmSync(note, { force: true }));
      release();
    },
  };
}

const noteBytesMax = 1000;
const lineLengthMax = 200;

/** @returns the description of the lock's holder and the rest of the note. Both are empty if there is no note. */
export function readLockNote(path: string): { readonly holder: string; readonly more: string } {
  let file: number | undefined;
  try {
    // With O_NONBLOCK, opening a pipe does not wait for its writer.
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

/** Replaces the file by a rename, so that a reader sees either the old or the new text. */
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
    // A failure does not matter, because only people read the note.
  }
}
