/**
 * Watches that the files of a running server are those in its folder. Who removes or replaces one leaves the server with a
 * file that nobody else sees: what it counts from then on would be lost, and what it answers is not what others wrote.
 */
import { databaseNames } from "../../data-files/file-names.ts";
import { identifyFile } from "../../sqlite/connection.ts";
import { createStrayFinder, type StrayFile } from "../../sqlite/folder/open-files.ts";

const watchEveryMs = 1000;

export interface FolderWatch {
  /** Looks now. @returns what is wrong and what to do, as text for people; from then on the same. */
  readonly find: () => FolderChange | undefined;
  end(): void;
}

export interface FolderChange {
  /** As text for people, with the way out. */
  readonly text: string;
  /** Whether closing a database may damage it: its log is another one to other processes. */
  readonly isUnsafeToClose: boolean;
}

/** @param changed is called once: at once, when it is so already. */
export function watchFolder(folder: string, changed: (change: FolderChange) => void): FolderWatch {
  const before = identifyFile(folder);
  // Ledgers may be removed, to be read anew: they are opened again.
  const findStray = createStrayFinder(folder, [databaseNames.control, databaseNames.pool]);
  let found: FolderChange | undefined;
  const look = () => {
    const now = identifyFile(folder);
    if (now === before) return findStray();
    return { path: folder, isGone: now === undefined, isSharedMemory: false };
  };
  const find = () => {
    if (found) return found;
    const stray = look();
    if (!stray) return undefined;
    found = { text: describe(stray), isUnsafeToClose: stray.isSharedMemory };
    clearInterval(timer);
    changed(found);
    return found;
  };
  const timer = setInterval(find, watchEveryMs);
  timer.unref();
  find();
  return { find, end: () => clearInterval(timer) };
}

function describe({ path, isGone, isSharedMemory }: StrayFile): string {
  const what = `${path} was ${isGone ? "removed" : "replaced"} under the running server; stopping`;
  const why = "the server and other processes do not see what the other writes";
  return `${what}, since ${why}. ${chooseAdvice(isGone, isSharedMemory)}`;
}

function chooseAdvice(isGone: boolean, isSharedMemory: boolean): string {
  if (isSharedMemory) return "Start the server again; nothing needs to be restored.";
  if (isGone) return "Put it back, then start the server again.";
  return "Start the server again: it checks the files that are there now.";
}
