/** The stage `describe`. It computes the figures of each repository that depend on identity. */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { ForgePeople } from "../../forges/forge-people.ts";
import { formatDayNumber } from "../commit/day-number.ts";
import type { AuthorRow, AuthorRows, AuthorWorkRow } from "../identify/author-rows.ts";
import type {
  IdentifiedPeople,
  IdentifiedPerson,
  PersonId,
} from "../identify/identified-people.ts";
import { parseColumn } from "../ledger/ledger.ts";
import { perDayMax } from "../tally/author-tally.ts";
import { unpackOwnDays } from "../tally/pack-tally.ts";
import { type CountedRepository, readCounted } from "../tally/tally-rows.ts";

/** Figures of a repository that depend on which authors are one person. */
export interface RepositoryFigures {
  /** Number of humans with a non-merge commit. */
  readonly humans: number;
  /** The human with more than half of all counted commits by humans. */
  readonly majority?: PersonId | undefined;
  /** How many commits make a person a maker of the project. */
  readonly makersFrom: number;
  /** Non-merge commits by class of the authors. */
  readonly byClass: Readonly<Partial<Record<AuthorClass, number>>>;
  /** Number of counted commits. `capped` is the number of commits above the daily limit for a person. */
  readonly counted: number;
  readonly capped: number;
}

export interface DescribedRepository extends CountedRepository {
  readonly figures: RepositoryFigures;
  /** Number of humans, rounded by `roundAuthors`. */
  readonly authors: number;
  /** The day of the last commit, rounded by `toHistoryEnd`; undefined if no commit has a day. */
  readonly historyEnd: string | undefined;
  /** Everything about the repository that the facts of its authors contain, as one text. */
  readonly stated: string;
}

export interface DescribedSources {
  readonly sqlite: Connection;
  readonly authors: AuthorRows;
  readonly people: IdentifiedPeople;
  readonly forges: ForgePeople;
  /** The as-of day; later work is not counted. */
  readonly asOf: string;
}

/** Computes the figures of each repository, and stores them for reports. @returns the repositories by id. */
export function describeRepositories(
  sources: DescribedSources,
): ReadonlyMap<number, DescribedRepository> {
  const { sqlite, authors } = sources;
  const rows = sqlite.readRows<{ id: number; standing: string | null }>`
    SELECT id, standing FROM repository`;
  const stored = new Map(rows.map(({ id, standing }) => [id, standing]));
  const byRepository = Map.groupBy(listWork(authors), ({ work }) => work.repository);
  const store = sqlite.query("UPDATE repository SET standing = ? WHERE id = ?");
  return sqlite.transact(() => {
    const described = new Map<number, DescribedRepository>();
    for (const [id, repository] of readCounted(sqlite)) {
      const figures = sumAuthors(sources, byRepository.get(id) ?? []);
      const text = JSON.stringify({ standing: figures });
      if (text !== stored.get(id)) store.run(text, id);
      described.set(id, describeForAuthors(sources, repository, figures));
    }
    return described;
  });
}

/** @returns undefined if people were never identified. */
export function readFigures(sqlite: Connection, repository: number): RepositoryFigures | undefined {
  const text = sqlite.readValue<string>`SELECT standing FROM repository WHERE id = ${repository}`;
  return text ? parseColumn<{ standing: RepositoryFigures }>(text).standing : undefined;
}

interface Work {
  readonly author: AuthorRow;
  readonly work: AuthorWorkRow;
}

function* listWork({ all }: AuthorRows): Generator<Work> {
  for (const author of all) for (const work of author.work) yield { author, work };
}

function sumAuthors(
  { sqlite, people }: DescribedSources,
  works: readonly Work[],
): RepositoryFigures {
  const byClass: Partial<Record<AuthorClass, number>> = {};
  let [humans, counted, capped, ofHumans] = [0, 0, 0, 0];
  let most: { readonly person: IdentifiedPerson; readonly counted: number } | undefined;
  for (const [person, theirs] of Map.groupBy(works, ({ author }) => people.personOf(author.id))) {
    if (!person) continue;
    const sum = (of: (work: AuthorWorkRow) => number) =>
      theirs.reduce((all, { work }) => all + of(work), 0);
    const [commits, own] = [sum((work) => work.commits), sum((work) => work.counted)];
    byClass[person.class] = (byClass[person.class] ?? 0) + commits;
    counted += own;
    if (sum(({ busiest }) => busiest) > perDayMax) capped += countCapped(sqlite, theirs);
    if (person.class !== "human") continue;
    ofHumans += own;
    if (commits > 0) humans += 1;
    if (own > (most?.counted ?? 0)) most = { person, counted: own };
  }
  return {
    ...{ humans, byClass, capped, counted: counted - capped },
    ...(most && most.counted * 2 > ofHumans && { majority: most.person.id }),
    makersFrom: countMakersFrom(ofHumans),
  };
}

/** Counts a person's commits above the daily limit. */
function countCapped(sqlite: Connection, works: readonly Work[]): number {
  const read = sqlite.query<{ content: Uint8Array }, [number, number]>(
    "SELECT content FROM work WHERE spelling_id = ? AND repository_id = ?",
  );
  const days = works.flatMap(({ author: { id }, work: { repository } }) => {
    const row = read.get(id, repository);
    return row ? unpackOwnDays(row.content, id) : [];
  });
  const byDay = Map.groupBy(days, (day) => day);
  return byDay.values().reduce((sum, { length }) => sum + Math.max(0, length - perDayMax), 0);
}

function describeForAuthors(
  { forges, asOf }: DescribedSources,
  repository: CountedRepository,
  figures: RepositoryFigures,
): DescribedRepository {
  const { name, forge, owner, language, lastDay } = repository;
  const owned = forges.findRepository(forge, name);
  const hasReviews = owned !== undefined && forges.reviewsIn(owned).length > 0;
  const historyEnd = lastDay === undefined ? undefined : toHistoryEnd(lastDay, asOf);
  const authors = roundAuthors(figures.humans);
  // Left out is what changes often and is in nobody's facts: a forge may change the last push with every comment.
  const { pushedAt: _, megabytes: __, urls: ___, ...told } = owned ?? {};
  const stated = [name, forge, owner, language, told, authors, figures.makersFrom, historyEnd];
  // If the owner's name is known, the person with most commits does not count as the owner.
  const majority = owner === undefined ? figures.majority : undefined;
  const text = JSON.stringify([...stated, hasReviews, majority]);
  return { ...repository, figures, authors, historyEnd, stated: text };
}

/** Rounds down to 20, 50, 100, 200, 500 and so on, so that one new author seldom changes the facts of all others. */
export function roundAuthors(humans: number): number {
  if (humans < 20) return humans;
  const unit = 10 ** Math.floor(Math.log10(humans));
  const step = [5, 2].find((times) => humans >= times * unit) ?? 1;
  return step * unit;
}

/**
 * Returns the end of the month of the last commit. For a history that ended long ago, returns the day of the last commit.
 * @param lastDay UTC days since 1970.
 */
export function toHistoryEnd(lastDay: number, asOf: string): string {
  const day = formatDayNumber(lastDay);
  if (isStale(day, asOf)) return day;
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Returns how many commits make a person a maker: half a percent of all commits, but at least three and at most ten. */
export function countMakersFrom(counted: number): number {
  return Math.min(10, Math.max(3, Math.floor(counted / 200)));
}
