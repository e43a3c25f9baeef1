/** Lists the direct entries of a folder without reading what is below them. */
import { findNearest } from "../contract/complaint.ts";
import { type PathBlock, pathFlags } from "../pool/pool.ts";
import { countBelow, findBlocks, type StoredFiles } from "./select-files.ts";

/** An existing file or folder. */
export interface NamedPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The most blocks read in one listing. A block has up to 4,096 paths and takes about a millisecond to read. */
const blocksMax = 64;
/** The most names listed in one folder. */
const namesMax = 5000;

/** Yields the entries that begin with the text, up to the next slash, in code-unit order. */
async function* walkPaths({ head, read }: StoredFiles, start: string): AsyncGenerator<NamedPath> {
  const nameAt = start.lastIndexOf("/") + 1;
  let block: PathBlock | undefined;
  let number = -1;
  let blocks = 0;
  let names = 0;
  for (let from = start; names < namesMax; names++) {
    // Skips everything in a folder at once.
    let next = findBlocks(head, from, from).from;
    let found: string | undefined;
    for (; found === undefined; next++) {
      if (next !== number) {
        if (next >= head.blocks.length || blocks++ === blocksMax) return;
        [block] = await read(next, next);
        number = next;
      }
      if (!block) return;
      for (let at = countBelow(block.paths, from); at < block.paths.length; at++) {
        const path = block.paths[at] ?? "";
        if (!path.startsWith(start)) return;
        if (((block.flags[at] ?? 0) & pathFlags.isPresent) === 0) continue;
        found = path;
        break;
      }
    }
    const stroke = found.indexOf("/", nameAt);
    const path = stroke < 0 ? found : found.slice(0, stroke);
    yield { path, isFolder: stroke >= 0 };
    // "0" is the character after the slash.
    from = stroke < 0 ? `${path}\0` : `${path}0`;
  }
}

/**
 * @param text the beginning of a path. The last part may be in another case, or be the middle of a name.
 * @returns paths in the folder that the text names. Paths that begin with the text come first.
 */
export async function suggestPaths(
  paths: StoredFiles,
  text: string,
  most: number,
): Promise<readonly NamedPath[]> {
  const start = text.trim().replace(/^(?:\.?\/)+/, "");
  const found = new Map<string, NamedPath>();
  for await (const one of walkPaths(paths, start)) {
    found.set(one.path, one);
    if (found.size === most) return [...found.values()];
  }
  const nameAt = start.lastIndexOf("/") + 1;
  const part = start.slice(nameAt).toLowerCase();
  const inside: NamedPath[] = [];
  for (const one of part === ""
    ? []
    : await Array.fromAsync(walkPaths(paths, start.slice(0, nameAt)))) {
    const at = one.path.slice(nameAt).toLowerCase().indexOf(part);
    if (at === 0) found.set(one.path, one);
    else if (at > 0) inside.push(one);
  }
  return [...found.values(), ...inside].slice(0, most);
}

/**
 * @param path a path that no file or folder has.
 * @returns the longest existing beginning of the path, with corrected names. `isWhole` tells whether all names were found.
 */
export async function findNearPath(
  paths: StoredFiles,
  path: string,
): Promise<{ readonly path: string; readonly isWhole: boolean }> {
  let near = "";
  for (const name of path.split("/")) {
    const start = near && `${near}/`;
    const found = await Array.fromAsync(walkPaths(paths, start));
    const names = found.map((one) => one.path.slice(start.length));
    const same = names.includes(name) ? name : (findNearest(name, names) ?? findBegun(name, names));
    if (same === undefined) return { path: near, isWhole: false };
    near = start + same;
  }
  return { path: near, isWhole: true };
}

/** The fewest letters that stand for a longer name. */
const begunMin = 3;

/** Finds the first name that begins with these letters, in any case: `Comp` is "components". */
function findBegun(letters: string, names: readonly string[]): string | undefined {
  if (letters.length < begunMin) return undefined;
  return names.find((name) => name.toLowerCase().startsWith(letters.toLowerCase()));
}
