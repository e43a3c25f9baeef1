/**
 * Turns the kept history of one repository into what the pool stores of it: who changed which file when, by the names
 * that files have now. Needs no git, and does not depend on who is who.
 */
import {
  commitFlags,
  type PathBlock,
  packageRelations,
  participations,
  pathFlags,
  type RepositoryAuthorship,
} from "../../../pool/pool.ts";
import { findExclusion, toDayNumber } from "../commits/count.ts";
import { Fingerprints } from "../commits/fingerprints.ts";
import { type History, iterateCommits } from "../commits/history.ts";
import { formatCommitName, type KeptCommit } from "../commits/kept-commit.ts";
import { followRenames } from "../evidence/evidence-files.ts";
import { NumberList } from "./number-list.ts";

/** A clone of the repository, with the numbers of its authors in the repository. */
export interface CloneAuthors {
  readonly history: Pick<History, "names" | "metadata" | "segments">;
  /** By signature, and by trailer; undefined for nobody. */
  readonly authors: readonly (number | undefined)[];
  readonly trailers: readonly (number | undefined)[];
}

/** Of nobody in particular. */
const nobody = 0xffffffff;
const narrowMax = 0xffff;

/** @param clones of one repository, the fullest first; each commit is taken once. */
export function buildAuthorship(
  clones: readonly CloneAuthors[],
): Pick<RepositoryAuthorship, "columns" | "blocks" | "packages" | "commits" | "files" | "lastDay"> {
  const paths = createPaths();
  const work = createWork();
  const seen = new Fingerprints();
  const contents = new Fingerprints();
  for (const clone of clones) {
    const { metadata } = clone.history;
    const fileOf = paths.read(clone.history);
    const whitespace = new Set(metadata.whitespaceOnly);
    for (const commit of iterateCommits(clone.history.segments)) {
      if (!seen.add(commit.sha) || commit.isMerge || commit.isIncomplete) continue;
      const day = toDayNumber(commit.seconds);
      if (day === undefined || commit.isDisordered || !contents.add(commit.content)) continue;
      const isWhitespace = whitespace.has(formatCommitName(commit));
      const kinds = commit.files.map(({ path }) => paths.kindOf(metadata, path));
      if (findExclusion({ ...commit, isWhitespace }, kinds)) continue;
      const files = commit.files.flatMap(({ path, added, deleted, isRegular }) => {
        const file = isRegular ? fileOf(path) : undefined;
        return file === undefined ? [] : [{ file, added, deleted }];
      });
      if (files.length > 0) work.add({ clone, commit, day, files });
    }
  }
  const sorted = paths.sort();
  const { columns, changes } = work.end();
  return {
    columns,
    blocks: cutBlocks(sorted, changes),
    packages: sorted.packages(),
    commits: columns.day.length,
    files: sorted.countPresent(),
    lastDay: columns.day.reduce((last, day) => Math.max(last, day), 0),
  };
}

interface FileWork {
  readonly file: number;
  readonly added: number;
  readonly deleted: number;
}

/** Collects commits and changes in the order in which they come. */
function createWork() {
  const [day, author, files, flags] = [0, 0, 0, 0].map(() => new NumberList());
  const others = [0, 0, 0].map(() => new NumberList()) as [NumberList, NumberList, NumberList];
  const [file, commit, added, deleted] = [0, 0, 0, 0].map(() => new NumberList());
  if (!day || !author || !files || !flags || !file || !commit || !added || !deleted) {
    throw new Error("Lists are never absent.");
  }
  return {
    add(one: {
      readonly clone: CloneAuthors;
      readonly commit: KeptCommit;
      readonly day: number;
      readonly files: readonly FileWork[];
    }): void {
      const number = day.length;
      const writer = one.clone.authors[one.commit.author];
      day.push(one.day);
      author.push(writer ?? nobody);
      files.push(Math.min(narrowMax, one.files.length));
      flags.push(flagsOf(one.commit, one.files));
      for (const [kind, trailers] of listTrailers(one.commit)) {
        const people = new Set(trailers.map((trailer) => one.clone.trailers[trailer]));
        for (const person of people) {
          if (person === undefined || person === writer) continue;
          for (const [at, value] of [number, person, kind].entries()) others[at]?.push(value);
        }
      }
      for (const change of one.files) {
        file.push(change.file);
        commit.push(number);
        added.push(Math.min(narrowMax, change.added));
        deleted.push(Math.min(narrowMax, change.deleted));
      }
    },
    end() {
      const [otherCommit, otherAuthor, otherKind] = others;
      return {
        columns: {
          day: day.to(Uint16Array),
          author: author.to(Uint32Array),
          files: files.to(Uint16Array),
          flags: flags.to(Uint8Array),
          others: {
            commit: otherCommit.to(Uint32Array),
            author: otherAuthor.to(Uint32Array),
            kind: otherKind.to(Uint8Array),
          },
        },
        changes: { file, commit, added, deleted },
      };
    },
  };
}

type Changes = ReturnType<ReturnType<typeof createWork>["end"]>["changes"];

function* listTrailers(commit: KeptCommit): Generator<readonly [number, readonly number[]]> {
  const reviews = commit.credits.filter(({ kind }) => kind === "reviewed");
  yield [participations.indexOf("co-author"), commit.coAuthors];
  yield [participations.indexOf("reviewer"), reviews.map(({ trailer }) => trailer)];
}

function flagsOf(commit: KeptCommit, files: readonly FileWork[]): number {
  const isMechanical = isMechanicalEdit(files) ? commitFlags.isMechanical : 0;
  const isUnowned = commit.isBulk ? commitFlags.isUnowned : 0;
  const isAssisted = commit.agents.length > 0 ? commitFlags.isAssisted : 0;
  return isMechanical | isUnowned | isAssisted;
}

/**
 * Whether a commit edits many files and takes away about as many lines as it adds in nearly all of them, as formatters,
 * new licence headers and renamed symbols do. Whose lines they are stays as it was.
 */
export function isMechanicalEdit(
  files: readonly { readonly added: number; readonly deleted: number }[],
): boolean {
  const edited = files.filter(({ added, deleted }) => added + deleted > 0);
  if (edited.length < mechanicalFiles) return false;
  const even = edited.filter(
    ({ added, deleted }) => Math.min(added, deleted) >= evenShare * Math.max(added, deleted),
  );
  return even.length >= evenShare * edited.length;
}

const mechanicalFiles = 20;
const evenShare = 0.8;

/** Numbers the files of all clones by the path that they have now. */
function createPaths() {
  const numbers = new Map<string, number>();
  const flags: number[] = [];
  const packages = new Map<string, Set<number>>();
  type Metadata = History["metadata"];
  const meaningOf = (metadata: Metadata, path: number) =>
    metadata.meanings[metadata.meaningOf[path] ?? -1];
  const note = (name: string, file: number): void => {
    const files = packages.get(name);
    if (files) files.add(file);
    else packages.set(name, new Set([file]));
  };
  const numberOf = (path: string): number => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    numbers.set(path, numbers.size);
    return numbers.size - 1;
  };
  return {
    /** What others wrote, or a tool, is nobody's work. */
    kindOf(metadata: Metadata, path: number) {
      const kind = meaningOf(metadata, path)?.kind;
      if (!kind) throw new Error("A kept history names a path that it does not know.");
      return kind;
    },
    /** @returns the file that a path of this clone is now; undefined for what is nobody's work. */
    read({ names, metadata }: CloneAuthors["history"]): (path: number) => number | undefined {
      const isPresent = readPresent(metadata.newest);
      const newest = followRenames(
        names.paths.filter((_, at) => isPresent(at)),
        names,
      );
      const files = names.paths.map((path, at) => {
        const meaning = meaningOf(metadata, at);
        if (!meaning || meaning.kind.foreign || meaning.kind.generated) return undefined;
        const file = numberOf(newest(path) ?? path);
        const bits = isPresent(at) ? pathFlags.isPresent : 0;
        flags[file] = (flags[file] ?? 0) | bits | (meaning.routine ? pathFlags.isRoutine : 0);
        if (!isPresent(at)) return file;
        for (const name of meaning.products ?? []) note(`makes ${name}`, file);
        const { kind, names = [] } = meaning.touchstone ?? {};
        if (kind === "import") for (const name of names) note(`uses ${name}`, file);
        return file;
      });
      return (path) => files[path];
    },
    sort() {
      const texts = [...numbers.keys()].sort();
      const rank = new Uint32Array(texts.length);
      for (const [at, text] of texts.entries()) rank[numbers.get(text) ?? 0] = at;
      const ranked = texts.map((text) => flags[numbers.get(text) ?? 0] ?? 0);
      return {
        texts,
        flags: ranked,
        rank,
        countPresent: () => ranked.filter((bits) => bits & pathFlags.isPresent).length,
        *packages() {
          for (const relation of packageRelations) {
            for (const [text, files] of packages) {
              const [of, name = ""] = text.split(" ", 2);
              if (of !== relation || !isPackage(name)) continue;
              const paths = Uint32Array.from([...files], (file) => rank[file] ?? 0).sort();
              yield { name, relation, paths };
            }
          }
        },
      };
    },
  };
}

/** Not the skill of a README, nor the repository itself. */
function isPackage(name: string): boolean {
  return !/^(subject|repository):/.test(name);
}

/** Older forms do not know which files are still there. */
function readPresent(newest: string | undefined): (path: number) => boolean {
  if (newest === undefined) return () => true;
  const bits = Uint8Array.fromBase64(newest);
  return (path) => ((bits[path >> 3] ?? 0) & (1 << (path & 7))) !== 0;
}

const changesPerBlock = 8192;
const pathsPerBlock = 4096;

/** Sorts the changes by file, and cuts them into blocks. */
function* cutBlocks(
  { texts, flags, rank }: ReturnType<ReturnType<typeof createPaths>["sort"]>,
  { file, commit, added, deleted }: Changes,
): Generator<PathBlock> {
  const starts = new Uint32Array(texts.length + 1);
  for (let at = 0; at < file.length; at++) {
    const to = (rank[file.at(at)] ?? 0) + 1;
    starts[to] = (starts[to] ?? 0) + 1;
  }
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const order = new Uint32Array(file.length);
  const next = starts.slice();
  for (let at = 0; at < file.length; at++) {
    const path = rank[file.at(at)] ?? 0;
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
      commit: Uint32Array.from(changes, (at) => commit.at(at)),
      added: Uint16Array.from(changes, (at) => added.at(at)),
      deleted: Uint16Array.from(changes, (at) => deleted.at(at)),
    };
    from = to;
  }
}
