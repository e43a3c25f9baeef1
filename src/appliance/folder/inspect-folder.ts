/** Checks a data folder before its files are opened: who has access, and whether they are plain files. */
import { accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import { databaseNames } from "../../data-files/file-names.ts";
import type { Log } from "../../operations/log-call.ts";

/** Whether a file is Roster's, such as `pool.db` or `pool.db-wal`. */
const isOurs = (name: string) => /^(control|pool|ingest|forges|search|server|moved)\./.test(name);

/**
 * Refuses links and pipes. Roster would write to the target of a link, and wait for ever for a pipe.
 * @throws Fault if a file of Roster's is not a plain file. The message names the file.
 */
export function refuseLinks(folder: string): void {
  for (const path of listOurFiles(folder)) {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry || entry.isFile()) continue;
    const what = entry.isSymbolicLink() ? "a symbolic link" : "no plain file";
    throw new Fault(
      "link_in_folder",
      `${path} is ${what}; the files of a data folder must be in the folder itself.`,
    );
  }
}

/** Warns if other users have access to a folder. The folder is still used, because volumes of containers are often open. */
export function warnOfOpenAccess(folder: string, log: Pick<Log, "warn">): void {
  // Windows has no such permissions.
  if (process.platform === "win32") return;
  const mode = statSync(folder).mode & 0o777;
  if (mode & 0o022) {
    const detail = { folder, mode: mode.toString(8) };
    log.warn(
      detail,
      "others can write to the data folder, so they can change accounts and keys; chmod 700",
    );
  }
  const open = listOurFiles(folder).filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  if (open.length > 0) {
    log.warn({ files: open }, "others can read or change files of the data folder; chmod 600");
  }
}

/** Warns of secret files that other users can read. Containers often mount secrets in this way, so the files are still used. */
export function warnOfOpenSecrets(
  { secretFiles, tls, metrics }: Pick<Config, "secretFiles" | "tls" | "metrics">,
  log: Pick<Log, "warn">,
): void {
  if (process.platform === "win32") return;
  const named = {
    ...secretFiles,
    "tls.keyFile": tls.keyFile,
    "metrics.tokenFile": metrics.tokenFile,
  };
  for (const [setting, file] of Object.entries(named)) {
    const mode = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & 0o077) === 0) continue;
    const detail = { setting, file, mode: (mode & 0o777).toString(8) };
    log.warn(detail, "others can read this file, which holds a secret; chmod 600");
  }
}

/** Whether this process can write the folder and its databases. */
export function isWritable(folder: string): boolean {
  return [folder, join(folder, databaseNames.control), join(folder, databaseNames.pool)].every(
    (path) => {
      try {
        accessSync(path, constants.W_OK);
        return true;
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        return !["EACCES", "EROFS", "EPERM"].includes(code);
      }
    },
  );
}

/** @throws Fault `read_only` if the folder or one of its files cannot be written. */
export function requireWritable(folder: string): void {
  if (isWritable(folder)) return;
  throw new Fault("read_only", `${folder} is read-only: it or a file in it cannot be written.`);
}

function listOurFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter(isOurs)
    .map((name) => join(folder, name));
}
