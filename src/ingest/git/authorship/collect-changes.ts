/** Collects commits with the files that they changed, and cuts them into the blocks that the pool stores. */
import { GrowableArray } from "../../../contract/growable-array.ts";
import { type PathBlock, pathFlags } from "../../../pool/pool.ts";
import { type Changes, markImports } from "./mark-imports.ts";

export interface FileChangeCount {
  readonly file: number;
  readonly added: number;
  readonly deleted: number;
}

/** A counted commit. Commits arrive oldest first. */
export interface CountedChange {
  readonly day: number;
  /** Number of the author; undefined when nobody is known. */
  readonly author: number | undefined;
  /** Bits of `commitFlags`. */
  readonly flags: number;
  /** Other people who took part; `kind` is an index of `participations`. */
  readonly others: readonly { readonly author: number; readonly kind: number }[];
  readonly files: readonly FileChangeCount[];
  /** How many files the commit changed, if `files` has only some of them. */
  readonly filesInAll?: number;
}

interface SortedPaths {
  readonly texts: readonly string[];
  /** Bits of `pathFlags`. */
  readonly flags: readonly number[];
  /** The position of each file in `texts`, by number of the file. */
  readonly rank: Uint32Array;
}

const noAuthor = 0xffffffff;
const narrowMax = 0xffff;

export function createCollector() {
  const commits = {
    day: new GrowableArray(Uint16Array),
    author: new GrowableArray(Uint32Array),
    files: new GrowableArray(Uint16Array),
    flags: new GrowableArray(Uint8Array),
  };
  const others = {
    commit: new GrowableArray(Uint32Array),
    author: new GrowableArray(Uint32Array),
    kind: new GrowableArray(Uint8Array),
  };
  const changes = {
    file: new GrowableArray(Uint32Array),
    commit: new GrowableArray(Uint32Array),
    added: new GrowableArray(Uint16Array),
    deleted: new GrowableArray(Uint16Array),
  };
  return {
    add(one: CountedChange): void {
      const commit = commits.day.length;
      commits.day.push(one.day);
      commits.author.push(one.author ?? noAuthor);
      commits.files.push(Math.min(narrowMax, one.filesInAll ?? one.files.length));
      commits.flags.push(one.flags);
      for (const { author, kind } of one.others) {
        others.commit.push(commit);
        others.author.push(author);
        others.kind.push(kind);
      }
      for (const { file, added, deleted } of one.files) {
        changes.file.push(file);
        changes.commit.push(commit);
        changes.added.push(Math.min(narrowMax, added));
        changes.deleted.push(Math.min(narrowMax, deleted));
      }
    },
    end(paths: SortedPaths, isWhole: boolean) {
      const changed = takeWhole(changes);
      const counted = takeWhole(commits);
      markImports(counted, changed);
      return {
        ...countChanged(paths, changed),
        columns: { ...counted, others: takeWhole(others), isWhole },
        blocks: cutBlocks(paths, changed),
      };
    },
  };
}

type Whole<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends GrowableArray<infer Items>
    ? Items
    : never;
};

function takeWhole<Columns extends object>(columns: Columns): Whole<Columns> {
  const whole = Object.entries(columns).map(([name, column]) => [name, column.whole()]);
  return Object.fromEntries(whole);
}

/** Counts the commits that changed a line, and the files that they changed. Deleted files are not counted. */
function countChanged({ flags, rank }: SortedPaths, { file, commit, added, deleted }: Changes) {
  const [commits, files] = [new Set<number>(), new Set<number>()];
  for (const [at, number] of commit.entries()) {
    if (added[at] === 0 && deleted[at] === 0) continue;
    commits.add(number);
    const place = rank[file[at] ?? 0] ?? 0;
    if ((flags[place] ?? 0) & pathFlags.isPresent) files.add(place);
  }
  return { commits: commits.size, files: files.size };
}

const changesPerBlock = 8192;
const pathsPerBlock = 4096;

function* cutBlocks(
  { texts, flags, rank }: SortedPaths,
  { file, commit, added, deleted }: Changes,
): Generator<PathBlock> {
  const starts = new Uint32Array(texts.length + 1);
  for (let at = 0; at < file.length; at++) {
    const to = (rank[file[at] ?? 0] ?? 0) + 1;
    starts[to] = (starts[to] ?? 0) + 1;
  }
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const order = new Uint32Array(file.length);
  const next = starts.slice();
  for (let at = 0; at < file.length; at++) {
    const path = rank[file[at] ?? 0] ?? 0;
    const to = next[path] ?? 0;
    order[to] = at;
    next[path] = to + 1;
  }
  for (let from = 0; from < texts.length; ) {
    let to = from + 1;
    const first = starts[from] ?? 0;
    while (
      to < texts.length &&
      to - from < pathsPerBlock &&
      (starts[to + 1] ?? 0) - first <= changesPerBlock
    ) {
      to += 1;
    }
    const changes = order.subarray(first, starts[to]);
    yield {
      paths: texts.slice(from, to),
      flags: Uint8Array.from(flags.slice(from, to)),
      starts: starts.slice(from, to + 1).map((start) => start - first),
      commit: Uint32Array.from(changes, (at) => commit[at] ?? 0),
      added: Uint16Array.from(changes, (at) => added[at] ?? 0),
      deleted: Uint16Array.from(changes, (at) => deleted[at] ?? 0),
    };
    from = to;
  }
}
