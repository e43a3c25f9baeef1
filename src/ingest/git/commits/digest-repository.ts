/**
 * Counts one repository from its kept history, without git. Which commits are copies is settled against
 * the repositories counted before, so the order of counting must be one that does not depend on the run.
 */

import type { AuthorIdentities } from "../identity/author-identities.ts";
import type { AuthorIdentity } from "../identity/author-identity.ts";
import type { PathMeaning } from "../repository/newest-tree.ts";
import { findExclusion, toDayNumber } from "./count.ts";
import { Fingerprints } from "./fingerprints.ts";
import { iterateCommits, type KeptSignature, type PathMetadata } from "./history.ts";
import { formatCommitName, type KeptCommit } from "./kept-commit.ts";
import {
  closeTally,
  countBehaviour,
  countDate,
  countExcluded,
  countMessage,
  countWork,
  createTally,
  type Tally,
} from "./tally.ts";

/** A commit of several people; who they are is known when everybody is. */
interface SharedCommit {
  readonly day: number;
  readonly author: AuthorIdentity;
  readonly coAuthors: readonly AuthorIdentity[];
}

export interface RepositoryDigest {
  readonly path: string;
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  readonly language: string | undefined;
  readonly commits: number;
  readonly merges: number;
  /** `name <email>` after the mailmap, a character per byte, with non-merge commits. */
  readonly authors: ReadonlyMap<string, number>;
  readonly tallies: ReadonlyMap<AuthorIdentity, Tally>;
  readonly shared: readonly SharedCommit[];
  /** Commits that were counted in another repository, and those whose author was forgotten. */
  readonly elsewhere: number;
  readonly forgotten: number;
  /** The same commit under another spelling, counted before in another repository. */
  readonly sameCommit: readonly (readonly [AuthorIdentity, AuthorIdentity])[];
}

/** What counting one repository must know of the others. */
interface CountingContext {
  readonly asOfDay: number;
  readonly identities: AuthorIdentities;
  /** Commits of the repositories counted before, with the number of their author's author identity. */
  readonly seen: Fingerprints;
  readonly contents: Fingerprints;
}

type DigestSource = Pick<RepositoryDigest, "path" | "name" | "forge" | "owner">;

/** What one place holds of a repository. */
interface CloneHistory {
  readonly metadata: PathMetadata;
  readonly segments: readonly Uint8Array[];
}

/** @param places several clones of one repository are one repository: each commit once. */
export function digestRepository(
  counting: CountingContext,
  origin: DigestSource,
  places: Iterable<CloneHistory>,
): RepositoryDigest {
  const sums = openSums();
  let language: string | undefined;
  for (const { metadata, segments } of places) {
    language ??= metadata.language;
    const texts = readTexts(metadata, counting.identities, origin.name);
    for (const commit of iterateCommits(segments)) takeCommit(counting, sums, texts(commit));
  }
  const { seen, contents, ...counted } = sums;
  for (const tally of counted.tallies.values()) closeTally(tally);
  counting.seen.addAll(seen);
  counting.contents.addAll(contents);
  const { path, name, forge, owner } = origin;
  return { path, name, forge, owner, language, ...counted };
}

function openSums() {
  return {
    commits: 0,
    merges: 0,
    elsewhere: 0,
    forgotten: 0,
    authors: new Map<string, number>(),
    tallies: new Map<AuthorIdentity, Tally>(),
    shared: [] as SharedCommit[],
    sameCommit: [] as (readonly [AuthorIdentity, AuthorIdentity])[],
    seen: new Fingerprints(),
    contents: new Fingerprints(),
  };
}

type Sums = ReturnType<typeof openSums>;

/** A kept commit with what its numbers stand for. */
interface Told {
  readonly commit: KeptCommit;
  readonly isWhitespace: boolean;
  /** `ecosystem:package` that it added to manifests. */
  readonly added: readonly string[];
  readonly author: AuthorIdentity;
  readonly signature: KeptSignature;
  readonly coAuthors: () => readonly AuthorIdentity[];
  /** Of its files, in their order. */
  readonly meanings: readonly PathMeaning[];
}

function readTexts(
  metadata: PathMetadata,
  identities: AuthorIdentities,
  repository: string,
): (commit: KeptCommit) => Told {
  const authors = metadata.signatures.map((signature) => ({
    signature,
    author: identities.find(signature, repository),
  }));
  const meaningOf = (path: number): PathMeaning => {
    const meaning = metadata.meanings[metadata.meaningOf[path] ?? -1];
    if (!meaning) throw new Error("A kept history names a path that it does not know.");
    return meaning;
  };
  const whitespaceOnly = new Set(metadata.whitespaceOnly);
  const added = new Map(Object.entries(metadata.added ?? {}));
  return (commit) => {
    const name = formatCommitName(commit);
    const written = authors[commit.author];
    if (!written) throw new Error("A kept commit has no author.");
    return {
      ...written,
      commit,
      isWhitespace: whitespaceOnly.has(name),
      added: added.get(name) ?? [],
      coAuthors: () =>
        commit.coAuthors.flatMap((trailer) => {
          const signature = metadata.coAuthors[trailer];
          return signature ? [identities.find(signature, repository)] : [];
        }),
      meanings: commit.files.map(({ path }) => meaningOf(path)),
    };
  };
}

function takeCommit(counting: CountingContext, sums: Sums, told: Told): void {
  const { commit, author, signature, meanings } = told;
  // Another clone of this repository had it.
  if (!sums.seen.add(commit.sha, counting.identities.numberOf(author))) return;
  sums.commits += 1;
  if (signature.isErased) {
    if (commit.isMerge) sums.merges += 1;
    sums.forgotten += 1;
    return;
  }
  const isKnown = isElsewhere(counting, sums, told);
  if (isKnown) sums.elsewhere += 1;
  const tally = sums.tallies.get(author) ?? createTally();
  sums.tallies.set(author, tally);
  if (commit.isMerge) {
    sums.merges += 1;
    if (!isKnown) countExcluded(tally, "merge");
    return;
  }
  sums.authors.set(signature.line, (sums.authors.get(signature.line) ?? 0) + 1);
  const day = toDayNumber(commit.seconds);
  tally.commits += 1;
  if (day !== undefined) countDate(tally, commit.seconds);
  const isRoutine = meanings.length > 0 && meanings.every(({ routine }) => routine);
  countBehaviour(tally, commit.template, isRoutine);
  if (isKnown) return;
  if (day === undefined) countExcluded(tally, "undated");
  else if (day > counting.asOfDay) countExcluded(tally, "future");
  else if (commit.isDisordered) countExcluded(tally, "disordered");
  else if (isCopy(counting, sums, commit.content)) countExcluded(tally, "duplicate");
  else countCommit(sums, told, { tally, day });
}

/** Whether another repository had it; remembers who signed it there. */
function isElsewhere(counting: CountingContext, sums: Sums, { commit, author }: Told): boolean {
  const held = counting.seen.find(commit.sha);
  if (held === undefined) return false;
  const other = counting.identities.byNumber(held);
  if (other !== author) sums.sameCommit.push([other, author]);
  return true;
}

function isCopy(counting: CountingContext, sums: Sums, content: bigint): boolean {
  return counting.contents.find(content) !== undefined || !sums.contents.add(content);
}

function countCommit(
  sums: Sums,
  { commit, isWhitespace, added, author, coAuthors, meanings }: Told,
  { tally, day }: { readonly tally: Tally; readonly day: number },
): void {
  countMessage(tally, commit);
  const kinds = meanings.map(({ kind }) => kind);
  const reason = findExclusion({ ...commit, isWhitespace }, kinds);
  if (reason) {
    countExcluded(tally, reason);
    return;
  }
  if (commit.coAuthors.length === 0) tally.days.push(day);
  else sums.shared.push({ day, author, coAuthors: coAuthors() });
  if (!commit.isBulk) countWork(tally, { files: commit.files, meanings, added, day });
}
