/** Finds the git clone around the current folder. Git is not run, because it would apply settings of the repository. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { Fault } from "../../../contract/fault.ts";
import { findCommonFolder, isRepository } from "../../../ingest/ingest.ts";

export interface FoundClone {
  /** Real path of the folder with the files of the clone, or of the bare repository. */
  readonly top: string;
  /** Real path of the `.git` folder or bare repository. */
  readonly repository: string;
  /** Whether `top` contains the files of the repository; false for a bare repository. */
  readonly hasFiles: boolean;
}

/** @returns undefined outside of a clone. @throws Fault if the `.git` file of a working tree names a missing repository. */
export async function findClone(folder: string): Promise<FoundClone | undefined> {
  for (let top = realpathSync(folder); ; top = dirname(top)) {
    if (isRepository(top)) {
      const repository = realpathSync(await findCommonFolder(top));
      return { top, repository, hasFiles: repository !== top };
    }
    if (top === dirname(top)) return undefined;
  }
}

/** @returns the name of the clone's index: the name of the repository, and a hash of its path. */
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
 * Converts a path that the user typed to a path in the repository. The top folder becomes an empty text.
 * @param from the folder that the typed path is relative to.
 * @throws Fault `usage` for a path outside of the repository.
 */
export function toRepositoryPath(
  path: string,
  from: string,
  { top, hasFiles }: FoundClone,
): string {
  // In a bare repository, paths are relative to the top of the repository.
  if (!hasFiles) return path.replace(/^(?:\.\/|\.$)/, "");
  const inside = relative(top, resolve(realpathSync(from), path));
  if (inside === ".." || inside.startsWith(`..${sep}`)) {
    throw new Fault("usage", `${path} is outside this clone, ${top}`);
  }
  return inside.split(sep).join("/");
}
