/** Counts one repository from its stored history, without git. Authors are counted by spelling. */
import type { RepositoryOwnership } from "../../../contract/people/ownership-rule.ts";
import { toDayNumber } from "../commit/day-number.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import { type Spelling, toSpelling } from "../commit/spelling.ts";
import { formatCommitName, type StoredCommit } from "../commit/stored-commit.ts";
import { iterateCommits } from "../commit/stored-commits.ts";
import { createCreditTallies } from "../credit/credit-tallies.ts";
import type { PathMeaning } from "../evidence/path-meaning.ts";
import { formatProduct } from "../evidence/products.ts";
import type { OtherHolders } from "../ledger/commit-index.ts";
import type { KnownClone } from "../ledger/locations.ts";
import { findAssistance, type NoteStatements } from "../notes/note-rows.ts";
import type { PathMetadata } from "../read/history.ts";
import {
  countBehaviour,
  countDate,
  countExcluded,
  countMessage,
  countWork,
  createTally,
  type Tally,
} from "./author-tally.ts";
import { findExclusion } from "./exclusion.ts";
import type { SharedCommit } from "./pack-tally.ts";

interface CountingContext {
  readonly asOfDay: number;
  readonly others: OtherHolders;
  /** What notes say about the commits. */
  readonly stated: NoteStatements;
  /** Returns the spelling of a signature, always the same object for equal spellings. */
  readonly find: (signature: SignedName) => Spelling;
}

type DigestSource = Pick<KnownClone, "name" | "forge" | "owner">;

interface CloneHistory {
  readonly id: number;
  readonly metadata: PathMetadata;
  readonly segments: readonly Uint8Array[];
}

/** The counts of one repository, by spelling of its authors. */
export type RepositoryDigest = ReturnType<typeof digestRepository>;

/** @param places the clones of one repository. A commit in several clones counts once. */
export function digestRepository(
  { asOfDay, others, stated }: Omit<CountingContext, "find">,
  origin: DigestSource,
  places: Iterable<CloneHistory>,
) {
  const counting = { asOfDay, others, stated, find: createSpellings(origin.name) };
  const sums = createSums();
  let language: string | undefined;
  /** The owners stated in the newest tree of each location, the most complete location first; null if no owners are stated. */
  const ownership: (RepositoryOwnership | null)[] = [];
  const missings: PathMetadata["missing"][] = [];
  for (const place of places) {
    const { id, metadata, segments } = place;
    language ??= metadata.language;
    ownership.push(metadata.ownership ?? null);
    missings.push(metadata.missing);
    sums.mentions.push(...listMentions(place, counting));
    const resolve = createResolver(metadata, counting, origin);
    for (const commit of iterateCommits(segments)) {
      takeCommit(counting, sums, id, resolve(commit));
    }
  }
  const lacking = missings.find((one) => one !== undefined);
  const isComplete = missings.includes(undefined) && sums.incomplete === 0;
  const { seen: _, contents: __, credits, ...counted } = sums;
  const { name, forge, owner } = origin;
  return {
    ...{ name, forge, owner, language, ownership, ...counted, credits: credits.list() },
    missing: isComplete ? undefined : lacking,
    /** Whether any location is incomplete. */
    isLacking: lacking !== undefined,
  };
}

/** Creates a function that returns the same object for equal spellings. */
function createSpellings(repository: string): CountingContext["find"] {
  const known = new Map<string, Spelling>();
  return (signature) => {
    const spelling = toSpelling(signature, repository);
    const { name, email, rawEmail } = spelling;
    return known.getOrInsert(`${name}\0${email}\0${rawEmail}`, spelling);
  };
}

function listMentions({ id, metadata }: CloneHistory, { find }: CountingContext) {
  const authors = metadata.signatures.flatMap((signature) =>
    signature.isErased ? [] : [{ ...signature, spelling: find(signature) }],
  );
  const named = metadata.coAuthors.flatMap((signature) =>
    signature ? [{ ...signature, spelling: find(signature), sample: undefined }] : [],
  );
  return [...authors, ...named].map(({ spelling, sample, replaced }) => ({
    ...{ place: id, spelling, sample, replaced },
  }));
}

function createSums() {
  return {
    commits: 0,
    merges: 0,
    /** Day of the newest commit by anybody up to the as-of day; undefined without a dated commit. */
    lastDay: undefined as number | undefined,
    /** Number of commits whose lines are unknown. */
    incomplete: 0,
    /** Commits that were counted in another repository, and commits by forgotten authors. */
    elsewhere: 0,
    forgotten: 0,
    /** Non-merge commits by `name <email>` after the mailmap, one character per byte. */
    authors: new Map<string, number>(),
    tallies: new Map<Spelling, Tally>(),
    shared: [] as SharedCommit<Spelling>[],
    credits: createCreditTallies(),
    /** The people that the histories name, by location. */
    mentions: [] as ReturnType<typeof listMentions>,
    /** Pairs of spellings of one commit's author: the number of the spelling in an earlier repository, and the spelling here. */
    sameCommit: [] as (readonly [number, Spelling])[],
    /** The authors of commits that other repositories also contain. `writeTally` adds them to the commit index. */
    sharedAuthors: [] as { place: number; sha: bigint; author: Spelling }[],
    seen: new Set<bigint>(),
    contents: new Set<bigint>(),
  };
}

type Sums = ReturnType<typeof createSums>;

/** A stored commit with the values that its numbers stand for. */
type ResolvedCommit = ReturnType<ReturnType<typeof createResolver>>;

function createResolver(
  metadata: PathMetadata,
  { find, stated }: CountingContext,
  origin: DigestSource,
) {
  const product = formatProduct(origin);
  const authors = metadata.signatures.map((signature) => ({ signature, author: find(signature) }));
  const meaningOf = (path: number): PathMeaning => {
    const meaning = metadata.meanings[metadata.meaningOf[path] ?? -1];
    if (!meaning) throw new Error("A stored history has a path without a meaning.");
    return meaning;
  };
  const whitespaceOnly = new Set(metadata.whitespaceOnly);
  const added = new Map(Object.entries(metadata.added ?? {}));
  // Histories of an older form have no windows, so their packages count on any day.
  const windows = metadata.windows && new Map(Object.entries(metadata.windows));
  return (commit: StoredCommit) => {
    const name = formatCommitName(commit);
    const signed = authors[commit.author];
    if (!signed) throw new Error("A stored commit has no author.");
    return {
      ...signed,
      commit,
      isWhitespace: whitespaceOnly.has(name),
      added: added.get(name) ?? [],
      coAuthors: () =>
        commit.coAuthors.flatMap((trailer) => {
          const signature = metadata.coAuthors[trailer];
          return signature ? [find(signature)] : [];
        }),
      // A co-author already has credit for the commit. Further trailers, such as Signed-off-by, add no credit.
      credits: commit.credits.flatMap(({ kind, trailer }) => {
        const named = metadata.coAuthors[trailer];
        return named && !commit.coAuthors.includes(trailer) ? [{ kind, named: find(named) }] : [];
      }),
      ...findAssistance(commit, metadata, stated),
      meanings: commit.files.map(({ path }) => meaningOf(path)),
      product,
      /** Whether the repository used a package (`ecosystem:package`) when the commit was made. */
      had: (name: string) => {
        if (!windows) return true;
        const [from, to = Number.POSITIVE_INFINITY] = windows.get(name) ?? [Number.NaN];
        return commit.seconds >= from && commit.seconds <= to;
      },
    };
  };
}

function takeCommit(
  counting: CountingContext,
  sums: Sums,
  place: number,
  resolved: ResolvedCommit,
): void {
  const { commit, author, signature, meanings } = resolved;
  if (!signature.isErased && counting.others.isShared(commit.sha)) {
    sums.sharedAuthors.push({ place, sha: commit.sha, author });
  }
  // Another clone of this repository also contains the commit.
  if (sums.seen.has(commit.sha)) return;
  sums.seen.add(commit.sha);
  sums.commits += 1;
  if (commit.isIncomplete) sums.incomplete += 1;
  noteDay(counting, sums, commit);
  if (signature.isErased) {
    if (commit.isMerge) sums.merges += 1;
    sums.forgotten += 1;
    return;
  }
  const isKnown = isElsewhere(counting, sums, resolved);
  const tally = sums.tallies.getOrInsertComputed(author, createTally);
  if (isKnown) sums.elsewhere += 1;
  if (commit.isMerge) {
    sums.merges += 1;
    tally.merges += 1;
    if (!isKnown) countExcluded(tally, "merge");
    return;
  }
  sums.authors.set(signature.line, (sums.authors.get(signature.line) ?? 0) + 1);
  const day = toDayNumber(commit.seconds);
  tally.commits += 1;
  if (day !== undefined) countDate(tally, commit.seconds);
  if (isKnown) {
    tally.elsewhere += 1;
    return;
  }
  const isRoutine = meanings.length > 0 && meanings.every(({ routine }) => routine);
  countBehaviour(tally, commit.template, isRoutine);
  if (day === undefined) countExcluded(tally, "undated");
  else if (day > counting.asOfDay) countExcluded(tally, "future");
  else if (commit.isDisordered) countExcluded(tally, "disordered");
  else if (counting.others.hasContent(commit.content) || sums.contents.has(commit.content)) {
    countExcluded(tally, "duplicate");
  } else {
    sums.contents.add(commit.content);
    countCommit(sums, resolved, { tally, day });
  }
}

/** Notes the day of a commit, even of a commit that counts for nobody. */
function noteDay({ asOfDay }: CountingContext, sums: Sums, commit: StoredCommit): void {
  const day = commit.isDisordered ? undefined : toDayNumber(commit.seconds);
  if (day !== undefined && day <= asOfDay) sums.lastDay = Math.max(sums.lastDay ?? day, day);
}

/** Whether the commit was counted in another repository. Also records the author's spelling there. */
function isElsewhere({ others }: CountingContext, sums: Sums, { commit, author }: ResolvedCommit) {
  const other = others.firstAuthor(commit.sha);
  if (typeof other === "number") sums.sameCommit.push([other, author]);
  return other !== undefined;
}

function countCommit(
  sums: Sums,
  resolved: ResolvedCommit,
  { tally, day }: { readonly tally: Tally; readonly day: number },
): void {
  const { commit, isWhitespace, author, coAuthors, credits, meanings } = resolved;
  const { agents, isUnassisted } = resolved;
  for (const { kind, named } of credits) sums.credits.add({ kind, named, author }, day);
  countMessage(tally, commit);
  const kinds = meanings.map(({ kind }) => kind);
  const found = findExclusion({ ...commit, isWhitespace }, kinds);
  // At the boundary of a shallow clone, the files of a commit are unknown, so the commit is not called empty.
  const reason = found === "empty" && commit.isIncomplete ? undefined : found;
  if (reason) {
    countExcluded(tally, reason);
    return;
  }
  if (commit.coAuthors.length + agents.length === 0 && !isUnassisted) tally.days.push(day);
  else sums.shared.push({ day, author, coAuthors: coAuthors(), agents, isUnassisted });
  if (!commit.isBulk && !commit.isIncomplete)
    countWork(tally, { ...resolved, files: commit.files, day });
}
