/** Tells copied libraries from the project's own large commits: hardly anybody works on the files of a library afterwards. */
import { commitFlags, type PathBlock } from "../../../pool/pool.ts";

/** The changes of all counted commits, oldest commit first. */
export interface Changes extends Pick<PathBlock, "commit" | "added" | "deleted"> {
  readonly file: Uint32Array;
}

interface Commits {
  readonly day: Uint16Array;
  /** `isImport` marks the commits that add very many files. It is set anew. */
  readonly flags: Uint8Array;
}

/** The new files of one commit. */
interface AddedTree {
  readonly files: number;
  /** Files on which somebody worked afterwards. */
  readonly worked: Set<number>;
}

/** Smaller trees are the project's own. */
const treeMin = { files: 15, lines: 5000 };
/** In younger trees, except for very large ones, nobody has had time to work. */
const ageDaysMin = 365;
/** A commit that changes more files of one tree is an update of the tree, or a sweep, and no work on its files. */
const workedFilesMax = 3;
/** Below this share of files on which somebody worked, a tree is an import. */
const workedShareMin = 0.2;
/** From this share of files from imports on, a commit updates them. */
const updateShareMin = 0.8;

export function markImports({ day, flags }: Commits, changes: Changes): void {
  const { trees, originOf } = listTrees({ day, flags }, changes);
  const updates: { commit: number; files: number; byTree: ReadonlyMap<number, number> }[] = [];
  for (const [commit, files] of groupByCommit(changes)) {
    const known = files.filter((file) => originOf[file] !== commit);
    const inTrees = known.filter((file) => trees.has(originOf[file] ?? commit));
    if (inTrees.length === 0) continue;
    const byTree = new Map<number, number>();
    for (const [tree, changed] of Map.groupBy(inTrees, (file) => originOf[file] ?? commit)) {
      byTree.set(tree, changed.length);
      if (changed.length > workedFilesMax) continue;
      for (const file of changed) trees.get(tree)?.worked.add(file);
    }
    if (inTrees.length > workedFilesMax) updates.push({ commit, files: known.length, byTree });
  }
  const mark = (commit: number, isImport: boolean) => {
    const bits = (flags[commit] ?? 0) & ~commitFlags.isImport;
    flags[commit] = isImport ? bits | commitFlags.isImport : bits;
  };
  const imports = new Set<number>();
  for (const [commit, { files, worked }] of trees) {
    // The first commit of a history brings in the project itself.
    const isImport = commit > 0 && worked.size < files * workedShareMin;
    mark(commit, isImport);
    if (isImport) imports.add(commit);
  }
  for (const { commit, files, byTree } of updates) {
    let imported = 0;
    for (const [tree, count] of byTree) if (imports.has(tree)) imported += count;
    if (imported >= files * updateShareMin) mark(commit, true);
  }
}

/** @returns the trees that may be imports, by commit, and the commit that brought in each file. */
function listTrees({ day, flags }: Commits, { file, commit, added }: Changes) {
  const most = file.reduce((most, one) => Math.max(most, one), 0);
  const originOf = new Int32Array(most + 1).fill(-1);
  const [files, lines] = [new Uint32Array(day.length), new Uint32Array(day.length)];
  for (const [at, number] of commit.entries()) {
    const one = file[at] ?? 0;
    if (originOf[one] !== -1) continue;
    originOf[one] = number;
    files[number] = (files[number] ?? 0) + 1;
    lines[number] = (lines[number] ?? 0) + (added[at] ?? 0);
  }
  const lastDay = day.reduce((last, one) => Math.max(last, one), 0);
  const trees = new Map<number, AddedTree>();
  for (const [number, count] of files.entries()) {
    const isVast = ((flags[number] ?? 0) & commitFlags.isImport) !== 0;
    const isLarge = count >= treeMin.files && (lines[number] ?? 0) >= treeMin.lines;
    const isOld = (day[number] ?? 0) <= lastDay - ageDaysMin;
    if (isVast || (isLarge && isOld)) trees.set(number, { files: count, worked: new Set() });
  }
  return { trees, originOf };
}

/** Groups the files in which each commit changed a line. */
function* groupByCommit({ file, commit, added, deleted }: Changes): Generator<[number, number[]]> {
  let files: number[] = [];
  for (const [at, number] of commit.entries()) {
    if ((added[at] ?? 0) + (deleted[at] ?? 0) > 0) files.push(file[at] ?? 0);
    if (commit[at + 1] === number) continue;
    yield [number, files];
    files = [];
  }
}
