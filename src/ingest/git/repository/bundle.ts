/** Reads bundles: files that contain a history and its refs. */

import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { isFault } from "../../../contract/fault.ts";
import type { Git } from "../git-command.ts";
import type { ClonePath } from "./find-repositories.ts";
import { findObject } from "./objects.ts";
import { RepositoryFault } from "./refusal.ts";
import { createRepository, type FoundRepository, notesRef } from "./view.ts";

/**
 * Finds the commits that would be read from a bundle, of its history and of its notes, without unpacking it.
 *
 * @returns undefined when that needs unpacking.
 */
export async function readBundleTips(
  git: Git,
  file: string,
): Promise<(Pick<FoundRepository, "notes"> & { readonly head: string | undefined }) | undefined> {
  try {
    return { head: await findHead(git, file), notes: await findNotes(git, file) };
  } catch (error) {
    if (isFault(error, "git")) return undefined;
    throw error;
  }
}

const makeAgain = "Make it with `git bundle create FILE --all`, in a clone that has its branches.";

/** Unpacks a bundle, which takes its size again on disk. @throws Fault when it is incomplete or damaged. */
export async function openBundle(git: Git, place: ClonePath): Promise<FoundRepository> {
  const { objectFormat, isPartial } = readCapabilities(place.directory);
  const { directory, close } = createRepository(objectFormat);
  try {
    const tip = await findHead(git, place.directory);
    // Naming one ref keeps the output short; git unpacks all objects anyway.
    await git.read(directory, ["bundle", "unbundle", resolve(place.directory), "HEAD"]);
    if (!tip)
      throw new RepositoryFault("empty bundle: it holds no branch with a commit.", makeAgain);
    const head = await findObject(git, directory, `${tip}^{commit}`);
    if (!head)
      throw new RepositoryFault("damaged bundle: the commit that it names is missing.", makeAgain);
    const mailmapObject = await findObject(git, directory, `${head}:.mailmap`);
    return {
      path: place.path,
      directory,
      head,
      mailmap: mailmapObject ?? "",
      mailmapObject,
      notes: await findNotes(git, place.directory),
      origin: deriveOriginFromPath(place.directory),
      cause: isPartial ? "partial" : "damaged",
      cuts: new Map(),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Finds HEAD, or in a bundle without HEAD its main branch or only branch. */
async function findHead(git: Git, file: string): Promise<string | undefined> {
  const usual = ["HEAD", "refs/heads/main", "refs/heads/master"];
  const heads = await listHeads(git, file, usual);
  for (const name of usual) {
    const head = heads.find((line) => line.endsWith(` ${name}`));
    if (head) return parseObjectId(head);
  }
  const [only, ...others] = (await listHeads(git, file, [])).filter((line) =>
    line.includes(" refs/heads/"),
  );
  return only && others.length === 0 ? parseObjectId(only) : undefined;
}

async function findNotes(git: Git, file: string): Promise<string> {
  const [line = ""] = await listHeads(git, file, [notesRef]);
  return parseObjectId(line);
}

async function listHeads(git: Git, file: string, names: readonly string[]): Promise<string[]> {
  const output = await git.read("/", ["bundle", "list-heads", resolve(file), ...names]);
  return output.toString().split("\n");
}

function parseObjectId(line: string): string {
  return line.slice(0, line.indexOf(" "));
}

/** Reads from the first lines how ids are made, and whether objects were left out on purpose. */
function readCapabilities(file: string): { objectFormat: string; isPartial: boolean } {
  const opened = openSync(file, "r");
  try {
    const start = Buffer.alloc(4096);
    const [, ...lines] = start.toString("latin1", 0, readSync(opened, start)).split("\n");
    const capabilities = lines.filter((line) => line.startsWith("@"));
    return {
      objectFormat: capabilities.includes("@object-format=sha256") ? "sha256" : "sha1",
      isPartial: capabilities.some((line) => line.startsWith("@filter=")),
    };
  } finally {
    closeSync(opened);
  }
}
