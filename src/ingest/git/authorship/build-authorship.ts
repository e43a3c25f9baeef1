/** Turns a stored history into the authorship in the pool: who changed which file, and when. */
import {
  commitFlags,
  packageRelations,
  participations,
  pathFlags,
  type RepositoryAuthorship,
} from "../../../pool/pool.ts";
import type { ChangeContent } from "../../forges/forge.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import { toDayNumber } from "../commit/day-number.ts";
import { fingerprintSha } from "../commit/fingerprints.ts";
import { followRenames } from "../commit/follow-renames.ts";
import { formatCommitName, type StoredCommit } from "../commit/stored-commit.ts";
import { iterateCommits } from "../commit/stored-commits.ts";
import type { OtherHolders } from "../ledger/commit-index.ts";
import { findAssistance, type NoteStatements } from "../notes/note-rows.ts";
import type { History } from "../read/history.ts";
import { findExclusion } from "../tally/exclusion.ts";
import { type CountedChange, createCollector, type FileChangeCount } from "./collect-changes.ts";

/** A clone of a repository. The numbers of its authors are the same in all clones of the repository. */
export interface CloneAuthors {
  readonly history: Pick<History, "names" | "metadata" | "segments">;
  /** The author's number for each signature. `trailers` has the number for each trailer. Erased people have no number. */
  readonly authors: readonly (number | undefined)[];
  readonly trailers: readonly (number | undefined)[];
}

export interface DayOfReviews extends Pick<ChangeContent, "commits" | "paths" | "files"> {
  /** UTC days since 1970. */
  readonly day: number;
  /** Numbers of the reviewers among the authors of the repository. */
  readonly reviewers: readonly number[];
}

/** What is known about commits apart from the history. */
interface CommitContext {
  readonly stated: NoteStatements;
  /** Undefined if all commits count in this repository. */
  readonly others: Pick<OtherHolders, "firstAuthor"> | undefined;
}

/** @param clones the clones of one repository, the most complete first. A commit in several clones counts once. */
export function buildAuthorship(
  clones: readonly CloneAuthors[],
  { stated, others: elsewhere }: CommitContext,
  reviewed: readonly DayOfReviews[] = [],
): Pick<RepositoryAuthorship, "columns" | "blocks" | "packages" | "commits" | "files" | "lastDay"> {
  const paths = createPaths();
  const collector = createCollector();
  const seen = new Set<bigint>();
  const contents = new Set<bigint>();
  const reviewedCommits = new Set(reviewed.flatMap(({ commits }) => commits.map(fingerprintSha)));
  const othersOf = new Map<bigint, CountedChange["others"]>();
  let lastDay = 0;
  for (const clone of clones) {
    const { metadata } = clone.history;
    const fileOf = paths.read(clone.history);
    const whitespace = new Set(metadata.whitespaceOnly);
    for (const commit of iterateCommits(clone.history.segments)) {
      const day = commit.isDisordered ? undefined : toDayNumber(commit.seconds);
      if (seen.has(commit.sha) || day === undefined) continue;
      seen.add(commit.sha);
      lastDay = Math.max(lastDay, day);
      if (commit.isIncomplete) continue;
      // A merge counts even if its content is known, because changes made in a merge are in no other commit.
      if (!commit.isMerge && contents.has(commit.content)) continue;
      contents.add(commit.content);
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
      if (reviewedCommits.has(commit.sha)) othersOf.set(commit.sha, others);
      const { agents } = findAssistance(commit, metadata, stated);
      const isElsewhere = elsewhere?.firstAuthor(commit.sha) !== undefined;
      const flags =
        flagsOf(commit, files, agents.length > 0) | (isElsewhere ? commitFlags.isElsewhere : 0);
      collector.add({ day, author, flags, others, files });
    }
  }
  for (const { day, reviewers, commits, paths: changed, files: filesInAll } of reviewed) {
    const named = commits.flatMap((commit) => othersOf.get(fingerprintSha(commit)) ?? []);
    collector.add({
      ...{ day, author: undefined, flags: commitFlags.isReview, filesInAll },
      others: [
        ...reviewers.map((author) => ({ author, kind: reviewer })),
        ...named.flatMap((one) => (one.kind === reviewer ? [{ ...one, kind: counted }] : [])),
      ],
      files: [...new Set(changed.flatMap((path) => paths.find(path) ?? []))].map((file) => ({
        ...{ file, added: 0, deleted: 0 },
      })),
    });
  }
  const sorted = paths.sort();
  const isWhole = clones.some(({ history }) => history.metadata.missing === undefined);
  return { ...collector.end(sorted, isWhole), packages: sorted.packages(), lastDay };
}

const [reviewer, counted] = [participations.indexOf("reviewer"), participations.indexOf("counted")];

function listOthers({ authors, trailers }: CloneAuthors, commit: StoredCommit) {
  const writer = authors[commit.author];
  const find = (kind: (typeof participations)[number], named: readonly number[]) =>
    [...new Set(named.map((trailer) => trailers[trailer]))]
      .filter((author) => author !== undefined && author !== writer)
      .map((author = 0) => ({ author, kind: participations.indexOf(kind) }));
  const reviews = commit.credits.flatMap(({ kind, trailer }) =>
    kind === "reviewed" ? trailer : [],
  );
  return [...find("co-author", commit.coAuthors), ...find("reviewer", reviews)];
}

function flagsOf(commit: StoredCommit, files: readonly FileChangeCount[], isAssisted: boolean) {
  const isMechanical = isMechanicalEdit(files) ? commitFlags.isMechanical : 0;
  const isImport = commit.isBulk ? commitFlags.isImport : 0;
  return isMechanical | isImport | (isAssisted ? commitFlags.isAssisted : 0);
}

/** Whether a commit edits many files and deletes about as many lines as it adds. Formatters make such commits. */
function isMechanicalEdit(files: readonly FileChangeCount[]): boolean {
  const edited = files.filter(({ added, deleted }) => added + deleted > 0);
  if (edited.length < mechanicalFiles) return false;
  const even = edited.filter(
    ({ added, deleted }) => Math.min(added, deleted) >= evenShare * Math.max(added, deleted),
  );
  return even.length >= evenShare * edited.length;
}

const mechanicalFiles = 20;
const evenShare = 0.8;

/** Numbers the files of all clones by their current path. */
function createPaths() {
  const numbers = new Map<string, number>();
  const flags: number[] = [];
  const packages = new Map<string, Set<number>>();
  const presentNames: ((path: string) => string | undefined)[] = [];
  type Metadata = History["metadata"];
  const meaningOf = (metadata: Metadata, path: number) =>
    metadata.meanings[metadata.meaningOf[path] ?? -1];
  const note = (name: string, file: number): void => {
    packages.getOrInsertComputed(name, () => new Set()).add(file);
  };
  return {
    kindOf(metadata: Metadata, path: number) {
      const kind = meaningOf(metadata, path)?.kind;
      if (!kind) throw new Error("A stored history uses a path that it does not list.");
      return kind;
    },
    /** @returns a function from the number of a path to the number of its file; undefined for third-party and generated files. */
    read({ names, metadata }: CloneAuthors["history"]): (path: number) => number | undefined {
      const isPresent = readPresent(metadata.newest);
      const isForeign = (path: number) => {
        const { foreign, generated } = meaningOf(metadata, path)?.kind ?? {};
        return foreign || generated;
      };
      const foreignNow = new Set(names.paths.filter((_, at) => isPresent(at) && isForeign(at)));
      const present = names.paths.filter((_, at) => isPresent(at));
      const newest = followRenames(present, names);
      presentNames.push(newest);
      const files = names.paths.map((path, at) => {
        const meaning = meaningOf(metadata, at);
        if (!meaning) return undefined;
        const current = newest(path) ?? path;
        const file = numbers.getOrInsert(current, numbers.size);
        const bits = isPresent(at) ? presentFlags(meaning.kind) : 0;
        flags[file] = (flags[file] ?? 0) | bits | (meaning.routine ? pathFlags.isRoutine : 0);
        if (isForeign(at) || foreignNow.has(current)) return undefined;
        if (!isPresent(at)) return file;
        for (const name of meaning.products ?? []) note(`makes ${name}`, file);
        const { kind, names = [] } = meaning.touchstone ?? {};
        if (kind === "import") for (const name of names) note(`uses ${name}`, file);
        return file;
      });
      return (path) => files[path];
    },
    /** @returns the number of the file that has this path, or once had it. */
    find(path: string): number | undefined {
      const names = presentNames.map((newest) => newest(path)).filter((name) => name !== undefined);
      return [...names, path].map((name) => numbers.get(name)).find((file) => file !== undefined);
    },
    sort() {
      const texts = [...numbers.keys()].sort();
      const rank = new Uint32Array(texts.length);
      for (const [at, text] of texts.entries()) rank[numbers.get(text) ?? 0] = at;
      return {
        texts,
        flags: texts.map((text) => flags[numbers.get(text) ?? 0] ?? 0),
        rank,
        *packages() {
          for (const relation of packageRelations) {
            for (const [text, files] of packages) {
              const [of, name = ""] = text.split(" ", 2);
              // Leaves out names that are not packages.
              if (of !== relation || /^(subject|repository):/.test(name)) continue;
              const paths = Uint32Array.from([...files], (file) => rank[file] ?? 0).sort();
              yield { name, relation, paths };
            }
          }
        },
      };
    },
  };
}

function presentFlags({ foreign, generated }: FileClassification): number {
  if (foreign) return pathFlags.isPresent | pathFlags.isVendored;
  return pathFlags.isPresent | (generated ? pathFlags.isGenerated : 0);
}

/** Reads which paths still exist. In a history of an older form, all paths count as present. */
function readPresent(newest: string | undefined): (path: number) => boolean {
  if (newest === undefined) return () => true;
  const bits = Uint8Array.fromBase64(newest);
  return (path) => ((bits[path >> 3] ?? 0) & (1 << (path & 7))) !== 0;
}
