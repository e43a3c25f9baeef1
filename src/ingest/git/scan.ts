/**
 * Reads one repository in one pass. What remains is sums by author spelling, never the history:
 * a checkpoint can hold exactly this.
 */
import type { Vocabulary } from "../../vocabulary/vocabulary.ts";
import type { FileKind, Linguist } from "../linguist/linguist.ts";
import { contentFingerprint, dayOf, exclusionOfChange, isBulkImport } from "./commits/count.ts";
import { Fingerprints, fingerprintOfSha } from "./commits/fingerprints.ts";
import { judgeMessage, subjectOf, templateOf } from "./commits/message.ts";
import {
  closeTally,
  countBehaviour,
  countDate,
  countMessage,
  exclude,
  openTally,
  type Tally,
} from "./commits/tally.ts";
import { followRenames, type Touchstones } from "./evidence/packages.ts";
import { countWork, isRoutine } from "./evidence/work.ts";
import type { Git } from "./git-command.ts";
import type { Persona } from "./identity/people.ts";
import { mapCoAuthors, type PersonaBook } from "./identity/personas.ts";
import { type LoggedCommit, readLog } from "./log/log.ts";
import type { FoundRepository } from "./repositories/repositories.ts";

/** A commit of several people; who they are is known when everybody is. */
export interface SharedCommit {
  readonly day: number;
  readonly author: Persona;
  readonly coAuthors: readonly Persona[];
}

export interface Digest {
  readonly path: string;
  readonly name: string;
  readonly forge: string | undefined;
  readonly owner: string | undefined;
  readonly language: string | undefined;
  readonly commits: number;
  readonly merges: number;
  /** `name <email>` after the mailmap, a character per byte, with non-merge commits. */
  readonly authors: ReadonlyMap<string, number>;
  readonly tallies: ReadonlyMap<Persona, Tally>;
  readonly shared: readonly SharedCommit[];
  /** The same commit under another spelling, read before in another repository. */
  readonly sameCommit: readonly (readonly [Persona, Persona])[];
}

export interface Scan {
  readonly git: Git;
  readonly vocabulary: Pick<Vocabulary, "pathClasses">;
  readonly asOfDay: number;
  readonly personas: PersonaBook;
  /** Commits of the repositories read before, with the number of their author's persona. */
  readonly seen: Fingerprints;
  readonly contents: Fingerprints;
  readonly onCommits: (commits: number) => void;
}

export interface Tree {
  readonly kindOf: ReturnType<Linguist["forTree"]>;
  readonly touchstones: Touchstones;
  readonly language: string | undefined;
}

/** @throws GitFault when the history cannot be read to its end; nothing is then kept of it. */
export async function scanRepository(
  scan: Scan,
  repository: FoundRepository,
  tree: Tree,
): Promise<Digest> {
  const { personas } = scan;
  const reading = openReading(scan, repository, tree);
  await readLog(scan.git, repository, (commit) => reading.take(commit));
  scan.onCommits(reading.counts.commits);
  const coAuthors = await mapCoAuthors(scan.git, repository, reading.trailers());
  for (const tally of reading.tallies.values()) closeTally(tally);
  scan.seen.addAll(reading.seen);
  scan.contents.addAll(reading.contents);
  return {
    path: repository.path,
    name: repository.origin.name,
    forge: repository.origin.forge,
    owner: repository.origin.owner,
    language: tree.language,
    commits: reading.counts.commits,
    merges: reading.counts.merges,
    authors: reading.authors,
    tallies: reading.tallies,
    shared: reading.shared.map(({ day, author, trailers }) => ({
      day,
      author,
      coAuthors: trailers.flatMap((trailer) => {
        const signature = coAuthors.get(trailer);
        return signature ? [personas.find(signature, repository.origin.name)] : [];
      }),
    })),
    sameCommit: reading.sameCommit,
  };
}

interface Shared {
  readonly day: number;
  readonly author: Persona;
  readonly trailers: readonly string[];
}

function openReading(scan: Scan, repository: FoundRepository, tree: Tree) {
  const { personas, vocabulary, asOfDay } = scan;
  const [seen, contents] = [new Fingerprints(), new Fingerprints()];
  const authors = new Map<string, number>();
  const tallies = new Map<Persona, Tally>();
  const shared: Shared[] = [];
  const sameCommit: (readonly [Persona, Persona])[] = [];
  const counts = { commits: 0, merges: 0 };
  const touched = followRenames(tree.touchstones);

  const tallyOf = (persona: Persona): Tally => {
    let tally = tallies.get(persona);
    if (!tally) {
      tally = openTally();
      tallies.set(persona, tally);
    }
    return tally;
  };
  /** Whether another repository had it; remembers who signed it. */
  const isKnown = (commit: LoggedCommit, persona: Persona): boolean => {
    const sha = fingerprintOfSha(commit.sha);
    const before = scan.seen.find(sha);
    if (before === undefined) {
      seen.add(sha, personas.numberOf(persona));
      return false;
    }
    const other = personas.byNumber(before);
    if (other !== persona) sameCommit.push([other, persona]);
    return true;
  };
  const isCopy = (content: bigint): boolean =>
    scan.contents.find(content) !== undefined || !contents.add(content);

  const take = (commit: LoggedCommit): void => {
    counts.commits += 1;
    if (counts.commits % 500 === 0) scan.onCommits(counts.commits);
    const persona = personas.find(commit.author, repository.origin.name);
    const known = isKnown(commit, persona);
    const tally = tallyOf(persona);
    if (commit.parents > 1) {
      counts.merges += 1;
      if (!known) exclude(tally, "merge");
      return;
    }
    authors.set(commit.author.line, (authors.get(commit.author.line) ?? 0) + 1);
    const kinds = commit.files.map(({ path }) => tree.kindOf(path));
    const day = dayOf(commit.seconds);
    tally.commits += 1;
    if (day !== undefined) countDate(tally, commit.seconds);
    countBehaviour(tally, templateOf(subjectOf(commit.message)), isRoutine(commit, kinds));
    if (!known) countCommit(commit, { persona, tally, kinds, day });
  };
  const countCommit = (
    commit: LoggedCommit,
    at: { persona: Persona; tally: Tally; kinds: FileKind[]; day: number | undefined },
  ): void => {
    const { persona, tally, kinds, day } = at;
    if (day === undefined) exclude(tally, "undated");
    else if (day > asOfDay) exclude(tally, "future");
    else if (isCopy(contentFingerprint(commit))) exclude(tally, "duplicate");
    else {
      countMessage(tally, judgeMessage(commit.message));
      const reason = exclusionOfChange(commit, kinds);
      if (reason) exclude(tally, reason);
      else {
        if (commit.coAuthors.length === 0) tally.days.push(day);
        else shared.push({ day, author: persona, trailers: commit.coAuthors });
        if (!isBulkImport(commit)) countWork(tally, { commit, kinds, day, touched, vocabulary });
      }
    }
  };
  const trailers = (): Set<string> => new Set(shared.flatMap((commit) => commit.trailers));
  return { take, trailers, counts, authors, tallies, shared, sameCommit, seen, contents };
}
