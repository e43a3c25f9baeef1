/** Finds the stored files for a path or a list of numbers, and reads only their blocks. */
import { findFirstNot } from "../contract/terms.ts";
import type { AuthorshipHead, PathBlock } from "../pool/pool.ts";

export interface SelectedFiles {
  readonly block: PathBlock;
  /** Indexes into the paths of the block. `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** The stored files of a repository. */
export interface StoredFiles {
  readonly head: AuthorshipHead;
  /** Reads the blocks with these numbers; `to` is inclusive. */
  readonly read: (from: number, to: number) => Promise<readonly PathBlock[]>;
}

/**
 * @param paths normalized paths; an empty path selects all files.
 * @returns distinct ranges of files, the paths that match nothing, and the paths whose files have no counted change.
 */
export async function selectPaths(stored: StoredFiles, paths: readonly string[]) {
  const { head, read } = keepBlocks(stored);
  const taken = new Map<PathBlock, Uint8Array>();
  const [unknown, unchanged]: [string[], string[]] = [[], []];
  for (const path of paths) {
    let [found, changed] = [0, 0];
    for (const { first, end } of rangesOf(path)) {
      const run = findBlocks(head, first, end);
      for (const block of await read(run.from, run.to)) {
        const marks = taken.getOrInsertComputed(block, createMarks);
        const to = countBelow(block.paths, end);
        for (let at = countBelow(block.paths, first); at < to; at++) {
          marks[at] = 1;
          found += 1;
          if (hasChange(block, at)) changed += 1;
        }
      }
    }
    if (found === 0) unknown.push(path);
    else if (changed === 0) unchanged.push(path);
  }
  const files = [...taken].flatMap(([block, marks]) => [...listRuns(block, marks)]);
  return { files, unknown, unchanged };
}

const createMarks = ({ paths }: PathBlock) => new Uint8Array(paths.length);

/** Whether a file has a counted change. Vendored and generated files have none. */
function hasChange({ starts }: PathBlock, file: number): boolean {
  return starts[file] !== starts[file + 1];
}

/** Counts files with changes in a folder and below it. For a large folder, the count is approximate. */
export async function countPaths({ head, read }: StoredFiles, folder: string): Promise<number> {
  const [first, end] = [`${folder}/`, `${folder}0`];
  const { from, to } = findBlocks(head, first, end);
  const numberOf = (block: number) => head.blocks[block]?.number ?? 0;
  if (to - from > 1) return numberOf(to) - numberOf(from + 1);
  let count = 0;
  for (const block of await read(from, to)) {
    const last = countBelow(block.paths, end);
    for (let at = countBelow(block.paths, first); at < last; at++) {
      if (hasChange(block, at)) count += 1;
    }
  }
  return count;
}

/** Returns files by number, in the order of the repository's paths. */
export async function selectNumbers(
  stored: StoredFiles,
  numbers: ReadonlySet<number>,
): Promise<readonly SelectedFiles[]> {
  const { head, read } = keepBlocks(stored);
  const taken = new Map<PathBlock, Uint8Array>();
  let at = 0;
  for (const number of [...numbers].sort((a, b) => a - b)) {
    while (at + 1 < head.blocks.length && (head.blocks[at + 1]?.number ?? 0) <= number) at += 1;
    const [block] = await read(at, at);
    if (!block) continue;
    const marks = taken.getOrInsertComputed(block, createMarks);
    marks[number - (head.blocks[at]?.number ?? 0)] = 1;
  }
  return [...taken].flatMap(([block, marks]) => [...listRuns(block, marks)]);
}

/**
 * Returns the ranges of paths that a path selects: the file itself, and everything in the folder. In code-unit order, "0" comes
 * directly after the slash.
 */
function rangesOf(path: string): readonly { readonly first: string; readonly end: string }[] {
  if (path === "") return [{ first: "", end: "\uffff\uffff" }];
  return [
    { first: path, end: `${path}\0` },
    { first: `${path}/`, end: `${path}0` },
  ];
}

/** @returns the range of blocks that may contain these paths; `to` is inclusive. */
export function findBlocks({ blocks }: AuthorshipHead, first: string, end: string) {
  const after = findFirstNot((at) => (blocks[at]?.first ?? "") <= first, blocks.length);
  const from = Math.max(0, after - 1);
  let to = from;
  while (to + 1 < blocks.length && (blocks[to + 1]?.first ?? "") < end) to += 1;
  return { from, to };
}

/** Returns the same files. Each block is read only once. */
export function keepBlocks({ head, read }: StoredFiles): StoredFiles {
  const known = new Map<number, PathBlock>();
  const readOnce: StoredFiles["read"] = async (from, to) => {
    const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    if (!numbers.every((number) => known.has(number))) {
      for (const [at, block] of (await read(from, to)).entries()) known.set(from + at, block);
    }
    return numbers.flatMap((number) => known.get(number) ?? []);
  };
  return { head, read: readOnce };
}

/** @returns how many of the sorted texts come before a text. */
export function countBelow(sorted: readonly string[], text: string): number {
  return findFirstNot((at) => (sorted[at] ?? "") < text, sorted.length);
}

function* listRuns(block: PathBlock, marks: Uint8Array): Generator<SelectedFiles> {
  for (let from = marks.indexOf(1); from !== -1; ) {
    let to = from;
    while (marks[to] === 1) to += 1;
    yield { block, from, to };
    from = marks.indexOf(1, to);
  }
}
