/**
 * Counts one repository from its stored history, without git. Copies are found by comparison with the repositories
 * counted before, so the order of counting must not depend on the run.
 */

import type { RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import { type CreditTally, createCreditTallies } from "../credit/credit-tallies.ts";
import type { CreditKind } from "../credit/trailers.ts";
import { formatProduct } from "../evidence/products.ts";
import type { AuthorIdentities } from "../identity/author-identities.ts";
import type { AuthorIdentity } from "../identity/author-identity.ts";
import type { MissingObjects } from "../repository/missing-objects.ts";
import type { PathMeaning } from "../repository/newest-tree.ts";
import { findExclusion, toDayNumber } from "./exclusion.ts";
import { Fingerprints } from "./fingerprints.ts";
import { iterateCommits, type KeptSignature, type PathMetadata } from "./history.ts";
import { formatCommitName, type KeptCommit } from "./kept-commit.ts";
import type { SignedName } from "./logged-commit.ts";
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

/** A commit of several authors or with an assistant. Its people are known only after the identify stage. */
interface SharedCommit {
  readonly day: number;
  readonly author: AuthorIdentity;
  readonly coAuthors: readonly AuthorIdentity[];
  /** Ids of the agents that took part. */
  readonly agents: readonly string[];
}

export interface RepositoryDigest {
  readonly path: string;
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  readonly language: string | undefined;
  /** What the newest tree of each of its places states of owners, where it states any. */
  readonly ownership: readonly RepositoryOwnership[];
  readonly commits: number;
  readonly merges: number;
  /** Non-merge commits by `name <email>` after the mailmap, one character per byte. */
  readonly authors: ReadonlyMap<string, number>;
  readonly tallies: ReadonlyMap<AuthorIdentity, Tally>;
  readonly shared: readonly SharedCommit[];
  readonly credits: readonly CreditTally[];
  /** Commits whose lines are not known, since objects are missing. */
  readonly incomplete: number;
  /** What its places were read without; absent when a place has everything. */
  readonly missing: MissingObjects | undefined;
  /** Number of commits that were counted in another repository, and of commits by forgotten authors. */
  readonly elsewhere: number;
  readonly forgotten: number;
  /** Pairs of author identities of the same commit: in a repository counted before, and here. */
  readonly sameCommit: readonly (readonly [AuthorIdentity, AuthorIdentity])[];
}

/** State shared by counting all repositories. */
interface CountingContext {
  readonly asOfDay: number;
  readonly identities: AuthorIdentities;
  /** Commits of the repositories counted before, with the number of their author identity. */
  readonly seen: Fingerprints;
  readonly contents: Fingerprints;
}

type DigestSource = Pick<RepositoryDigest, "path" | "name" | "forge" | "owner">;

/** The stored history of one place. */
interface CloneHistory {
  readonly metadata: PathMetadata;
  readonly segments: readonly Uint8Array[];
}

/** @param places the clones of one repository, of which each commit is counted once. */
export function digestRepository(
  counting: CountingContext,
  origin: DigestSource,
  places: Iterable<CloneHistory>,
): RepositoryDigest {
  const sums = createSums();
  let language: string | undefined;
  const ownership: RepositoryOwnership[] = [];
  const lacking: CloneHistory[] = [];
  const take = ({ metadata, segments }: CloneHistory, isIncomplete: boolean): void => {
    const resolve = createResolver(metadata, counting.identities, origin);
    for (const commit of iterateCommits(segments)) {
      if (commit.isIncomplete === isIncomplete) takeCommit(counting, sums, resolve(commit));
    }
  };
  let isWhole = false;
  for (const place of places) {
    language ??= place.metadata.language;
    if (place.metadata.ownership) ownership.push(place.metadata.ownership);
    take(place, false);
    if (place.metadata.missing) lacking.push(place);
    else isWhole = true;
  }
  // Last, since another clone may have what is missing here.
  for (const place of lacking) take(place, true);
  const missing = isWhole && sums.incomplete === 0 ? undefined : lacking[0]?.metadata.missing;
  const { seen, contents, credits, ...counted } = sums;
  for (const tally of counted.tallies.values()) closeTally(tally);
  counting.seen.addAll(seen);
  counting.contents.addAll(contents);
  const { path, name, forge, owner } = origin;
  const read = { language, ownership, missing };
  return { path, name, forge, owner, ...read, ...counted, credits: credits.list() };
}

function createSums() {
  return {
    commits: 0,
    merges: 0,
    incomplete: 0,
    elsewhere: 0,
    forgotten: 0,
    authors: new Map<string, number>(),
    tallies: new Map<AuthorIdentity, Tally>(),
    shared: [] as SharedCommit[],
    credits: createCreditTallies(),
    sameCommit: [] as (readonly [AuthorIdentity, AuthorIdentity])[],
    seen: new Fingerprints(),
    contents: new Fingerprints(),
  };
}

type Sums = ReturnType<typeof createSums>;

/** A stored commit with the values that its numbers stand for. */
interface ResolvedCommit {
  readonly commit: KeptCommit;
  readonly isWhitespace: boolean;
  /** Packages that it added to manifests, as `ecosystem:package`. */
  readonly added: readonly string[];
  readonly author: AuthorIdentity;
  readonly signature: KeptSignature;
  readonly coAuthors: () => readonly AuthorIdentity[];
  readonly credits: readonly { readonly kind: CreditKind; readonly named: SignedName }[];
  /** Ids of the agents that took part. */
  readonly agents: readonly string[];
  /** Meanings of its files, in their order. */
  readonly meanings: readonly PathMeaning[];
  /** What the repository makes, by its own name. */
  readonly product: string | undefined;
  /** Whether the repository had a package then, by `ecosystem:package`. */
  readonly had: (name: string) => boolean;
}

function createResolver(
  metadata: PathMetadata,
  identities: AuthorIdentities,
  origin: DigestSource,
): (commit: KeptCommit) => ResolvedCommit {
  const { name: repository } = origin;
  const product = formatProduct(origin);
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
  // A repository that was not read again since an older form keeps its undated evidence.
  const windows = metadata.windows && new Map(Object.entries(metadata.windows));
  return (commit) => {
    const name = formatCommitName(commit);
    const signed = authors[commit.author];
    if (!signed) throw new Error("A kept commit has no author.");
    return {
      ...signed,
      commit,
      isWhitespace: whitespaceOnly.has(name),
      added: added.get(name) ?? [],
      coAuthors: () =>
        commit.coAuthors.flatMap((trailer) => {
          const signature = metadata.coAuthors[trailer];
          return signature ? [identities.find(signature, repository)] : [];
        }),
      // A co-author who signs off has credit for the commit already.
      credits: commit.credits.flatMap(({ kind, trailer }) => {
        const named = metadata.coAuthors[trailer];
        return named && !commit.coAuthors.includes(trailer) ? [{ kind, named }] : [];
      }),
      agents: commit.agents.flatMap((number) => metadata.agents?.[number] ?? []),
      meanings: commit.files.map(({ path }) => meaningOf(path)),
      product,
      had: (name) => {
        if (!windows) return true;
        const [from, to = Number.POSITIVE_INFINITY] = windows.get(name) ?? [Number.NaN];
        return commit.seconds >= from && commit.seconds <= to;
      },
    };
  };
}

function takeCommit(counting: CountingContext, sums: Sums, resolved: ResolvedCommit): void {
  const { commit, author, signature, meanings } = resolved;
  // Another clone of this repository has the commit too.
  if (!sums.seen.add(commit.sha, counting.identities.numberOf(author))) return;
  sums.commits += 1;
  if (commit.isIncomplete) sums.incomplete += 1;
  if (signature.isErased) {
    if (commit.isMerge) sums.merges += 1;
    sums.forgotten += 1;
    return;
  }
  const isKnown = isElsewhere(counting, sums, resolved);
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
  else countCommit(sums, resolved, { tally, day });
}

/** Whether the commit was counted in another repository; records a different author identity there. */
function isElsewhere(
  counting: CountingContext,
  sums: Sums,
  { commit, author }: ResolvedCommit,
): boolean {
  const number = counting.seen.find(commit.sha);
  if (number === undefined) return false;
  const other = counting.identities.byNumber(number);
  if (other !== author) sums.sameCommit.push([other, author]);
  return true;
}

function isCopy(counting: CountingContext, sums: Sums, content: bigint): boolean {
  return counting.contents.find(content) !== undefined || !sums.contents.add(content);
}

function countCommit(
  sums: Sums,
  resolved: ResolvedCommit,
  { tally, day }: { readonly tally: Tally; readonly day: number },
): void {
  const { commit, isWhitespace, author, coAuthors, credits, agents, meanings } = resolved;
  for (const { kind, named } of credits) sums.credits.add({ kind, named, author }, day);
  countMessage(tally, commit);
  const kinds = meanings.map(({ kind }) => kind);
  const found = findExclusion({ ...commit, isWhitespace }, kinds);
  // Nothing is known of the files of some commits that lack objects.
  const reason = found === "empty" && commit.isIncomplete ? undefined : found;
  if (reason) {
    countExcluded(tally, reason);
    return;
  }
  if (commit.coAuthors.length === 0 && agents.length === 0) tally.days.push(day);
  else sums.shared.push({ day, author, coAuthors: coAuthors(), agents });
  if (!commit.isBulk && !commit.isIncomplete)
    countWork(tally, { ...resolved, files: commit.files, day });
}
