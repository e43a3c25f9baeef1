/** Finds the git clone that one stands in, without git: the settings of a foreign repository are not even read. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { Fault } from "../../../contract/fault.ts";
import { findCommonFolder, isRepository } from "../../../ingest/ingest.ts";

export interface FoundClone {
  /** The folder around which `.git` or a bare repository was found: a real path. */
  readonly top: string;
  /** What its working trees share: a `.git` or a bare repository, a real path. */
  readonly repository: string;
  /** Whether `top` holds files of the repository. */
  readonly hasFiles: boolean;
}

/** @returns undefined outside of a clone. @throws Fault when a link of a working tree leads nowhere. */
export async function findClone(folder: string): Promise<FoundClone | undefined> {
  for (let top = realpathSync(folder); ; top = dirname(top)) {
    if (isRepository(top)) {
      const repository = realpathSync(await findCommonFolder(top));
      return { top, repository, hasFiles: repository !== top };
    }
    if (top === dirname(top)) return undefined;
  }
}

/** Names the folder of its index: for people by its name, and surely by its path. */
export function deriveIndexName({ repository }: FoundClone): string {
  const named = basename(repository) === ".git" ? dirname(repository) : repository;
  const name = basename(named)
    .replace(/[^\w.-]/g, "_")
    .slice(0, nameMax);
  return `${name}-${createHash("sha256").update(repository).digest("hex").slice(0, hashLetters)}`;
}

const nameMax = 40;
const hashLetters = 16;

/**
 * @param from the folder in which the path was written.
 * @returns the path in the repository, empty for all of it; with `/` on every system.
 * @throws Fault usage for a path outside.
 */
export function toRepositoryPath(
  path: string,
  from: string,
  { top, hasFiles }: FoundClone,
): string {
  // In a bare repository there are no files to stand among.
  if (!hasFiles) return path.replace(/^(?:\.\/|\.$)/, "");
  const inside = relative(top, resolve(realpathSync(from), path));
  if (inside === ".." || inside.startsWith(`..${sep}`)) {
    throw new Fault("usage", `${path} is outside this clone, ${top}`);
  }
  return inside.split(sep).join("/");
}
