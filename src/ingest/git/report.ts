/** The report of a git ingest: on each repository, on people, and on the pool. */

import type { AuthorClass } from "../../contract/people/facts.ts";
import { formatDayNumber } from "./commit/day-number.ts";
import type { RepositoryDigest } from "./commits/repository-digest.ts";
import { digestPlaces } from "./count-commits.ts";
import type { RejectedStatement } from "./identity/people.ts";
import type { CountedRepository } from "./ledger/counted-repository.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import type { NoteCounts } from "./ledger/note-rows.ts";
import type { IngestCounts } from "./publish-people.ts";
import type { CloneReading, ReadStatus } from "./read-repositories.ts";
import { describeMissing } from "./repository/missing-objects.ts";
import type { RepositoryRefusal } from "./repository/refusal.ts";

/** Figures over all known repositories, not only those of this run. */
interface GitIngestOutcome {
  /** Search shows humans only. */
  readonly developers: Readonly<Record<AuthorClass, number>>;
  /** Author identities beyond the first of each person. */
  readonly aliases: number;
  /** Pairs of people who may be one; only the operator merges them. */
  readonly suggestions: number;
  /** Statements of the operator that could not be followed; printed reports use this key. */
  readonly unheeded: readonly Omit<RejectedStatement, "member">[];
}

export interface GitIngestReport extends GitIngestOutcome {
  /** The repositories of this run. */
  readonly summaries: readonly (RepositorySummary & {
    readonly status: ReadStatus;
    /** Commits read in this run. */
    readonly newCommits: number;
  })[];
  /** Repositories of this run that were read anew because their stored form had become too old. */
  readonly ofOlderForm: number;
  /** Paths that were not read, with the reason. */
  readonly refused: readonly RepositoryRefusal[];
  /** Number of distinct lines of the authors report. */
  readonly authors: number;
  /** Lines `commits TAB name <email>` over this run's repositories; empty when nothing was counted. */
  readonly authorsReport: readonly string[];
  /** Changes of the pool; undefined when nothing could be read. */
  readonly imported: IngestCounts | undefined;
  /** By source: the number of addresses that the forge has not been asked about yet. */
  readonly unasked?: readonly { readonly source: string; readonly addresses: number }[];
}

/** Has the non-merge commits by class of author, before any deduplication. */
export interface RepositorySummary extends Readonly<Record<AuthorClass, number>> {
  readonly path: string;
  /** owner/name, or the folder's name. */
  readonly name: string;
  /** All commits reachable from HEAD. */
  readonly commits: number;
  readonly merges: number;
  /** Day of the newest commit by anybody, up to as-of, YYYY-MM-DD; absent without a dated one. */
  readonly lastCommit?: string | undefined;
  /** Commits that count, and those that do not by reason; they add up to all commits. */
  readonly counted: number;
  readonly excluded: Readonly<Record<string, number>>;
  /** Commits whose lines, languages and packages are not known, since objects are missing; they count all the same. */
  readonly incomplete: number;
  /** What is not there, and what would help; absent for a complete repository. */
  readonly lacks?: { readonly reason: string; readonly remedy: string } | undefined;
  /** What notes of git-ai came to; absent where there are none. */
  readonly notes?: NoteCounts | undefined;
  /** Distinct (name, e-mail) pairs of non-merge commits after the mailmap: lines of the authors report. */
  readonly authors: number;
  /** Human authors after author identities were joined. */
  readonly people: number;
}

function countNone(): Record<AuthorClass, number> {
  return { human: 0, bot: 0, assistant: 0, nobody: 0 };
}

/** The report of a run that could not read any repository and changed nothing. */
export function reportNothingRead(refused: readonly RepositoryRefusal[]): GitIngestReport {
  return {
    developers: countNone(),
    aliases: 0,
    suggestions: 0,
    unheeded: [],
    summaries: [],
    ofOlderForm: 0,
    refused,
    authors: 0,
    authorsReport: [],
    imported: undefined,
  };
}

export function reportIngest({
  read,
  refused,
  imported,
  ledger,
  request: { asOf, wantsAuthors = false },
}: {
  readonly read: readonly CloneReading[];
  readonly refused: readonly RepositoryRefusal[];
  readonly imported: IngestCounts;
  readonly ledger: Ledger;
  readonly request: { readonly asOf: string; readonly wantsAuthors?: boolean | undefined };
}): GitIngestReport {
  const places = ledger.places();
  const authorsReport = wantsAuthors
    ? formatAuthorsReport(digestPlaces(ledger, asOf, listPlaces(read, places)))
    : [];
  return {
    ...summariseOutcome(ledger),
    summaries: listSummaries(read, places, ledger),
    ofOlderForm: read.filter(({ wasOfOlderForm }) => wasOfOlderForm).length,
    refused,
    authors: countLines(read, places, ledger),
    authorsReport,
    imported,
  };
}

/** Everybody who is known, by the last identification. */
export function summariseOutcome({ people }: Pick<Ledger, "people">): GitIngestOutcome {
  const { byClass, aliases, suggestions, rejected } = people.counts();
  return {
    developers: { ...countNone(), ...Object.fromEntries(byClass) },
    ...{ aliases, suggestions, unheeded: rejected },
  };
}

/** @returns summaries by place. */
export function summariseRepositories(
  ledger: Pick<Ledger, "repositories" | "notes">,
  repositories: ReadonlySet<number>,
): ReadonlyMap<number, RepositorySummary> {
  return new Map(
    [...repositories].flatMap((id) => {
      const repository = ledger.repositories.find(id);
      if (!repository) return [];
      const summary = summariseRepository(repository, ledger);
      return ledger.repositories.placesOf([id]).map((place) => [place, summary] as const);
    }),
  );
}

function listPlaces(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
): ReadonlySet<number> {
  const named = new Set(read.map(({ directory }) => directory));
  return new Set(
    places.flatMap(({ id, directory }) => (directory && named.has(directory) ? [id] : [])),
  );
}

/** Counts the lines of the authors report over several repositories. */
function countLines(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
  { repositories }: Pick<Ledger, "repositories">,
): number {
  const lines = new Set<bigint>();
  for (const id of repositories.ofPlaces(listPlaces(read, places))) {
    for (const line of repositories.lines(id)) lines.add(line);
  }
  return lines.size;
}

function listSummaries(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
  ledger: Pick<Ledger, "summary">,
): GitIngestReport["summaries"] {
  const byDirectory = new Map(places.map(({ id, directory: at }) => [at, id]));
  return read.flatMap(({ path, directory, status, newCommits }) => {
    const id = byDirectory.get(directory) ?? 0;
    const summary = ledger.summary(id) as RepositorySummary | undefined;
    return summary ? [{ ...summary, path, status, newCommits }] : [];
  });
}

/**
 * Lists who committed how often, before author identities are joined. For one repository the lines equal the
 * output of `git shortlog -sne --no-merges HEAD`, so that anyone can check the reading.
 *
 * @returns `commits TAB name <email>`, most commits first, then by the bytes of the name as git does;
 *   as Latin-1 text of the repository's own bytes. Several repositories are summed by pair.
 */
export function formatAuthorsReport(
  digests: readonly Pick<RepositoryDigest, "authors">[],
): string[] {
  const sums = new Map<string, number>();
  for (const { authors } of digests) {
    for (const [line, commits] of authors) sums.set(line, (sums.get(line) ?? 0) + commits);
  }
  return [...sums]
    .sort(([a, most], [b, less]) => less - most || (a < b ? -1 : 1))
    .map(([line, commits]) => `${commits}\t${line}`);
}

export function summariseRepository(
  repository: CountedRepository,
  { repositories, notes }: Pick<Ledger, "repositories" | "notes">,
): RepositorySummary {
  const { id, elsewhere, forgotten } = repository;
  const standing = repositories.standing(id);
  const excluded = { ...repository.excluded, elsewhere, forgotten, capped: standing?.capped ?? 0 };
  return {
    path: repository.path,
    name: repository.name,
    commits: repository.commits,
    merges: repository.merges,
    ...(repository.lastDay !== undefined && { lastCommit: formatDayNumber(repository.lastDay) }),
    ...countNone(),
    ...standing?.byClass,
    counted: standing?.counted ?? 0,
    excluded: Object.fromEntries(
      Object.entries(excluded)
        .filter(([, commits]) => commits > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    incomplete: repository.incomplete,
    notes: notes.count(repositories.placesOf([id])),
    lacks: repository.missing && describeMissing(repository.missing, repository),
    authors: repositories.lines(id).length,
    people: standing?.humans ?? 0,
  };
}
