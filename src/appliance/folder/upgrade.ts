/**
 * Upgrades a data folder at the first start of a newer Roster. First it makes a backup, then it migrates each file in one
 * transaction. If the process is killed, the next start continues.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Fault, isFault } from "../../contract/fault.ts";
import { everyDatabaseFile } from "../../data-files/data-files.ts";
import { databaseNames } from "../../data-files/file-names.ts";
import type { Log } from "../../operations/log-call.ts";
import { type DatabaseKind, openDatabase } from "../../sqlite/database.ts";
import { countFileBytes, foldWal, readFileForm } from "../../sqlite/file-form.ts";
import { requireRoom } from "../../sqlite/folder/disk-space.ts";
import { lockFolder } from "../../sqlite/folder/folder-lock.ts";

export interface UpgradeContext {
  readonly now: () => Date;
  readonly log: Pick<Log, "warn">;
  readonly version: string;
  readonly step?: (text: string) => void;
  /** Whether this process already holds the server's lock. */
  readonly isLocked: boolean;
  /** Whether the folder is a copy. No backup of a copy is made. */
  readonly isCopy: boolean;
}

interface OlderFile {
  readonly path: string;
  readonly kind: DatabaseKind;
  readonly form: number;
}

/** Finds the files that must be migrated. @throws Fault `newer_folder` if a newer Roster has written a file. */
export function findOlderFiles(data: string): readonly OlderFile[] {
  const files = everyDatabaseFile.flatMap(({ name, kind }) => {
    const path = join(data, name);
    const form = readFileForm(path, kind);
    return form === undefined ? [] : [{ path, kind, form }];
  });
  const newer = files.find(({ kind, form }) => form > kind.migrations.length);
  if (newer) throw createNewerFault(data, newer);
  return files.filter(({ kind, form }) => form < kind.migrations.length);
}

function createNewerFault(data: string, { path, kind, form }: OlderFile): Fault {
  const backup = listUpgradeBackups(data).at(-1);
  const known = kind.migrations.length;
  const message = `${path} has form ${form}, and this Roster knows forms up to ${known}: a newer Roster has written it. Nothing was changed.`;
  const before = backup === undefined ? "" : ` Its earlier state is in ${backup}.`;
  return new Fault("newer_folder", message + before);
}

/**
 * Makes a backup and migrates every file that has an older version.
 * @throws Fault if a newer Roster wrote a file, if an older server is running, or if the backup or a migration fails.
 */
export async function upgradeFolder(data: string, context: UpgradeContext): Promise<void> {
  // Without control.db there is nothing to upgrade.
  if (!existsSync(join(data, databaseNames.control))) return;
  if (findOlderFiles(data).length === 0) {
    // A process may have been killed after the upgrade and before it removed its note.
    removeNote(data);
    return;
  }
  const lock = context.isLocked ? undefined : lockOlderFolder(data);
  try {
    // Another process may have upgraded the folder before the lock was taken.
    const older = findOlderFiles(data);
    if (older.length === 0) return;
    for (const { path } of older) foldWal(path);
    const bytes = older.reduce((sum, { path }) => sum + countFileBytes(path), 0);
    // A migration may write each row twice: to the file and to its log.
    requireRoom(join(data, databaseNames.control), 2 * bytes);
    const backup = context.isCopy
      ? undefined
      : (findBackup(data, older) ?? (await makeBackup(data, older, context)));
    for (const file of older) migrateFile(file, backup, context);
    removeNote(data);
    for (const old of listUpgradeBackups(data).slice(0, -backupsStored)) {
      if (old !== backup) rmSync(old, { force: true });
    }
  } finally {
    lock?.release();
  }
}

function lockOlderFolder(data: string) {
  try {
    return lockFolder(data);
  } catch (error) {
    if (!isFault(error) || error.code !== "folder_in_use") throw error;
    const message = `${error.message} Its files have an older form, and cannot be upgraded while a server runs.`;
    throw new Fault(error.code, message, { cause: error });
  }
}

function migrateFile(
  { path, kind, form }: OlderFile,
  backup: string | undefined,
  { log, step }: UpgradeContext,
) {
  const detail = { file: basename(path), from: form, to: kind.migrations.length };
  step?.(`Upgrading ${detail.file} ...`);
  try {
    openDatabase(path, kind).close();
  } catch (error) {
    const reason = (error as Error).message;
    const where = backup === undefined ? "" : ` A backup of the whole folder is in ${backup}.`;
    const message = `${path} cannot be upgraded, and was not changed: ${reason}${where}`;
    throw new Fault(isFault(error) ? error.code : "store", message, { cause: error });
  }
  log.warn(detail, `${detail.file} was upgraded from form ${detail.from} to ${detail.to}`);
}

const backupsStored = 3;
const getBackupFolder = (data: string) => join(data, "backups");

/** Lists the backups that upgrades made, the oldest first. */
export function listUpgradeBackups(data: string): readonly string[] {
  const folder = getBackupFolder(data);
  try {
    const names = readdirSync(folder).filter((name) => /^before-upgrade-.+\.tar\.zst$/.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The note that an upgrade writes before it begins. `changedMs` says when each older file was last changed. */
interface UpgradeNote {
  readonly backup: string;
  readonly changedMs: Readonly<Record<string, number>>;
}

const getNotePath = (data: string) => join(getBackupFolder(data), "unfinished-upgrade.json");

function removeNote(data: string): void {
  if (existsSync(getNotePath(data))) rmSync(getNotePath(data));
}

const readChange = ({ path }: OlderFile) => statSync(path).ctimeMs;

async function makeBackup(
  data: string,
  older: readonly OlderFile[],
  { now, version, log, step }: UpgradeContext,
): Promise<string> {
  step?.("Backing the folder up before its upgrade ...");
  const changedMs = Object.fromEntries(
    older.map((file) => [basename(file.path), readChange(file)]),
  );
  const note: UpgradeNote = {
    backup: `before-upgrade-${now().toISOString().replace(/[:.]/g, "-")}.tar.zst`,
    changedMs,
  };
  const backup = join(getBackupFolder(data), note.backup);
  try {
    mkdirSync(getBackupFolder(data), { recursive: true, mode: 0o700 });
    writeFileSync(getNotePath(data), JSON.stringify(note), { mode: 0o600 });
    // The module is loaded only here, because most starts upgrade nothing.
    const { backUp } = await import("../../backup/backup.ts");
    await backUp({ data, target: backup, version, now });
  } catch (error) {
    removeNote(data);
    const reason = (error as Error).message;
    const message = `${data} has files of an older form, and cannot be backed up before their upgrade: ${reason} Nothing was changed.`;
    throw new Fault(isFault(error) ? error.code : "store", message, { cause: error });
  }
  log.warn({ backup }, `the folder was backed up before its upgrade: ${backup}`);
  return backup;
}

/** Returns the backup of an interrupted upgrade. Undefined means that a file has changed since the backup. */
function findBackup(data: string, older: readonly OlderFile[]): string | undefined {
  try {
    const note = JSON.parse(readFileSync(getNotePath(data), "utf8")) as UpgradeNote;
    const backup = listUpgradeBackups(data).find((path) => basename(path) === note.backup);
    const isSame = older.every((file) => note.changedMs[basename(file.path)] === readChange(file));
    return isSame ? backup : undefined;
  } catch {
    return undefined;
  }
}
