import {
  closeSync,
  constants,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Connection } from "../../../sqlite/connection.ts";
import type { ImportUnderWay, ProgressNote } from "../../pool.ts";
import {
  createRunningFault,
  describeHolder,
  parseProgress,
} from "../../rows/importing/import-notes.ts";

export type Release = () => void;

/** @package What holds the lock. */
export interface HeldFile {
  readonly release: Release;
  /** Writes into the note how far it is: at most once a second, whatever the caller does. */
  noteProgress(progress: ProgressNote): void;
}

/**
 * Lets one import run at a time, across all processes. The operating system frees a SQLite lock when its
 * holder dies for any reason, so a killed import never blocks the next one; a file with a process id would.
 *
 * @package
 * @param path the pool's file; the lock is an empty file beside it. ":memory:" needs none, as it has one owner.
 * @param waitMilliseconds how long to wait for another holder.
 * @returns undefined when another process holds it.
 */
export function lockImports(path: string, waitMilliseconds: number): Release | undefined {
  if (path === ":memory:") return () => {};
  const lock = new Connection(`${path}.importing`, "create");
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
  return () => {
    lock.run("ROLLBACK");
    lock.close();
  };
}

/**
 * Takes the lock and writes beside it, for people, who has it, since when and for what. That note decides nothing: a
 * killed holder leaves it behind, and a full disk leaves it out.
 *
 * @package
 * @throws Fault `import_running` with the words of the holder.
 */
export function lockWithNote(
  path: string,
  source: string,
  { waitMilliseconds, now }: { readonly waitMilliseconds: number; readonly now: () => Date },
): HeldFile {
  const release = lockImports(path, waitMilliseconds);
  if (!release) throw createRunningFault(readHolder(path));
  const note = holderFile(path);
  const words = describeHolder(source, now());
  let notedMs = Number.NEGATIVE_INFINITY;
  const write = (text: string) => {
    if (path !== ":memory:") tryTo(() => replaceFile(note, text));
  };
  write(`${words}\n`);
  return {
    noteProgress(progress) {
      const nowMs = performance.now();
      if (nowMs - notedMs < noteEveryMs) return;
      notedMs = nowMs;
      const label = progress.label?.slice(0, labelLengthMax);
      write(
        `${words}\n${JSON.stringify({ ...progress, ...(label !== undefined && { label }) })}\n`,
      );
    },
    release() {
      if (path !== ":memory:") tryTo(() => rmSync(note, { force: true }));
      release();
    },
  };
}

const noteEveryMs = 1000;
const labelLengthMax = 300;

/** @package @returns what imports now, in any process; undefined when nothing does. */
export function readUnderWay(path: string): ImportUnderWay | undefined {
  const [holder = "", progress = ""] = readNote(path);
  // Without a note the lock is not asked: who asks holds it for a moment, and a start of an import would have to wait.
  if (holder === "" || !isLocked(path)) return undefined;
  return { holder, progress: parseProgress(progress) };
}

function isLocked(path: string): boolean {
  const release = lockImports(path, 0);
  release?.();
  return !release;
}

function holderFile(path: string): string {
  return `${path}.importing-by`;
}

const noteBytesMax = 1000;
const holderLengthMax = 200;

function readHolder(path: string): string {
  const [holder = ""] = readNote(path);
  return holder;
}

/** @returns its lines, as ASCII; none when there is none. */
function readNote(path: string): readonly string[] {
  let file: number | undefined;
  try {
    // What is no plain file must not be waited for.
    file = openSync(holderFile(path), constants.O_RDONLY | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(noteBytesMax);
    const text = bytes.toString("utf8", 0, readSync(file, bytes));
    const [holder = "", ...rest] = text.replace(/[^\x20-\x7e\n]/g, " ").split("\n");
    return [holder.slice(0, holderLengthMax), ...rest].map((line) => line.trim());
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
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
