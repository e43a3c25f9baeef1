/** The stage describe: figures of each repository that depend on who is who, and what the facts of its authors tell of it. */

import type { AuthorClass } from "../../../contract/people/facts.ts";
import { isStale } from "../../../contract/people/history-end.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { ForgePeople } from "../../forges/forge-people.ts";
import { formatDayNumber } from "../commit/day-number.ts";
import { digestTexts } from "../digest-texts.ts";
import type { AuthorRow, AuthorRows, AuthorWorkRow } from "../identify/author-rows.ts";
import type {
  IdentifiedPeople,
  IdentifiedPerson,
  PersonId,
} from "../identify/identified-people.ts";
import { readSealed, sealJson } from "../ledger/sealed-text.ts";
import { perDayMax } from "../tally/author-tally.ts";
import { unpackOwnDays } from "../tally/pack-tally.ts";
import { type CountedRepository, readCounted } from "../tally/tally-rows.ts";

/** Figures of a repository that depend on who is who. */
export interface RepositoryStanding {
  /** Humans with a non-merge commit. */
  readonly humans: number;
  /** The human with more than half of the counted commits of humans. */
  readonly majority?: PersonId | undefined;
  /** Commits to its source from which a person is one of those who make it. */
  readonly makersFrom: number;
  /** Non-merge commits by class of their authors. */
  readonly byClass: Readonly<Partial<Record<AuthorClass, number>>>;
  /** Commits that count, and those beyond the limit of a person and day. */
  readonly counted: number;
  readonly capped: number;
}

export interface DescribedRepository extends CountedRepository {
  readonly standing: RepositoryStanding;
  /** Humans, as the facts of each of them tell it. */
  readonly authors: number;
  /** How far it was read, as the facts of each author tell it; undefined where no commit has a day. */
  readonly historyEnd: string | undefined;
  /** Everything that the facts of its authors tell of it, as text. */
  readonly told: string;
}

interface Sources {
  readonly sqlite: Connection;
  readonly authors: AuthorRows;
  readonly people: IdentifiedPeople;
  readonly forges: ForgePeople;
  readonly asOf: string;
}

/** Brings the figures up to date that the ledger keeps of each repository. @returns by id. */
export function describeRepositories(sources: Sources): ReadonlyMap<number, DescribedRepository> {
  const { sqlite, authors } = sources;
  const rows = sqlite.readRows<{ id: number; standing: string | null }>`
    SELECT id, standing FROM repository`;
  const known = new Map(rows.map(({ id, standing }) => [id, standing]));
  const byRepository = Map.groupBy(listWork(authors), ({ work }) => work.repository);
  const keep = sqlite.query("UPDATE repository SET standing = ? WHERE id = ?");
  return sqlite.transact(() => {
    const repositories = [...readCounted(sqlite).values()];
    return new Map(
      repositories.map((repository) => {
        const before = known.get(repository.id);
        const described = describeRepository(
          sources,
          byRepository.get(repository.id) ?? [],
          before,
        );
        if (described !== before) keep.run(described, repository.id);
        const standing = readSealed<KeptStanding>(described)?.standing as RepositoryStanding;
        return [repository.id, describeForAuthors(sources, repository, standing)] as const;
      }),
    );
  });
}

/** @returns undefined before people were identified. */
export function readStanding(
  sqlite: Connection,
  repository: number,
): RepositoryStanding | undefined {
  const text = sqlite.readValue<string>`SELECT standing FROM repository WHERE id = ${repository}`;
  return text === undefined ? undefined : readSealed<KeptStanding>(text)?.standing;
}

interface KeptStanding {
  /** Digest of what it was made from. */
  readonly inputs: string;
  readonly standing: RepositoryStanding;
}

interface Work {
  readonly author: AuthorRow;
  readonly work: AuthorWorkRow;
}

function* listWork({ all }: AuthorRows): Generator<Work> {
  for (const author of all) for (const work of author.work) yield { author, work };
}

/** Increased when the same authors give other figures. */
const form = 1;

/** @returns the standing with the digest of its inputs; the text before where these are the same. */
function describeRepository(
  { sqlite, people }: Sources,
  works: readonly Work[],
  before: string | null | undefined,
): string {
  const inputs = digestTexts([
    String(form),
    ...works.map(({ author: { id }, work: { digest } }) => {
      const person = people.personOf(id);
      return `${id} ${digest} ${person?.id} ${person?.class}`;
    }),
  ]);
  if (before && readSealed<KeptStanding>(before)?.inputs === inputs) return before;
  return sealJson({ inputs, standing: sumAuthors(sqlite, people, works) } satisfies KeptStanding);
}

function sumAuthors(
  sqlite: Connection,
  people: IdentifiedPeople,
  works: readonly Work[],
): RepositoryStanding {
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

/** Counts one person's commits beyond the limit of a day. */
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
  { forges, asOf }: Sources,
  repository: CountedRepository,
  standing: RepositoryStanding,
): DescribedRepository {
  const { name, forge, owner, language, lastDay } = repository;
  const owned = forges.findRepository(forge, name);
  // Whether there are reviews, not which: what of them is somebody's own is told by the account.
  const hasReviews = owned !== undefined && forges.reviewsIn(owned).length > 0;
  const historyEnd = lastDay === undefined ? undefined : toHistoryEnd(lastDay, asOf);
  const authors = roundAuthors(standing.humans);
  const told = [name, forge, owner, language, owned, authors, standing.makersFrom, historyEnd];
  // An owner who is known by name does not depend on who has most commits.
  const majority = owner === undefined ? standing.majority : undefined;
  const text = JSON.stringify([...told, hasReviews, majority]);
  return { ...repository, standing, authors, historyEnd, told: text };
}

/**
 * The authors of a repository, as the facts of each of them tell it: from 20 on rounded down to 20, 50, 100, 200, 500 and so on,
 * so that one more author seldom changes the facts of everybody else. Tiers and badges begin at such numbers.
 */
export function roundAuthors(humans: number): number {
  if (humans < 20) return humans;
  const unit = 10 ** Math.floor(Math.log10(humans));
  const step = [5, 2].find((times) => humans >= times * unit) ?? 1;
  return step * unit;
}

/**
 * How far a repository was read, as the facts of each of its authors tell it: to the month, so that no push but the first of a
 * month changes the facts of everybody; to the day where it says nothing of now any more, and the day is shown.
 *
 * @param lastDay UTC days since 1970.
 */
export function toHistoryEnd(lastDay: number, asOf: string): string {
  const day = formatDayNumber(lastDay);
  if (isStale(day, asOf)) return day;
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/**
 * Commits from which a person is one of those who make a project: ten, as for a role, or half a percent of all in a smaller one,
 * but at least three.
 */
export function countMakersFrom(counted: number): number {
  return Math.min(10, Math.max(3, Math.floor(counted / 200)));
}
