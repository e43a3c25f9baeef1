/**
 * Stores the indexes of clones in the user's cache folder: a data folder and a note for each repository. Indexes that were not used for
 * 90 days are removed, and the oldest ones if all take more than 4 GB. The next command in the clone builds the index again.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCacheFolder } from "../../../config/config.ts";
import { Fault } from "../../../contract/fault.ts";
import { writeAtomically } from "../write-file.ts";
import type { FoundClone } from "./find-clone.ts";
import { deriveIndexName } from "./find-clone.ts";

export interface CloneIndex {
  /** The data folder of the index. */
  readonly folder: string;
  /** The path of the `.git` folder or bare repository that was indexed. */
  readonly repository: string;
  /** Time when a command last used the index. */
  readonly usedAt: Date;
  readonly bytes: number;
  /** Whether people were erased from the index. It is never removed then: a new index would contain them again. */
  readonly hasForgotten: boolean;
}

const dayMs = 86_400_000;
const evictAfterMs = 90 * dayMs;
const bytesMax = 4 * 2 ** 30;
/** An index is not removed within this time after its last use, because it may still be in use. */
const busyMs = dayMs / 24;

interface Note {
  readonly repository: string;
  readonly usedAt: string;
  readonly hasForgotten: boolean;
}

/**
 * Makes room for a new index, and notes the use of this one.
 *
 * @returns the data folder of the clone's index, which may be new.
 * @throws Fault if the cache folder could belong to another user.
 */
export function openCloneCache(clone: FoundClone, now: Date): string {
  const cache = findCacheFolder();
  for (const folder of [dirname(cache), cache]) makeOwnFolder(folder);
  const folder = join(cache, deriveIndexName(clone));
  if (!lstatSync(folder, { throwIfNoEntry: false })) evict(now);
  makeOwnFolder(folder);
  const { hasForgotten = false } = readNote(folder) ?? {};
  writeNote(folder, { repository: clone.repository, usedAt: now.toISOString(), hasForgotten });
  return folder;
}

/** Notes that a person was erased from an index, so that the index is never removed. */
export function keepForgotten(folder: string): void {
  const note = readNote(folder);
  if (note && !note.hasForgotten) writeNote(folder, { ...note, hasForgotten: true });
}

export function listCloneIndexes(): readonly CloneIndex[] {
  const cache = findCacheFolder();
  if (!lstatSync(cache, { throwIfNoEntry: false })) return [];
  requireOwn(cache);
  return readdirSync(cache, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = join(cache, name);
      const note = readNote(folder);
      const usedAt = new Date(note?.usedAt ?? lstatSync(folder).mtimeMs);
      const { repository = "unknown", hasForgotten = true } = note ?? {};
      return { folder, repository, usedAt, hasForgotten, bytes: measure(folder) };
    })
    .sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
}

export function removeCloneIndex({ folder }: Pick<CloneIndex, "folder">): void {
  requireOwn(folder);
  rmSync(folder, { recursive: true, force: true });
  rmSync(noteOf(folder), { force: true });
}

function evict(now: Date): void {
  let bytes = 0;
  for (const index of listCloneIndexes()) {
    bytes += index.bytes;
    const unusedMs = now.getTime() - index.usedAt.getTime();
    const isOver = unusedMs > evictAfterMs || bytes > bytesMax;
    if (isOver && unusedMs > busyMs && !index.hasForgotten) removeCloneIndex(index);
  }
}

function measure(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name }) => sum + lstatSync(join(folder, name)).size, 0);
}

const noteOf = (folder: string) => `${folder}.json`;

function readNote(folder: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(noteOf(folder), "utf8")) as Note;
  } catch {
    // The note is missing or truncated.
    return undefined;
  }
}

function writeNote(folder: string, note: Note): void {
  writeAtomically(noteOf(folder), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as Error).message;
    throw new Fault("store", `${folder} cannot be made: ${reason}. ${elsewhere}`, { cause: error });
  }
  requireOwn(folder);
  if ((lstatSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** @throws Fault if the folder is a link or belongs to another user, who could read or replace the index. */
function requireOwn(folder: string): void {
  const found = lstatSync(folder);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn) return;
  const what = found.isDirectory() ? "belongs to another user" : "is not a folder, or is a link";
  throw new Fault("store", `${folder} ${what}. ${elsewhere}`);
}

const elsewhere = "Set XDG_CACHE_HOME to another cache folder.";
