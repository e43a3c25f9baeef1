import { lstatSync, statSync } from "node:fs";
import { link, open, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Fault, isFault } from "../contract/fault.ts";
import type { ControlStore } from "../control/control-store.ts";
import { everyDatabaseFile } from "../data-files/data-files.ts";
import { type DatabaseName, databaseNames } from "../data-files/file-names.ts";
import { putInPlace } from "../sqlite/folder/move-files.ts";
import { countHoldings } from "./count-holdings.ts";
import type { PlacedArchive } from "./places/place.ts";
import { sendArchive } from "./places/send-archive.ts";
import { type BackupHearing, openArchive } from "./read-archive.ts";
import { createFileFault, createStagingFolder } from "./staging-folder.ts";
import type { WrittenArchive } from "./write-archive.ts";
import { writeInWorker } from "./write-in-worker.ts";

export interface BackupRequest extends BackupHearing {
  /** The data folder. A server may be using it. */
  readonly data: string;
  /** The file for the archive, or `-` for standard output. */
  readonly target: string;
  /** Where `target` is if it is no file. The archive is written in the data folder first. */
  readonly placed?: PlacedArchive | undefined;
  readonly version: string;
  readonly now: () => Date;
  /** Whether to replace any existing file. If false, only a backup of the same instance is replaced. */
  readonly replacesAny?: boolean;
  /** The age recipients who can open the archive. Without any, it is not encrypted. */
  readonly recipients?: readonly string[];
}

export interface BackupReceipt extends WrittenArchive {
  readonly file: string;
}

/**
 * Writes one archive of a data folder of any version. A server may be using the folder.
 * @throws Fault `no_data`, `file_exists` or `interrupted`.
 * @throws Fault `store` if a database is missing or damaged.
 * @throws Fault `no_space` or `system` if the disk cannot be written.
 */
export async function backUp(request: BackupRequest): Promise<BackupReceipt> {
  const { data, target, placed, version, now, signal, onProgress, recipients = [] } = request;
  requireDatabases(data);
  const kind = placed ? "place" : target === "-" ? "stream" : lookAt(target);
  if ((kind === "file" || placed) && !request.replacesAny) await requireOwnBackup(request);
  const parent = kind === "stream" || placed ? data : dirname(resolve(target));
  await using staging = await createStagingFolder(parent);
  const draft = join(staging.path, "archive");
  const output = target === "-" ? 1 : kind === "stream" ? target : draft;
  const written = await writeInWorker(
    {
      ...{ data, staging: staging.path, output, target, version, recipients },
      madeAt: now().toISOString(),
      applicationIds: Object.fromEntries(
        everyDatabaseFile.map(({ name, kind }) => [name, kind.applicationId]),
      ) as Record<DatabaseName, number>,
    },
    { signal, onProgress },
  );
  if (placed)
    await sendArchive(placed, { ...written, file: draft, staging: staging.path }, request);
  else if (kind !== "stream") await placeArchive(draft, target, kind === "file");
  return { file: target, ...written };
}

/**
 * Records a backup in the control store and its audit log. The file's name is left out, because a path may name people.
 * @param actor who made the backup: `operator`, `server`, or the id of an account.
 */
export async function recordBackup(
  { noteBackup }: Pick<ControlStore["folder"], "noteBackup">,
  { bytes, manifest }: BackupReceipt,
  actor: string,
): Promise<void> {
  const at = new Date(manifest.madeAt);
  const { people = null, accounts = null, activeKeys = null } = manifest.counts;
  const detail = { bytes, people, accounts, activeKeys };
  const subject = manifest.instance ?? "";
  await noteBackup({ at, actor, action: "backup.made", subject, detail });
}

function requireDatabases(data: string): void {
  for (const { name } of everyDatabaseFile) {
    const path = join(data, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) continue;
    if (stats) throw new Fault("store", `${path} must be a regular file, not a link or folder.`);
    if (name === databaseNames.control) throw new Fault("no_data", `${data} holds no Roster data.`);
    // The other databases may be missing if nothing was ever ingested.
    if (name === databaseNames.pool)
      throw new Fault("store", `${path} is missing; a backup without it would be useless.`);
  }
}

function lookAt(target: string): "nothing" | "file" | "stream" {
  try {
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    return stats ? (stats.isFile() ? "file" : "stream") : "nothing";
  } catch (error) {
    throw createFileFault(target, error);
  }
}

/** Refuses to replace a file that is no backup of this instance, because the name may be mistyped. */
async function requireOwnBackup({ target, data, placed, signal }: BackupRequest): Promise<void> {
  const { instance } = countHoldings(data, [databaseNames.control]);
  const there = await openArchive(target, { placed, signal }).catch((error) => {
    if (isFault(error, "not_found")) return { instance };
    // Any other fault says that the place cannot be asked.
    if (placed && !(isFault(error) && error.code.endsWith("_backup"))) throw error;
    return {};
  });
  if (instance !== undefined && there.instance === instance) return;
  throw new Fault("file_exists", `${target} exists, and is no known backup of this instance.`);
}

/** Gives the archive its final name. A hard link never replaces an existing file. */
async function placeArchive(draft: string, target: string, replaces: boolean): Promise<void> {
  try {
    if (replaces) {
      // The old backup gets a second name in the staging folder. It is removed gradually with this folder.
      await link(target, join(dirname(draft), "replaced")).catch(() => {});
      await rename(draft, target);
    } else if (!putInPlace(draft, target)) {
      throw new Fault("file_exists", `${target} was created meanwhile.`);
    }
  } catch (error) {
    throw createFileFault(target, error);
  }
  // Not every system can sync a folder. The archive itself is already on the disk.
  const folder = await open(dirname(resolve(target)), "r").catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}
