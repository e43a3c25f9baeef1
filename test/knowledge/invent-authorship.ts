/**
 * Invents repositories as the pool stores them, the same ones for the same seed: folders of all depths, few files with
 * many changes and many with few, and people who mostly work in one part.
 */
import type { PathBlock, RepositoryAuthorship } from "../../src/pool/pool.ts";
import { createRandom } from "../random.ts";

const folderNames = "core api drivers net fs web store ui util auth parse sched".split(" ");
const changesPerBlock = 8192;
const lastDay = 20_700;

interface InventedSize {
  readonly name: string;
  readonly commits: number;
  readonly files: number;
  /** Logins of its people. */
  readonly people: readonly string[];
}

/** @returns the repository and its paths. */
export function inventAuthorship({ name, commits, files, people }: InventedSize) {
  const draw = createRandom(commits + files);
  const upTo = (most: number) => Math.floor(draw() * most);
  /** Draws small numbers far more often: the first of a thousand as often as the last 700 together. */
  const skewed = (most: number) => Math.floor(most ** draw()) - 1;
  const paths = inventPaths(files, upTo);
  const day = Uint16Array.from({ length: commits }, () => lastDay - upTo(4000)).sort();
  const author = new Uint32Array(commits);
  const touched = new Uint16Array(commits);
  const others: [number, number, number][] = [];
  const changes: { file: number; commit: number }[] = [];
  for (let commit = 0; commit < commits; commit++) {
    // A change touches files near one file. The owner of that part makes most of the changes there.
    const centre = (skewed(files) * 7919) % files;
    const owner = Math.floor((centre / files) * people.length);
    const near = (owner + skewed(Math.min(200, people.length))) % people.length;
    author[commit] = draw() < 0.7 ? near : skewed(people.length);
    const count = draw() < 0.02 ? 40 : 1 + skewed(12);
    const own = new Set(
      Array.from({ length: count }, () => Math.min(files - 1, centre + skewed(50))),
    );
    for (const file of own) changes.push({ file, commit });
    touched[commit] = own.size;
    if (draw() < 0.15) others.push([commit, upTo(people.length), upTo(2)]);
  }
  const flags = new Uint8Array(commits);
  const column = (at: 0 | 1 | 2) => others.map((row) => row[at]);
  const repository: RepositoryAuthorship = {
    ...{ key: name, name, forge: "forge.example.com", fingerprint: "1", commits, files, lastDay },
    columns: {
      ...{ day, author, files: touched, flags },
      others: {
        commit: Uint32Array.from(column(0)),
        author: Uint32Array.from(column(1)),
        kind: Uint8Array.from(column(2)),
      },
    },
    blocks: cutBlocks(paths, changes, draw),
    packages: Array.from({ length: 20 }, (_, at) => ({
      name: `npm:package-${at}`,
      relation: at < 2 ? ("makes" as const) : ("uses" as const),
      paths: Uint32Array.from(
        { length: Math.min(files, 10 * (at + 1)) },
        (_, n) => (n * 97 + at * 131) % files,
      ).sort(),
    })),
  };
  return { repository, paths };
}

function inventPaths(files: number, upTo: (most: number) => number): readonly string[] {
  const paths = Array.from({ length: files }, (_, file) => {
    const part = file / files;
    const depth = 1 + upTo(6);
    const folders = Array.from({ length: depth }, (_, level) => {
      const choice = Math.floor(part * 12 ** (level + 1)) % 12;
      return `${folderNames[choice]}${level === 0 ? "" : level}`;
    });
    return `${folders.join("/")}/file-${file}.ts`;
  });
  return paths.sort();
}

function* cutBlocks(
  paths: readonly string[],
  changes: readonly { readonly file: number; readonly commit: number }[],
  draw: () => number,
): Generator<PathBlock> {
  const byFile: number[][] = paths.map(() => []);
  for (const { file, commit } of changes) byFile[file]?.push(commit);
  for (let from = 0; from < paths.length; ) {
    const starts = [0];
    let to = from;
    while (to < paths.length && to - from < 4096) {
      const count = byFile[to]?.length ?? 0;
      const total = starts.at(-1) ?? 0;
      if (to > from && total + count > changesPerBlock) break;
      starts.push(total + count);
      to += 1;
    }
    const commit = Uint32Array.from(byFile.slice(from, to).flat());
    yield {
      paths: paths.slice(from, to),
      flags: new Uint8Array(to - from).fill(1),
      starts: Uint32Array.from(starts),
      commit,
      added: Uint16Array.from(commit, () => Math.floor(200 ** draw())),
      deleted: Uint16Array.from(commit, () => Math.floor(60 ** draw()) - 1),
    };
    from = to;
  }
}
