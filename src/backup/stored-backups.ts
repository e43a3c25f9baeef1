/** Lists and removes the archives in the folder of backups of a server. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { countHoldings } from "./count-holdings.ts";
import type { BackupManifest } from "./manifest.ts";
import { openArchive } from "./read-archive.ts";
import { type KeepTerms, type KeptArchive, listOutdated, sortArchives } from "./retention.ts";
import { removeGently } from "./staging-folder.ts";

export interface StoredBackup {
  /** The file's name in the folder of backups. */
  readonly name: string;
  readonly madeAt: Date;
  readonly bytes: number;
  /** The size of the archived files before compression. */
  readonly dataBytes: number;
  readonly people: number | undefined;
  readonly accounts: number | undefined;
}

const namePattern = /^roster-\d{4}-\d{2}-\d{2}T\d{6}Z(-manual)?\.tar\.zst$/;

const anyNamePattern = /^(roster|before-upgrade)-\d[\dTZ-]+(-manual)?\.tar\.zst$/;

/** @package Creates the name of a backup. Only the name of a requested backup has `-manual`. */
export function createBackupName(at: Date, isScheduled: boolean): string {
  const time = at.toISOString().slice(0, 19).replaceAll(":", "");
  return `roster-${time}Z${isScheduled ? "" : "-manual"}.tar.zst`;
}

interface OwnBackup extends StoredBackup, KeptArchive {
  readonly path: string;
}

/** Lists the backups of this instance, oldest first. Other servers may use the same folder. @package */
export async function listOwnBackups(
  folder: string,
  data: string,
  pattern = namePattern,
): Promise<readonly OwnBackup[]> {
  if (!existsSync(folder)) return [];
  const { instance, audit } = countHoldings(data, ["control.db"]);
  const names = readdirSync(folder).filter((name) => pattern.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const manifest = await openArchive(path).catch(() => undefined);
      if (!manifest || manifest.instance !== instance) return undefined;
      return describeOwn(path, manifest);
    }),
  );
  return sortArchives(
    found.filter((each) => each !== undefined),
    audit?.sequence ?? 0,
  );
}

/** Lists all backups of this instance, also the backups of upgrades, oldest first. */
export const listAllBackups = (folder: string, data: string) =>
  listOwnBackups(folder, data, anyNamePattern);

function describeOwn(path: string, manifest: BackupManifest): OwnBackup | undefined {
  // The file may have been removed meanwhile.
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const { people, accounts } = manifest.counts;
  return {
    ...{ path, name: basename(path), bytes: stats.size, people },
    dataBytes: manifest.members.reduce((sum, { bytes }) => sum + bytes, 0),
    // One account is the operator's own, which no page lists.
    accounts: accounts && accounts - 1,
    isScheduled: namePattern.exec(basename(path))?.[1] === undefined,
    madeAt: new Date(manifest.madeAt),
    sequence: manifest.audit?.sequence ?? 0,
  };
}

/** How many archives stay, in addition to those of the terms, because a copy elsewhere lacks them. */
const waitingMax = 7;

/**
 * Removes the backups of this instance that the terms do not keep. @package
 * @param made the backup that was just made. It stays.
 * @param mustStay whether an archive must stay now. `isOld` means that it has waited too long for a copy.
 * @returns how many archives were removed.
 */
export async function removeOldBackups(
  { folder, data, ...terms }: KeepTerms & { readonly folder: string; readonly data: string },
  made: string,
  mustStay: (name: string, isOld: boolean) => boolean,
): Promise<number> {
  const own = await listOwnBackups(folder, data);
  const old = listOutdated(own, { ...terms, keep: terms.keep + waitingMax });
  const gone = listOutdated(own, terms).filter(
    (one) => one.path !== made && !mustStay(one.name, old.includes(one)),
  );
  for (const { path } of gone) await removeGently(path);
  return gone.length;
}
