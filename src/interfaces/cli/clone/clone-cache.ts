/**
 * The indexes of clones in the user's cache folder: a data folder for each repository, and beside it a note. An index that nobody
 * used for long, or for which there is no room, goes; the next command in that clone makes it again.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCacheFolder } from "../../../config/config.ts";
import { Fault } from "../../../contract/fault.ts";
import { writeAtomically } from "../write-file.ts";
import type { FoundClone } from "./find-clone.ts";
import { deriveIndexName } from "./find-clone.ts";

export interface CloneIndex {
  /** Its data folder. */
  readonly folder: string;
  /** The `.git` or bare repository that it was made from. */
  readonly repository: string;
  /** When a command used it last. */
  readonly usedAt: Date;
  readonly bytes: number;
  /** Whether people were forgotten in it: it alone knows whom to leave out, so it stays. */
  readonly hasForgotten: boolean;
}

const dayMs = 86_400_000;
const keptMs = 90 * dayMs;
const bytesMax = 4 * 2 ** 30;
/** A command may still use it. */
const busyMs = dayMs / 24;

interface Note {
  readonly repository: string;
  readonly usedAt: string;
  readonly hasForgotten: boolean;
}

/**
 * Makes room for the index of a clone where there is none yet, and notes that it is used.
 *
 * @returns its data folder, which may be new.
 * @throws Fault when the folder above could be another user's.
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

/** Keeps an index in which somebody was forgotten. */
export function keepForgotten(folder: string): void {
  const note = readNote(folder);
  if (note && !note.hasForgotten) writeNote(folder, { ...note, hasForgotten: true });
}

/** @returns all indexes, last used first. */
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
    const isOver = unusedMs > keptMs || bytes > bytesMax;
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
    // There is none yet, or it was cut off. Then nothing is known of what it holds.
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

/** @throws Fault for a link, and for what belongs to somebody else: they could read it, or say what it answers. */
function requireOwn(folder: string): void {
  const found = lstatSync(folder);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (found.isDirectory() && isOwn) return;
  const what = found.isDirectory() ? "belongs to another user" : "is no folder, or a link";
  throw new Fault("store", `${folder} ${what}. ${elsewhere}`);
}

const elsewhere = "Name another cache folder by the variable XDG_CACHE_HOME.";
