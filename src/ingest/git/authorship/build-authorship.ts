/**
 * Turns the kept history of one repository into the authorship that the pool stores: who changed which file when, by the
 * present names of the files. It needs no git, and does not depend on how identities are joined.
 */
import {
  commitFlags,
  packageRelations,
  participations,
  pathFlags,
  type RepositoryAuthorship,
} from "../../../pool/pool.ts";
import { findExclusion, toDayNumber } from "../commits/exclusion.ts";
import { Fingerprints } from "../commits/fingerprints.ts";
import { type History, iterateCommits } from "../commits/history.ts";
import { formatCommitName, type KeptCommit } from "../commits/kept-commit.ts";
import { followRenames } from "../evidence/evidence-files.ts";
import { type CountedChange, createCollector, type FileChangeCount } from "./collect-changes.ts";

/** A clone of the repository, with the numbers of its authors in the repository. */
export interface CloneAuthors {
  readonly history: Pick<History, "names" | "metadata" | "segments">;
  /** By signature, and by trailer; undefined without an author. */
  readonly authors: readonly (number | undefined)[];
  readonly trailers: readonly (number | undefined)[];
}

/** @param clones of one repository, the fullest first; each commit is taken once. */
export function buildAuthorship(
  clones: readonly CloneAuthors[],
): Pick<RepositoryAuthorship, "columns" | "blocks" | "packages" | "commits" | "files" | "lastDay"> {
  const paths = createPaths();
  const collector = createCollector();
  const seen = new Fingerprints();
  const contents = new Fingerprints();
  let lastDay = 0;
  for (const clone of clones) {
    const { metadata } = clone.history;
    const fileOf = paths.read(clone.history);
    const whitespace = new Set(metadata.whitespaceOnly);
    for (const commit of iterateCommits(clone.history.segments)) {
      const day = commit.isDisordered ? undefined : toDayNumber(commit.seconds);
      if (!seen.add(commit.sha) || day === undefined) continue;
      lastDay = Math.max(lastDay, day);
      if (commit.isMerge || commit.isIncomplete || !contents.add(commit.content)) continue;
      const isWhitespace = whitespace.has(formatCommitName(commit));
      const kinds = commit.files.map(({ path }) => paths.kindOf(metadata, path));
      if (findExclusion({ ...commit, isWhitespace }, kinds)) continue;
      const files = commit.files.flatMap(({ path, added, deleted, isRegular }) => {
        const file = isRegular ? fileOf(path) : undefined;
        return file === undefined ? [] : [{ file, added, deleted }];
      });
      if (files.length === 0) continue;
      const author = clone.authors[commit.author];
      const others = listOthers(clone, commit);
      collector.add({ day, author, flags: flagsOf(commit, files), others, files });
    }
  }
  const sorted = paths.sort();
  const { columns, blocks } = collector.end(sorted);
  return {
    columns,
    blocks,
    packages: sorted.packages(),
    commits: columns.day.length,
    files: sorted.countPresent(),
    lastDay,
  };
}

function listOthers(
  { authors, trailers }: CloneAuthors,
  commit: KeptCommit,
): CountedChange["others"] {
  const writer = authors[commit.author];
  const find = (kind: (typeof participations)[number], named: readonly number[]) =>
    [...new Set(named.map((trailer) => trailers[trailer]))]
      .filter((author) => author !== undefined && author !== writer)
      .map((author = 0) => ({ author, kind: participations.indexOf(kind) }));
  const reviews = commit.credits.filter(({ kind }) => kind === "reviewed");
  return [
    ...find("co-author", commit.coAuthors),
    ...find(
      "reviewer",
      reviews.map(({ trailer }) => trailer),
    ),
  ];
}

function flagsOf(commit: KeptCommit, files: readonly FileChangeCount[]): number {
  const isMechanical = isMechanicalEdit(files) ? commitFlags.isMechanical : 0;
  const isUnowned = commit.isBulk ? commitFlags.isUnowned : 0;
  const isAssisted = commit.agents.length > 0 ? commitFlags.isAssisted : 0;
  return isMechanical | isUnowned | isAssisted;
}

/**
 * Whether a commit edits many files and deletes about as many lines as it adds in nearly all of them, as formatters, new
 * licence headers and renamed symbols do. Such a commit does not change the owners of the lines.
 */
function isMechanicalEdit(
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
    packages.getOrInsertComputed(name, () => new Set()).add(file);
  };
  return {
    kindOf(metadata: Metadata, path: number) {
      const kind = meaningOf(metadata, path)?.kind;
      if (!kind) throw new Error("A kept history names a path that it does not know.");
      return kind;
    },
    /** @returns the present file of a path of this clone; undefined for files that others or tools wrote. */
    read({ names, metadata }: CloneAuthors["history"]): (path: number) => number | undefined {
      const isPresent = readPresent(metadata.newest);
      const newest = followRenames(
        names.paths.filter((_, at) => isPresent(at)),
        names,
      );
      const files = names.paths.map((path, at) => {
        const meaning = meaningOf(metadata, at);
        if (!meaning || meaning.kind.foreign || meaning.kind.generated) return undefined;
        const file = numbers.getOrInsert(newest(path) ?? path, numbers.size);
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

/** Whether a name is a package, and neither the skill of a README nor the repository itself. */
function isPackage(name: string): boolean {
  return !/^(subject|repository):/.test(name);
}

/** Older forms do not say which files still exist, so all count as present. */
function readPresent(newest: string | undefined): (path: number) => boolean {
  if (newest === undefined) return () => true;
  const bits = Uint8Array.fromBase64(newest);
  return (path) => ((bits[path >> 3] ?? 0) & (1 << (path & 7))) !== 0;
}
