/** The report of a git ingest: on each repository, on people, and on the pool. */

import type { AuthorClass } from "../../contract/people/facts.ts";
import type { Pool } from "../../pool/pool.ts";
import type { RepositoryDigest } from "./commits/digest-repository.ts";
import { perDayMax } from "./commits/tally.ts";
import { type Community, isOnForge } from "./identify-people.ts";
import type { AuthorIdentity, Person } from "./identity/author-identity.ts";
import type { RejectedStatement } from "./identity/people.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import type { IngestCounts } from "./publish-people.ts";
import type { CloneReading, ReadStatus } from "./read-repositories.ts";
import { describeMissing } from "./repository/missing-objects.ts";
import type { RepositoryRefusal } from "./repository/refusal.ts";

/** Figures over all known repositories, not only those of this run; the ledger stores them as JSON. */
interface GitIngestOutcome {
  /** Search shows humans only. */
  readonly developers: Readonly<Record<AuthorClass, number>>;
  /** Author identities beyond the first of each person. */
  readonly aliases: number;
  /** Pairs of people who may be one; only the operator merges them. */
  readonly suggestions: number;
  /** Statements of the operator that could not be followed; stored ledgers and printed reports use this key. */
  readonly unheeded: readonly RejectedStatement[];
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
  /** Commits that count, and those that do not by reason; they add up to all commits. */
  readonly counted: number;
  readonly excluded: Readonly<Record<string, number>>;
  /** Commits whose lines, languages and packages are not known, since objects are missing; they count all the same. */
  readonly incomplete: number;
  /** What is not there, and what would help; absent for a complete repository. */
  readonly lacks?: { readonly reason: string; readonly remedy: string } | undefined;
  /** Distinct (name, e-mail) pairs of non-merge commits after the mailmap: lines of the authors report. */
  readonly authors: number;
  /** Human authors after author identities were joined. */
  readonly people: number;
}

function countNone(): Record<AuthorClass, number> {
  return { human: 0, bot: 0, assistant: 0, nobody: 0 };
}

interface RunResult {
  readonly read: readonly CloneReading[];
  readonly refused: readonly RepositoryRefusal[];
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

/** The report of a run that found nothing new: the stored outcome of the last run still holds. */
export async function reportUnchanged({
  read,
  refused,
  outcome,
  ledger,
  pool,
}: RunResult & {
  readonly outcome: unknown;
  readonly ledger: Ledger;
  readonly pool: Pick<Pool, "revision">;
}): Promise<GitIngestReport> {
  const stored = outcome as GitIngestOutcome;
  const places = ledger.places();
  const summaries = summariesOf(read, places);
  const [first, ...others] = summaries;
  return {
    ...stored,
    summaries,
    ofOlderForm: 0,
    refused,
    authors: first && others.length === 0 ? first.authors : countLines(read, places, ledger),
    authorsReport: [],
    imported: {
      revision: await pool.revision(),
      added: 0,
      replaced: 0,
      unchanged: Object.values(stored.developers).reduce((sum, count) => sum + count, 0),
      removed: 0,
      demoRemoved: 0,
      joined: 0,
      suppressed: 0,
    },
  };
}

/** @param run.places read from the ledger after the summaries were written. */
export function reportIngest(
  run: RunResult & {
    readonly outcome: GitIngestOutcome;
    readonly imported: IngestCounts;
    readonly community: Community;
    readonly places: readonly KnownClone[];
  },
): GitIngestReport {
  const { read, refused, outcome, imported, community, places } = run;
  const digests = selectDigests(read, community, places).map(({ digest }) => digest);
  const authorsReport = formatAuthorsReport([...new Set(digests)]);
  const authors = authorsReport.length;
  const summaries = summariesOf(read, places);
  const ofOlderForm = read.filter(({ wasOfOlderForm }) => wasOfOlderForm).length;
  return { ...outcome, summaries, ofOlderForm, refused, authors, authorsReport, imported };
}

export function summariseOutcome(community: Community): GitIngestOutcome {
  const developers = countNone();
  let aliases = 0;
  for (const { person } of community.everybody) {
    aliases += Math.max(0, person.identities.filter(({ persona }) => !persona).length - 1);
    if (community.workOf(person).length > 0 || isOnForge(person))
      developers[person.classified.class] += 1;
  }
  const suggestions = community.suggestions().length;
  return { developers, aliases, suggestions, unheeded: community.rejectedStatements };
}

/** @returns summaries by place. */
export function summariseRepositories(
  community: Community,
): ReadonlyMap<number, RepositorySummary> {
  const { digests } = community;
  return new Map([...digests].map(([id, digest]) => [id, summariseRepository(digest, community)]));
}

/** Selects the digests of the places that were read, in their order. */
export function selectDigests(
  read: readonly CloneReading[],
  { digests }: Pick<Community, "digests">,
  places: readonly { readonly id: number; readonly directory: string | null }[],
): { readonly path: string; readonly digest: RepositoryDigest }[] {
  const byDirectory = new Map(places.map(({ id, directory }) => [directory, id]));
  return read.flatMap(({ path, directory }) => {
    const digest = digests.get(byDirectory.get(directory) ?? Number.NaN);
    return digest ? [{ path, digest }] : [];
  });
}

function countLines(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
  ledger: Ledger,
): number {
  const named = new Set(read.map(({ directory }) => directory));
  const lines = new Set<string>();
  for (const { id, directory } of places) {
    if (directory === null || !named.has(directory)) continue;
    for (const { line, commits, isErased } of ledger.metadata(id).signatures) {
      if (commits > 0 && !isErased) lines.add(line);
    }
  }
  return lines.size;
}

function summariesOf(
  read: readonly CloneReading[],
  places: readonly KnownClone[],
): GitIngestReport["summaries"] {
  const byDirectory = new Map(places.map((place) => [place.directory, place]));
  return read.flatMap(({ path, directory, status, newCommits }) => {
    const summary = byDirectory.get(directory)?.summary as RepositorySummary | undefined;
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
  digest: RepositoryDigest,
  community: Community,
): RepositorySummary {
  const count = countNone();
  const { elsewhere, forgotten } = digest;
  const capped = cappedIn(digest, community);
  const excluded = new Map(
    Object.entries({ capped, elsewhere, forgotten }).filter(([, commits]) => commits > 0),
  );
  let counted = digest.shared.length - capped;
  for (const [identity, tally] of digest.tallies) {
    count[community.personOf(identity).classified.class] += tally.commits;
    counted += tally.days.length;
    for (const [reason, commits] of tally.excluded) {
      excluded.set(reason, (excluded.get(reason) ?? 0) + commits);
    }
  }
  return {
    path: digest.path,
    name: digest.name,
    commits: digest.commits,
    merges: digest.merges,
    ...count,
    counted,
    excluded: Object.fromEntries([...excluded].sort(([a], [b]) => (a < b ? -1 : 1))),
    incomplete: digest.incomplete,
    lacks: digest.missing && describeMissing(digest.missing, digest),
    authors: digest.authors.size,
    people: community.humanAuthors(digest),
  };
}

/** Counts the commits above the daily limit of each author; a shared commit belongs to its author here. */
function cappedIn(digest: RepositoryDigest, community: Community): number {
  const ofDay = new Map<Person, Map<number, number>>();
  let capped = 0;
  const add = (identity: AuthorIdentity, day: number): void => {
    const person = community.personOf(identity);
    const days = ofDay.getOrInsertComputed(person, () => new Map());
    const before = days.get(day) ?? 0;
    if (before >= perDayMax) capped += 1;
    days.set(day, before + 1);
  };
  for (const [identity, { days }] of digest.tallies) for (const day of days) add(identity, day);
  for (const { author, day } of digest.shared) add(author, day);
  return capped;
}
