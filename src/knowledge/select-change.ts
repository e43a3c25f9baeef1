/** Selects the files of a change and the folders that it is in. */
import { countPaths, keepBlocks, type StoredFiles, selectPaths } from "./select-files.ts";

/** The maximum number of files in all folders of a change. */
const folderFilesMax = 500;

/**
 * @param paths normalized paths of files.
 * @returns `files`: those that the history knows; `folders`: every file in the folders of the change, except in the largest;
 * `unknown`: paths that the history does not know, such as new files, for each of which the nearest known folder stands in;
 * `isNear`: whether the history knows a file of the change, or a folder that contains one. The root does not count.
 */
export async function selectChange(given: StoredFiles, paths: readonly string[]) {
  const stored = keepBlocks(given);
  const { files, unknown, unchanged } = await selectPaths(stored, paths);
  const folders = new Map<string, number>();
  for (const path of paths) {
    let folder = findParent(path);
    while (folder !== "") {
      const count = folders.get(folder) ?? (await countPaths(stored, folder));
      if (count > 0) {
        folders.set(folder, count);
        break;
      }
      folder = findParent(folder);
    }
  }
  const near: string[] = [];
  let left = folderFilesMax;
  for (const [folder, count] of [...folders].sort(([, a], [, b]) => a - b)) {
    if (count > left) break;
    left -= count;
    near.push(folder);
  }
  const { files: beside } = await selectPaths(stored, near);
  const tops = paths
    .filter((path) => path.includes("/"))
    .map((path) => path.split("/", 1)[0] ?? "");
  const isNear =
    files.length + unchanged.length + folders.size > 0 ||
    (await selectPaths(stored, tops)).files.length > 0;
  return { files, folders: beside, unknown: [...unknown, ...unchanged], isNear };
}

/** Returns the folder of a file or folder: `""` for the root. */
export function findParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
