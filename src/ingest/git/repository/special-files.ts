/**
 * Git opens what lies in a repository without asking what it is: a named pipe keeps it waiting for ever, a
 * device feeds it without end. So all that it would open is looked at first.
 */

import { closeSync, constants, lstatSync, openSync, readSync, statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Fault } from "../../../contract/fault.ts";
import type { Git } from "../git-command.ts";

/** @returns undefined when nothing is there. @throws Fault when it is no regular file, or larger. */
export function readRegular(path: string, bytesMax: number): Buffer | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) throw special(path);
  if (found.size > bytesMax) {
    throw new Fault(
      "git",
      `${path} is larger than ${bytesMax / 1024} KiB: nothing sound needs that.`,
    );
  }
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(found.size);
    return bytes.subarray(0, readSync(file, bytes, 0, found.size, 0));
  } finally {
    closeSync(file);
  }
}

/** Follows HEAD as git does, looking only. @param head what the file HEAD says. */
export function refuseSpecialRefs(directory: string, head: string): void {
  const packed = join(directory, "packed-refs");
  if (statSync(packed, { throwIfNoEntry: false })?.isFile() === false) throw special(packed);
  let text: string | undefined = head;
  for (let links = 0; links < linksMax && text !== undefined; links++) {
    const [, name] = /^ref:\s*(refs\/\S+)/.exec(text) ?? [];
    if (name === undefined) return;
    const path = join(directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    text = readRegular(path, refBytesMax)?.toString();
  }
}

/** Git itself follows five symbolic refs. */
const linksMax = 6;
/** @package */
export const refBytesMax = 4096;

/** The object folder and those that its `alternates` name, as far as git looks into them. */
export async function refuseSpecialObjects(git: Git, directory: string): Promise<void> {
  const waiting = [directory];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = await realpath(next).catch(() => undefined);
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    if (seen.size > foldersMax) throw new Fault("git", `${directory} has too many alternates.`);
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

async function refuseSpecial(git: Git, path: string, depth: number): Promise<void> {
  const kind = await stat(path).catch(() => undefined);
  if (!kind || kind.isFile()) return;
  if (!kind.isDirectory()) throw special(path);
  git.throwIfEnded();
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.name.endsWith(".promisor")) throw createPartialCloneFault();
    if (entry.isFile() || depth === 0) continue;
    await refuseSpecial(git, join(path, entry.name), depth - 1);
  }
}

export function createPartialCloneFault(): Fault {
  return new Fault(
    "git",
    "partial clone: objects are missing and nothing is fetched here. Clone it again without --filter.",
  );
}

/**
 * As git does: a folder or a file that cannot be read maps nobody, and no link is followed, since one that
 * comes with a clone may lead anywhere.
 */
export function readMailmap(directory: string): Buffer {
  const path = join(directory, ".mailmap");
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return (isFile && readRegular(path, mailmapBytesMax)) || Buffer.alloc(0);
}

const mailmapBytesMax = 16 * 1024 * 1024;

function special(path: string): Fault {
  return new Fault("git", `${path} is no regular file.`);
}
