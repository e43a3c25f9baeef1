import { Database } from "bun:sqlite";
import { closeSync, constants, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";

export type Release = () => void;

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
  const lock = new Database(`${path}.importing`, { create: true });
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
): Release {
  const release = lockImports(path, waitMilliseconds);
  if (!release) throw createRunningFault(readHolder(path));
  const note = holderFile(path);
  const since = now().toISOString().slice(0, 19);
  const words = `${purposes[source] ?? `an import of ${source}`}, process ${process.pid}, since ${since}Z`;
  if (path !== ":memory:") tryTo(() => replaceFile(note, `${words}\n`));
  return () => {
    if (path !== ":memory:") tryTo(() => rmSync(note, { force: true }));
    release();
  };
}

/** @package */
export function createRunningFault(holder = ""): Fault {
  const words = holder && ` (${holder})`;
  return new Fault("import_running", `Another import is running${words}.`);
}

/** What each source does, as the refusal of another import says it. */
const purposes: Record<string, string | undefined> = {
  git: "an ingest of git histories",
  identity: "a decision on who is who",
  import: "an import of a file",
  rescore: "a rescore of everybody",
  demo: "the loading of the demo people",
};

function holderFile(path: string): string {
  return `${path}.importing-by`;
}

const noteBytesMax = 200;

function readHolder(path: string): string {
  let file: number | undefined;
  try {
    // What is no plain file must not be waited for.
    file = openSync(holderFile(path), constants.O_RDONLY | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(noteBytesMax);
    const text = bytes.toString("utf8", 0, readSync(file, bytes));
    return text.replace(/[^\x20-\x7e]/g, " ").trim();
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Never writes through what someone else put there, such as a link out of the folder. */
function replaceFile(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: "wx", mode: 0o600 });
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // The note is only for people.
  }
}
