/**
 * Watches that the open files of a running server are those in its folder. After a file was removed or replaced, the server has a
 * file that no other process sees: the calls that it counts would be lost, and it would miss what others write.
 */
import { databaseNames } from "../../data-files/file-names.ts";
import { identifyFile } from "../../sqlite/connection.ts";
import { createStrayFinder, type StrayFile } from "../../sqlite/folder/open-files.ts";

const watchEveryMs = 1000;

export interface FolderWatch {
  /** Checks now. @returns the fault and the remedy, as text for people; once there is one, always the same. */
  readonly find: () => FolderChange | undefined;
  end(): void;
}

export interface FolderChange {
  /** The fault and its remedy, as text for people. */
  readonly text: string;
  /** Whether closing a database may damage it, because other processes use another log for it. */
  readonly isUnsafeToClose: boolean;
}

/** @param changed is called once; immediately, if a file was replaced already. */
export function watchFolder(folder: string, changed: (change: FolderChange) => void): FolderWatch {
  const before = identifyFile(folder);
  // Ledgers may be removed in order to rebuild them: they are opened again.
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
  const why = "the server and other processes do not see each other's writes";
  return `${what}, since ${why}. ${chooseAdvice(isGone, isSharedMemory)}`;
}

function chooseAdvice(isGone: boolean, isSharedMemory: boolean): string {
  if (isSharedMemory) return "Start the server again; nothing needs to be restored.";
  if (isGone) return "Put it back, then start the server again.";
  return "Start the server again: it checks the files that are there now.";
}
