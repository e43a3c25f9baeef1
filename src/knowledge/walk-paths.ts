/**
 * What lies directly in a folder, name by name, without what is below it: so cheap, however many files there are, that it
 * is done while somebody types.
 */
import { findNearest } from "../contract/complaint.ts";
import { type AuthorshipHead, type PathBlock, pathFlags } from "../pool/pool.ts";
import { countBelow, findBlocks, type ReadBlocks } from "./select-files.ts";

/** A file or folder that is there now. */
export interface NamedPath {
  readonly path: string;
  readonly isFolder: boolean;
}

interface Paths {
  readonly head: AuthorshipHead;
  readonly read: ReadBlocks;
}

/** Of one walk; a block has up to 4,096 paths, and reading it takes about a millisecond. */
const blocksMax = 64;
/** Of one folder. */
const namesMax = 5000;

/** Yields what begins so, up to the next stroke, by code unit. */
async function* walkPaths({ head, read }: Paths, start: string): AsyncGenerator<NamedPath> {
  const nameAt = start.lastIndexOf("/") + 1;
  let block: PathBlock | undefined;
  let number = -1;
  let blocks = 0;
  let names = 0;
  for (let from = start; names < namesMax; names++) {
    // Everything in a folder is passed over at once.
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
    // The character after the stroke.
    from = stroke < 0 ? `${path}\0` : `${path}0`;
  }
}

/**
 * @param text the beginning of a path. Its last name may be in another case, or the middle of a name.
 * @returns paths in the folder that the text names, those that begin as it does first.
 */
export async function suggestPaths(
  paths: Paths,
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
 * @param path that no file or folder has.
 * @returns as much of it as is there, with each name as it is nearly spelt; and whether that is all of it.
 */
export async function findNearPath(
  paths: Paths,
  path: string,
): Promise<{ readonly path: string; readonly isWhole: boolean }> {
  let near = "";
  for (const name of path.split("/")) {
    const start = near && `${near}/`;
    const found = await Array.fromAsync(walkPaths(paths, start));
    const names = found.map((one) => one.path.slice(start.length));
    const same = names.includes(name) ? name : findNearest(name, names);
    if (same === undefined) return { path: near, isWhole: false };
    near = start + same;
  }
  return { path: near, isWhole: true };
}
