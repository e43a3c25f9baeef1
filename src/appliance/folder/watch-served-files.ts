/**
 * Stops a server when its open files are no longer those in its folder. It first refuses calls for a while and tells monitors why:
 * its answers would not match the folder, and the calls it counted would be lost.
 */

import { join } from "node:path";
import { databaseNames } from "../../data-files/file-names.ts";
import { createUnavailableHandler, type Listener } from "../../interfaces/http/http.ts";
import { watchStamps } from "../../sqlite/read-only.ts";
import type { DataFolder } from "../data-folder.ts";
import { type FolderChange, watchFolder } from "./folder-watch.ts";
import type { Dependencies } from "./open-files.ts";

/** The time that monitors and load balancers need to ask. */
const lingerMs = 10_000;

export interface ServedFilesWatch {
  /** Ends the watch. Ends the process too, if it was about to end: then nothing may be closed. */
  end(): void;
}

/**
 * @param parts.listener absent when monitors cannot ask; the server then ends at once.
 * @param parts.quieten ends the server's background work.
 */
export function watchServedFiles(parts: {
  readonly folder: Pick<DataFolder, "faults" | "isReadOnly">;
  readonly data: string;
  readonly dependencies: Pick<Dependencies, "newId" | "fatal" | "abandon">;
  readonly listener: Pick<Listener, "answerWith"> | undefined;
  readonly quieten: () => void;
}): ServedFilesWatch {
  const { folder, data, dependencies, listener, quieten } = parts;
  const { newId, fatal, abandon } = dependencies;
  let endNow: (() => void) | undefined;
  const stop = ({ text, isUnsafeToClose }: FolderChange) => {
    folder.faults.overrule(text);
    const message = "the server has lost its files and must be started again";
    listener?.answerWith(createUnavailableHandler({ newId, reason: () => text, message }));
    quieten();
    endNow = () => (isUnsafeToClose ? abandon?.() : fatal?.(new Error(text)));
    setTimeout(endNow, listener ? lingerMs : 0);
  };
  const watch = watchFolder(data, stop);
  folder.faults.checkFirst(watch.find);
  const endStamps = folder.isReadOnly ? watchUnlocked(data, stop) : () => {};
  return {
    end() {
      watch.end();
      endStamps();
      endNow?.();
    },
  };
}

/** Stops the server when a file that it reads without locks changes: its answers would be wrong. */
function watchUnlocked(data: string, stop: (change: FolderChange) => void): () => void {
  const paths = [databaseNames.control, databaseNames.pool].map((name) => join(data, name));
  return watchStamps(paths, (path) => {
    const text = `${path} was changed while it was served read-only; stopping. Start the server again.`;
    stop({ text, isUnsafeToClose: false });
  });
}
