/** The report of a git ingest: on each repository, on people, and on the pool. */
import type { AuthorClass } from "../../contract/people/facts.ts";
import { formatDayNumber } from "./commit/day-number.ts";
import { readFigures } from "./describe/describe.ts";
import type { AuthorRows } from "./identify/author-rows.ts";
import type { RejectedStatement } from "./identify/group-people.ts";
import type { IdentifiedPeople } from "./identify/identified-people.ts";
import { guardReading, type Ledger } from "./ledger/ledger.ts";
import { type KnownClone, listLocations } from "./ledger/locations.ts";
import { countNotes, type NoteCounts } from "./notes/note-rows.ts";
import type { IngestCounts } from "./publish/publish.ts";
import type { CloneReading, ReadStatus } from "./read-repositories.ts";
import { explainMissing } from "./repository/cut-history.ts";
import type { RepositoryRefusal } from "./repository/refusal.ts";
import type { RepositoryDigest } from "./tally/digest-repository.ts";
import { type CopyOf, digestLocations, findCopies } from "./tally/tally.ts";
import {
  type CountedRepository,
  listLocationsOf,
  readCounted,
  readReportLines,
} from "./tally/tally-rows.ts";

export interface GitIngestReport {
  /** Number of people by class, over all known repositories. Search shows humans only. */
  readonly developers: Readonly<Record<AuthorClass, number>>;
  /** Number of author identities beyond the first of each person. */
  readonly aliases: number;
  /** Number of humans with a commit in a repository that was read in this run. */
  readonly people: number;
  /** Number of pairs of people who may be one person; only the operator merges them. */
  readonly suggestions: number;
  /** Statements of the operator about identities that could not be applied. */
  readonly unheeded: readonly Omit<RejectedStatement, "member">[];
  readonly summaries: readonly (RepositorySummary & {
    readonly path: string;
    readonly status: ReadStatus;
    /** Commits read in this run. */
    readonly newCommits: number;
    /** The repository that has everything of this location. */
    readonly copyOf?: CopyOf | undefined;
  })[];
  /** Repositories of this run that were read anew because their stored form had become too old. */
  readonly ofOlderForm: number;
  /** Paths that were not read, each with the reason. */
  readonly refused: readonly RepositoryRefusal[];
  /** Number of distinct lines of the authors report. */
  readonly authors: number;
  /** Lines `commits TAB name <email>` over this run's repositories; empty when nothing was counted. */
  readonly authorsReport: readonly string[];
  /** Changes of the pool; undefined when nothing could be read. */
  readonly imported: IngestCounts | undefined;
  /** For each source, how many addresses the forge was not asked about yet. */
  readonly unasked?: readonly { readonly source: string; readonly addresses: number }[];
}

/** Figures of a repository, with the number of non-merge commits for each class of author. */
export interface RepositorySummary extends Readonly<Record<AuthorClass, number>> {
  /** owner/name, or the folder's name. */
  readonly name: string;
  /** All commits reachable from HEAD. */
  readonly commits: number;
  readonly merges: number;
  /** Day of the newest commit by anybody up to the as-of day, YYYY-MM-DD; undefined without a dated commit. */
  readonly lastCommit?: string | undefined;
  /** Number of commits that count. `excluded` has the numbers of all other commits, by reason. */
  readonly counted: number;
  readonly excluded: Readonly<Record<string, number>>;
  /** Number of commits with unknown lines, languages and packages, from shallow clones. */
  readonly incomplete: number;
  /** What a shallow clone lacks, and what would help. */
  readonly lacks?: { readonly reason: string; readonly remedy: string } | undefined;
  /** Numbers of git-ai's notes by verdict; undefined without notes. */
  readonly notes?: NoteCounts | undefined;
  /** Number of lines of the authors report: distinct pairs of name and address after the mailmap. */
  readonly authors: number;
  /** Number of human authors after their author identities were joined. */
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
    people: 0,
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

export function reportIngest(run: {
  readonly read: readonly CloneReading[];
  readonly refused: readonly RepositoryRefusal[];
  readonly imported: IngestCounts;
  readonly ledger: Ledger;
  readonly people: IdentifiedPeople;
  readonly authors: AuthorRows;
  readonly request: { readonly asOf: string; readonly wantsAuthors?: boolean | undefined };
}): GitIngestReport {
  const { read, refused, imported, ledger, people, authors } = run;
  const { asOf, wantsAuthors } = run.request;
  const places = listLocations(ledger);
  const summaries = listSummaries(read, places, ledger);
  const [first, ...others] = summaries;
  const directories = new Set(read.map(({ directory }) => directory));
  const named = places.filter(({ directory }) => directory !== null && directories.has(directory));
  return {
    developers: countClasses(people),
    aliases: people.all.reduce((sum, { aliases }) => sum + aliases, 0),
    people: countHumans(people, authors, new Set(named.map(({ repositoryId }) => repositoryId))),
    suggestions: people.suggestions,
    unheeded: people.rejected,
    summaries,
    ofOlderForm: read.filter(({ wasOfOlderForm }) => wasOfOlderForm).length,
    refused,
    authors: first && others.length === 0 ? first.authors : countLines(named, ledger),
    authorsReport: wantsAuthors
      ? formatAuthorsReport(digestLocations(ledger, asOf, new Set(named.map(({ id }) => id))))
      : [],
    imported,
  };
}

/** Counts all people in the pool by class. */
export function countClasses({ all }: IdentifiedPeople): Record<AuthorClass, number> {
  const counts = countNone();
  for (const { isShown, class: kind } of all) if (isShown) counts[kind] += 1;
  return counts;
}

function countHumans(
  { personOf }: IdentifiedPeople,
  { all }: AuthorRows,
  repositories: ReadonlySet<number | undefined>,
): number {
  const theirs = all.filter(({ work }) =>
    work.some(({ repository, commits }) => commits > 0 && repositories.has(repository)),
  );
  const found = new Set(theirs.map(({ id }) => personOf(id)));
  return found
    .values()
    .filter((person) => person?.class === "human")
    .toArray().length;
}

/** Reads the summary of a repository location from its last count; undefined before the first count. */
export function readSummary(
  ledger: Ledger,
  { repositoryId }: Pick<KnownClone, "repositoryId">,
): RepositorySummary | undefined {
  return guardReading(ledger, () => {
    const repository = readCounted(ledger.sqlite, repositoryId ?? 0).get(repositoryId ?? 0);
    return repository && summariseRepository(repository, ledger);
  });
}

/** Counts the lines of the authors report over several repositories. */
function countLines(named: readonly KnownClone[], { sqlite }: Ledger): number {
  const ids = new Set(named.flatMap(({ repositoryId }) => repositoryId ?? []));
  const lines = new Set([...ids].flatMap((id) => [...readReportLines(sqlite, id)]));
  return lines.size;
}

function listSummaries(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
  ledger: Ledger,
): GitIngestReport["summaries"] {
  const byDirectory = new Map(places.map((place) => [place.directory, place]));
  const copies = findCopies(ledger);
  return read.flatMap(({ path, directory, status, newCommits }) => {
    const place = byDirectory.get(directory);
    const summary = place && readSummary(ledger, place);
    if (!summary) return [];
    const copyOf = copies.get(place.id);
    return [{ ...summary, path, status, newCommits, ...(copyOf && { copyOf }) }];
  });
}

/**
 * Lists authors with their number of commits, before author identities are joined. For one repository, the lines equal `git
 * shortlog -sne --no-merges HEAD`.
 * @returns lines `commits TAB name <email>`, most commits first. Each character is one byte of the repository.
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

function summariseRepository(repository: CountedRepository, { sqlite }: Ledger): RepositorySummary {
  const { id, elsewhere, forgotten } = repository;
  const figures = readFigures(sqlite, id);
  const excluded = { ...repository.excluded, elsewhere, forgotten, capped: figures?.capped ?? 0 };
  return {
    name: repository.name,
    commits: repository.commits,
    merges: repository.merges,
    ...(repository.lastDay !== undefined && { lastCommit: formatDayNumber(repository.lastDay) }),
    ...countNone(),
    ...figures?.byClass,
    counted: figures?.counted ?? 0,
    excluded: Object.fromEntries(
      Object.entries(excluded)
        .filter(([, commits]) => commits > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    incomplete: repository.incomplete,
    notes: countNotes(sqlite, listLocationsOf(sqlite, id)),
    lacks: repository.missing && explainMissing(repository.missing, repository),
    authors: readReportLines(sqlite, id).length,
    people: figures?.humans ?? 0,
  };
}
