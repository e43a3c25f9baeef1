/** Resolves the paths of `ingest git PATH...` to clones, bare mirrors and bundles, also below folders. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describeUnreadable, type RepositoryRefusal } from "./refusal.ts";

export interface ClonePath {
  /** The path for people: of a mirror of an address, the address. */
  readonly path: string;
  readonly directory: string;
  readonly kind: "folder" | "bundle";
}

/** Mirrors of addresses by real path, or why they could not be fetched. */
export type FoundMirrors = Map<string, ClonePath | RepositoryRefusal>;

/** How many levels of folders are searched below a given folder. */
const depthMax = 4;

const missingPath = {
  reason: "no such file or folder.",
  remedy: "Check how it is written, and whether its disk is mounted.",
};
const nameBundle = "Name a folder, or a file that `git bundle create` made.";
const nameFolder = `Name a clone or a bare mirror, or a folder at most ${depthMax} levels above it.`;

/**
 * Finds every location below the paths once, in an order that does not depend on the order of the paths.
 * @param mirrors what was found out about some of the paths, by real path.
 */
export function findRepositories(
  paths: readonly string[],
  mirrors: FoundMirrors = new Map(),
): readonly (ClonePath | RepositoryRefusal)[] {
  const found = new Map(mirrors);
  for (const location of paths.filter((path) => !mirrors.has(path)).flatMap(findAt)) {
    const key =
      "reason" in location ? `refused:${location.path}` : realpathSync(location.directory);
    found.getOrInsert(key, location);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, location]) => location);
}

/**
 * Finds a repository in a folder.
 * @param name its path, also relative to the folder and without `.git` at its end. @returns undefined if it is no repository there.
 */
export function findRepositoryIn(folder: string, name: string): string | undefined {
  const home = realpathSync(folder);
  const paths = [name, `${name}.git`].map((path) => resolve(home, path)).filter(existsSync);
  const isInside = (path: string) => `${path}/`.startsWith(home.endsWith("/") ? home : `${home}/`);
  return paths
    .map((path) => realpathSync(path))
    .find((path) => isInside(path) && isRepository(path));
}

/** Lists the repositories at a path or below it, but none inside a repository. @returns a refusal if there is none. */
function findAt(path: string): readonly (ClonePath | RepositoryRefusal)[] {
  try {
    if (!existsSync(path)) return [{ path, ...missingPath }];
    if (statSync(path).isFile()) {
      return isBundle(path)
        ? [{ path, directory: path, kind: "bundle" }]
        : [{ path, reason: "neither a repository nor a bundle.", remedy: nameBundle }];
    }
    const found: (ClonePath | RepositoryRefusal)[] = [];
    searchFolder(path, 0, new Map(), found);
    if (found.length > 0) return found;
    const reason = "not a git repository, and none was found below it.";
    return [{ path, reason, remedy: nameFolder }];
  } catch (error) {
    return [{ path, ...describeUnreadable(error) }];
  }
}

/** @param searched the least depth at which each folder was searched, by real path. */
function searchFolder(
  path: string,
  depth: number,
  searched: Map<string, number>,
  found: (ClonePath | RepositoryRefusal)[],
): void {
  if (isRepository(path)) {
    // For a path to `.git`, takes the folder that contains `.git` and the mailmap.
    const directory = basename(resolve(path)) === ".git" ? dirname(resolve(path)) : path;
    found.push({ path, directory, kind: "folder" });
    return;
  }
  const real = realpathSync(path);
  if (depth >= depthMax || (searched.get(real) ?? depthMax) <= depth) return;
  searched.set(real, depth);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    const kind = entry.isSymbolicLink() ? findTarget(inside) : entry;
    if (kind?.isDirectory() && !/^(\.|node_modules$)/.test(entry.name)) {
      try {
        searchFolder(inside, depth + 1, searched, found);
      } catch (error) {
        found.push({ path: inside, ...describeUnreadable(error) });
      }
    } else if (kind?.isFile() && entry.name.endsWith(".bundle") && isBundle(inside)) {
      found.push({ path: inside, directory: inside, kind: "bundle" });
    }
  }
}

/** @returns undefined for a link to nothing, in a circle, or to an unreadable folder. */
function findTarget(link: string) {
  try {
    return statSync(link);
  } catch {
    return undefined;
  }
}

/** Whether the path itself is a clone, a linked working tree or a bare repository. */
export function isRepository(path: string): boolean {
  if (existsSync(join(path, ".git"))) return true;
  return (
    existsSync(join(path, "HEAD")) &&
    existsSync(join(path, "objects")) &&
    (existsSync(join(path, "refs")) || existsSync(join(path, "packed-refs")))
  );
}

/** Whether a repository or bundle is at a real path. Also true if it cannot be read, for lack of permission for example. */
export function isRepositoryAt(directory: string): boolean {
  try {
    if (realpathSync(directory) !== directory) return false;
    if (!statSync(directory).isDirectory()) return isBundle(directory);
    readdirSync(directory);
    return isRepository(directory);
  } catch (error) {
    return !/^(ENOENT|ENOTDIR|ELOOP)$/.test((error as NodeJS.ErrnoException).code ?? "");
  }
}

function isBundle(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(16);
    readSync(file, start, 0, 16, 0);
    return /^# v[23] git bundle/.test(start.toString("latin1"));
  } finally {
    closeSync(file);
  }
}
