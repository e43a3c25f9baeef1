/** What others may have laid into a data folder, or may do there: looked at before anything in it is opened. */

import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../contract/fault.ts";
import type { Log } from "../operations/log-call.ts";

/** Drafts, journals and locks begin like the files that they belong to. */
const isOurs = (name: string) => /^(control|pool|ingest|search|server)\./.test(name);

/**
 * A link would have us read or overwrite what it names; a pipe would have us wait for ever.
 *
 * @throws Fault naming a file of ours that is no plain file.
 */
export function refuseLinks(folder: string): void {
  for (const path of filesIn(folder)) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found || found.isFile()) continue;
    const what = found.isSymbolicLink() ? "a symbolic link" : "no plain file";
    throw new Fault(
      "link_in_folder",
      `${path} is ${what}; nothing in a data folder is followed out of it.`,
    );
  }
}

/**
 * Says who else gets at a folder. It is served all the same: volumes of containers are often made open to all, and
 * shared with nobody.
 */
export function warnOfOpenAccess(folder: string, log: Pick<Log, "warn">): void {
  // Windows has no such modes.
  if (process.platform === "win32") return;
  const mode = statSync(folder).mode & 0o777;
  if (mode & 0o022) {
    const about = { folder, mode: mode.toString(8) };
    log.warn(
      about,
      "others can write to the data folder, so they can let themselves in; chmod 700",
    );
  }
  const open = filesIn(folder).filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  if (open.length > 0) {
    log.warn({ files: open }, "others can read or change files of the data folder; chmod 600");
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter(isOurs)
    .map((name) => join(folder, name));
}
