/** Refuses special files. Git opens files without checking their type, and a named pipe would block git forever. */
import { closeSync, constants, lstatSync, openSync, readSync, statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Git } from "../git-command.ts";
import { RepositoryFault } from "./refusal.ts";

/** @returns undefined when the file is missing. @throws Fault when it is not a regular file, or too large. */
export function readRegular(path: string, bytesMax: number): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) throw createSpecialFault(path);
  if (stats.size > bytesMax) {
    const reason = `${path} is larger than ${bytesMax / 1024} KiB, more than a repository needs.`;
    throw new RepositoryFault(reason, cloneAgain);
  }
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(file, bytes, 0, stats.size, 0));
  } finally {
    closeSync(file);
  }
}

/** Follows a ref as git does, and checks each file. @param start content of HEAD or of a similar file. */
export function refuseSpecialRefs(directory: string, start: string): void {
  const packed = join(directory, "packed-refs");
  if (statSync(packed, { throwIfNoEntry: false })?.isFile() === false) {
    throw createSpecialFault(packed);
  }
  let text: string | undefined = start;
  for (let links = 0; links < linksMax && text !== undefined; links++) {
    const [, name] = /^ref:\s*(refs\/\S+)/.exec(text) ?? [];
    if (name === undefined) return;
    const path = join(directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    text = readRegular(path, refBytesMax)?.toString();
  }
}

const linksMax = 6;
/** The most bytes of a file that contains a ref. @package */
export const refBytesMax = 4096;

/** Checks the object folder and the folders named in its `alternates`, as deep as git reads them. */
export async function refuseSpecialObjects(git: Git, directory: string): Promise<void> {
  const waiting = [directory];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = await realpath(next).catch(() => undefined);
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    if (seen.size > foldersMax) {
      throw new RepositoryFault(`${directory} has too many alternates.`, cloneAgain);
    }
    if (!(await stat(path)).isDirectory()) continue;
    for (const name of await readdir(path)) {
      if (isObjectFolder.test(name)) await refuseSpecial(git, join(path, name), 2);
    }
    const named = readRegular(join(path, "info/alternates"), alternatesBytesMax);
    for (const line of named?.toString().split("\n") ?? []) {
      if (line && !line.startsWith("#")) waiting.push(resolve(path, line));
    }
  }
}

const foldersMax = 100;
const alternatesBytesMax = 64 * 1024;

const isObjectFolder = /^([0-9a-f]{2}|pack|info)$/;

/** Checks a folder to the given depth. */
export async function refuseSpecial(git: Git, path: string, depth: number): Promise<void> {
  const kind = await stat(path).catch(() => undefined);
  if (!kind || kind.isFile()) return;
  if (!kind.isDirectory()) throw createSpecialFault(path);
  git.throwIfEnded();
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile() || depth === 0) continue;
    await refuseSpecial(git, join(path, entry.name), depth - 1);
  }
}

/** Reads the mailmap. A folder or a link counts as an empty mailmap. */
export function readMailmap(directory: string): Buffer | undefined {
  const path = join(directory, ".mailmap");
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return entry && ((entry.isFile() && readRegular(path, mailmapBytesMax)) || Buffer.alloc(0));
}

const mailmapBytesMax = 16 * 1024 * 1024;

const cloneAgain = "Remove it, if it is not needed, or clone the repository again.";

function createSpecialFault(path: string): RepositoryFault {
  return new RepositoryFault(`${path} is not a regular file.`, cloneAgain);
}
