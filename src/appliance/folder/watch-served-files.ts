/**
 * Ends a server whose files are no longer those in its folder. For a while it still tells monitors why, and refuses calls:
 * whatever it answered would not be what is in the folder, and whatever it counted would be lost.
 */

import { join } from "node:path";
import { databaseNames } from "../../data-files/file-names.ts";
import { createUnavailableHandler, type Listener } from "../../interfaces/http/http.ts";
import { watchStamps } from "../../sqlite/read-only.ts";
import type { DataFolder } from "../data-folder.ts";
import { type FolderChange, watchFolder } from "./folder-watch.ts";
import type { Dependencies } from "./open-files.ts";

/** As long as monitors and load balancers need to ask. */
const lingerMs = 10_000;

export interface ServedFilesWatch {
  /** Ends the watch; and the process, when it was to end anyway: then nothing may be closed. */
  end(): void;
}

/**
 * @param parts.listener absent: nobody can ask, so it ends at once.
 * @param parts.quieten ends what the server does by itself.
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

/** A file that changes while it is read without locks gives wrong answers: better none, and a new start. */
function watchUnlocked(data: string, stop: (change: FolderChange) => void): () => void {
  const paths = [databaseNames.control, databaseNames.pool].map((name) => join(data, name));
  return watchStamps(paths, (path) => {
    const text = `${path} was changed while it was served read-only; stopping. Start the server again.`;
    stop({ text, isUnsafeToClose: false });
  });
}
