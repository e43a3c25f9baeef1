/** Checks the permissions and the free space of a data folder, and finds remains of a crash. */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { databaseNames } from "../data-files/file-names.ts";
import { hasInterruptedRestore, listReplaced } from "../restore/swap.ts";
import { identifyFile } from "../sqlite/connection.ts";
import { measureFile } from "../sqlite/file-form.ts";
import { readFreeBytes } from "../sqlite/folder/disk-space.ts";
import { isAlive } from "../sqlite/folder/draft.ts";
import { isFolderLocked, listFilesOfServer } from "../sqlite/folder/folder-lock.ts";
import { describeMove, readMoveNote } from "../sqlite/folder/move-note.ts";
import type { Finding } from "./finding.ts";

const isOurs = (name: string) => /^(control|pool|ingest|forges|search|server)\./.test(name);

/** @package @returns undefined if there is no folder. */
export function examineFolder(folder: string): readonly Finding[] | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return undefined;
  const names = readdirSync(folder).filter(isOurs);
  return [
    ...describeServer(folder),
    ...listLinks(folder, names),
    ...(process.platform === "win32" ? [] : listOpenAccess(folder, stats.mode, names)),
    ...listLeftovers(names),
    ...listInterruptedRestore(folder),
    ...listMove(folder),
    ...listReplaced(folder).map((path) => ({ ...replaced, about: basename(path) })),
    ...listShortage(folder),
  ];
}

function describeServer(folder: string): readonly Finding[] {
  if (!isFolderLocked(folder)) {
    return [{ level: "ok", about: "folder", text: "no server is running on it" }];
  }
  const running = "a server is running on it: the findings may be older than its latest writes";
  return [{ level: "ok", about: "folder", text: running }, ...listSwapped(folder)];
}

/** Finds files that were moved or replaced while the server has them open. */
function listSwapped(folder: string): readonly Finding[] {
  const open = listFilesOfServer(folder);
  if (!open) return [];
  const names = [...open.values()].map((name) => name.replace(/ \(deleted\)$/, ""));
  const watched = [databaseNames.control, databaseNames.pool].flatMap((name) => [
    name,
    `${name}-shm`,
  ]);
  return watched.flatMap((about): readonly Finding[] => {
    const path = join(realpathSync(folder), about);
    const now = identifyFile(path);
    if (!names.includes(path) || (now !== undefined && open.has(now))) return [];
    const what = now === undefined ? "is gone" : "is not the one that the server has open";
    const text = `it ${what}: the server and other processes do not see each other's writes`;
    return [{ level: "fault", about, text, remedy: "restart" }];
  });
}

function listLinks(folder: string, names: readonly string[]): readonly Finding[] {
  return names
    .filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === false)
    .map((about) => ({
      ...{ level: "fault", about, remedy: "permissions" },
      text: "it is a link or not a plain file; Roster follows no links out of a data folder",
    }));
}

function listOpenAccess(
  folder: string,
  mode: number,
  names: readonly string[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const remedy = "permissions";
  if ((mode & 0o022) !== 0) {
    const text = "others can write to it, so they can change accounts and keys";
    findings.push({ level: "warning", about: "folder", text, remedy });
  }
  const open = names.filter((name) => {
    const own = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return own?.isFile() && (own.mode & 0o077) !== 0;
  });
  if (open.length > 0) {
    const text = `others can read or change ${open.join(", ")}`;
    findings.push({ level: "warning", about: "folder", text, remedy });
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    const text = "this user cannot write to it, or it is mounted read-only";
    findings.push({ level: "warning", about: "folder", text, remedy });
  }
  return findings;
}

function listLeftovers(names: readonly string[]): readonly Finding[] {
  const dead = names.filter((name) => {
    const pid = /\.(\d+)\.tmp/.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  if (dead.length === 0) return [];
  const text = `a crash left ${dead.join(", ")}; the next start removes it`;
  return [{ level: "warning", about: "folder", text, remedy: "start" }];
}

function listInterruptedRestore(folder: string): readonly Finding[] {
  if (!hasInterruptedRestore(folder)) return [];
  const text = "a restore was interrupted, and files are in two places; the next start finishes it";
  return [{ level: "fault", about: "folder", text, remedy: "start" }];
}

function listMove(folder: string): readonly Finding[] {
  const note = readMoveNote(folder);
  if (!note) return [];
  return [{ level: "fault", about: "folder", text: describeMove("it", note), remedy: "moved" }];
}

const replaced = {
  level: "ok",
  text: "files that a restore replaced: delete them when you no longer need them; the next forget does",
} as const;

/** With less free space, counting a call may fail. */
const freeBytesMin = 1024 * 1024;

function listShortage(folder: string): readonly Finding[] {
  const free = readFreeBytes(folder);
  const pool = measureFile(join(folder, databaseNames.pool));
  const about = "disk";
  const remedy = "space";
  if (free < freeBytesMin) return [{ level: "fault", about, text: "it is full", remedy }];
  const mebibytes = Math.floor(free / 2 ** 20);
  // An upgrade needs free space for a second pool.
  if (free < pool + freeBytesMin) {
    const text = `${mebibytes} MiB are free: too little to rewrite pool.db`;
    return [{ level: "warning", about, text, remedy }];
  }
  return [{ level: "ok", about, text: `${mebibytes} MiB are free` }];
}
