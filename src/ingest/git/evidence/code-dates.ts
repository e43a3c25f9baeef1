/**
 * Finds since when code uses a package: the date of the oldest version of a file that imports the package. Searches few versions,
 * because a file rarely loses an import.
 */
import { groupByKeys } from "../../group-by-keys.ts";
import type { StoredCommit } from "../commit/stored-commit.ts";
import type { Git } from "../git-command.ts";
import type { TreeEvidence } from "./read-tree.ts";
import { readFileTexts } from "./text-files.ts";

export interface DatedPaths {
  /** Commits with a believable author date, oldest first. */
  readonly commits: Iterable<Pick<StoredCommit, "sha" | "seconds" | "files">>;
  readonly paths: readonly string[];
  /** Maps a path of the history to its path in the newest tree; undefined if the file is gone. */
  readonly newestPath: (path: string) => string | undefined;
}

/** By package, the paths in the newest tree that import the package. */
type Importers = ReadonlyMap<string, readonly string[]>;

interface FileVersion {
  readonly seconds: number;
  readonly sha: bigint;
  readonly path: string;
}

/** A search yields versions of files. It continues once the imports in these versions are known. */
type Search = Generator<readonly FileVersion[], number | undefined, void>;

/** @returns by package, the author date of the first use in seconds since 1970. */
export async function findCodeDates(
  git: Git,
  directory: string,
  history: DatedPaths,
  importers: Importers,
  importsOf: TreeEvidence["importsOf"],
): Promise<ReadonlyMap<string, number>> {
  // Imported packages by the object name of a file's content.
  const known = new Map<string, readonly string[]>();
  const dates = new Map<string, number>();
  if (importers.size === 0) return dates;
  let searches = [...collectVersions(history, importers)].map(([name, files]) => ({
    name,
    search: findOldest(files, (version) => known.get(toObject(version))?.includes(name) ?? false),
  }));
  while (searches.length > 0) {
    const wanted: FileVersion[] = [];
    searches = searches.filter(({ name, search }) => {
      const { done, value } = search.next();
      if (!done) wanted.push(...value);
      else if (value !== undefined) dates.set(name, value);
      return !done;
    });
    await readImports(git, directory, wanted, known, importsOf);
  }
  return dates;
}

const filesMax = 64;

/** @returns for each package, the versions of each file that imports the package. The oldest file comes first. */
function collectVersions({ commits, paths, newestPath }: DatedPaths, importers: Importers) {
  const packagesOf = groupByKeys(importers.keys(), (name) => importers.get(name));
  const found = new Map<string, FileVersion[][]>([...importers.keys()].map((name) => [name, []]));
  const histories = new Map<string, FileVersion[] | undefined>();
  for (const { sha, seconds, files } of commits) {
    for (const { path: number } of files) {
      const path = paths[number] ?? "";
      const newest = newestPath(path);
      if (newest === undefined) continue;
      if (!histories.has(newest)) {
        const lists = (packagesOf.get(newest) ?? []).map((name) => found.get(name) ?? []);
        const open = lists.filter((list) => list.length < filesMax);
        const versions: FileVersion[] = [];
        for (const list of open) list.push(versions);
        histories.set(newest, open.length > 0 ? versions : undefined);
      }
      histories.get(newest)?.push({ sha, seconds, path });
    }
  }
  return found;
}

/** @param has whether a version imports the package. The version must be yielded first. */
function* findOldest(
  files: readonly (readonly FileVersion[])[],
  has: (version: FileVersion) => boolean,
): Search {
  let oldest: number | undefined;
  let rest = files;
  while (rest.length > 0) {
    const before = rest.map((file) =>
      file.filter(({ seconds }) => seconds < (oldest ?? Number.POSITIVE_INFINITY)),
    );
    const last = before.flatMap((file) => file.at(-1) ?? []);
    if (oldest !== undefined) yield last;
    const candidates = before.filter((file) => {
      const version = file.at(-1);
      return version !== undefined && (oldest === undefined || has(version));
    });
    const [file, ...others] = candidates;
    if (!file) break;
    oldest = (yield* bisect(file, has)) ?? oldest;
    rest = others;
  }
  const newest = files.flatMap((file) => file.at(-1)?.seconds ?? []);
  return oldest ?? (newest.length > 0 ? Math.max(...newest) : undefined);
}

/** @returns the date of the first version with the package, on the assumption that all later versions have the package too. */
function* bisect(file: readonly FileVersion[], has: (version: FileVersion) => boolean): Search {
  let [from, to] = [0, file.length];
  while (from < to) {
    // Tries the first version first, because most imports are there from the beginning.
    const middle = from === 0 && to === file.length ? 0 : Math.floor((from + to) / 2);
    const version = file[middle] as FileVersion;
    yield [version];
    if (has(version)) to = middle;
    else from = middle + 1;
  }
  return file[to]?.seconds;
}

async function readImports(
  git: Git,
  directory: string,
  wanted: readonly FileVersion[],
  known: Map<string, readonly string[]>,
  importsOf: TreeEvidence["importsOf"],
): Promise<void> {
  const objects = new Map(wanted.map((version) => [toObject(version), version.path]));
  const files = [...objects].flatMap(([sha, path]) => (known.has(sha) ? [] : [{ sha, path }]));
  // A content that git does not have counts as a content without imports.
  for (const { sha } of files) known.set(sha, []);
  const readable = files.filter(({ path }) => !path.includes("\n"));
  await readFileTexts(git, directory, readable, ({ sha, path }, text) => {
    known.set(sha, importsOf({ path, text }));
  });
}

/** Formats the name under which git finds the content of a version. */
function toObject({ sha, path }: FileVersion): string {
  return `${sha.toString(16).padStart(16, "0")}:${path}`;
}
