/** Finds who worked where in the last weeks of the data. Reads only commits, no files. */
import {
  type AuthorshipHead,
  commitFlags,
  type KnownRepository,
  participations,
} from "../pool/pool.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { formatAskedName } from "./complete-names.ts";
import { refuseDamaged } from "./find-files.ts";
import type { MeasureModules } from "./first-knowers.ts";
import { describeHead, nobody } from "./head-index.ts";
import { findUntilDay } from "./history-end.ts";

/** Numbers of weeks, which end on the last day of the data. */
const recentWeeks = { busy: 8, new: 13, shown: 26 } as const;

export interface RecentWork {
  /** The last day of the data, or today if that is earlier. In UTC days since 1970. */
  readonly untilDay: number;
  readonly spans: typeof recentWeeks;
  readonly total: number;
  /** Repositories with most commits in the last weeks. Equally busy repositories are ordered by their latest commit. */
  readonly repositories: readonly BusyRepository[];
  readonly active: number;
  readonly people: readonly BusyPerson[];
  /**
   * People whose first commit to every recently changed repository is new, those with most commits first. Their work elsewhere may
   * be older.
   */
  readonly newcomers: readonly BusyPerson[];
}

export interface BusyRepository extends KnownRepository {
  /** The name by which a question finds the repository. */
  readonly asked: string;
  /** Commits in the last weeks, and in each of the shown weeks, oldest first. */
  readonly recent: number;
  readonly weeks: readonly number[];
}

export interface BusyPerson {
  /** Lower-cased. */
  readonly login: string;
  readonly commits: number;
  /** The name of the repository with most of these commits. */
  readonly repository: string;
}

/** The most repositories, people and newcomers in an answer. */
const shownMax = 24;

export function createRecentWork({ authorship, heads, model }: MeasureModules) {
  const remember = createAnswerCache<RecentWork>(({ repositories }) => repositories.length);
  /** @param today in UTC days since 1970. */
  return async (today: number): Promise<RecentWork> => {
    const edition = await authorship.edition();
    return remember(`${edition} ${model().modelVersion}`, String(today), async () => {
      const known = await authorship.repositories();
      const sums: Sums = { untilDay: findUntilDay(known, today), people: new Map() };
      const counted: Omit<BusyRepository, "asked">[] = [];
      for (const [at, one] of known.entries()) {
        const weeks = new Array<number>(recentWeeks.shown).fill(0);
        if (findWeek(sums, one.lastDay) < recentWeeks.shown) {
          // Lets other requests run. A repository takes less than a millisecond.
          if (at % 16 === 15) await Bun.sleep(0);
          const stored = await heads.open(one.id, edition).catch(refuseDamaged);
          if (stored && "head" in stored) addCommits(sums, one.name, stored.head, weeks);
        }
        counted.push({ ...one, weeks, recent: sum(weeks.slice(-recentWeeks.busy)) });
      }
      counted.sort((a, b) => b.recent - a.recent || b.lastDay - a.lastDay);
      const repositories = counted
        .slice(0, shownMax)
        .map((one) => ({ ...one, asked: formatAskedName(one, known) }));
      return {
        ...{ untilDay: sums.untilDay, spans: recentWeeks, total: known.length, repositories },
        ...rankPeople(sums),
      };
    });
  };
}

interface Sums {
  readonly untilDay: number;
  readonly people: Map<string, PersonSums>;
}

interface PersonSums {
  /** Commits in the last weeks, and in the time in which a first commit is new; by repository. */
  readonly recent: Map<string, number>;
  readonly sinceNew: Map<string, number>;
  firstDay: number;
}

/** @returns 0 for a day in the last week, 1 for the week before, and so on. */
const findWeek = ({ untilDay }: Pick<Sums, "untilDay">, day: number) =>
  Math.floor((untilDay - day) / 7);

const coAuthor = participations.indexOf("co-author");
const notCounted = commitFlags.isReview | commitFlags.isElsewhere;

function addCommits(sums: Sums, repository: string, head: AuthorshipHead, weeks: number[]): void {
  const { day, author, flags, others } = head.columns;
  const { personOf, otherStarts } = describeHead(head);
  const note = (number: number, on: number, week: number) => {
    const person = personOf[number] ?? nobody;
    const login = person === nobody ? undefined : head.logins[person];
    if (login === undefined) return;
    const own = sums.people.getOrInsertComputed(login, createPerson);
    own.firstDay = Math.min(own.firstDay, on);
    if (week < recentWeeks.busy) add(own.recent, repository);
    if (week < recentWeeks.new) add(own.sinceNew, repository);
  };
  for (let at = 0; at < day.length; at++) {
    const on = day[at] ?? 0;
    const week = findWeek(sums, on);
    if (week < 0 || ((flags[at] ?? 0) & notCounted) !== 0) continue;
    if (week < recentWeeks.shown) {
      const bar = recentWeeks.shown - 1 - week;
      weeks[bar] = (weeks[bar] ?? 0) + 1;
    }
    note(author[at] ?? nobody, on, week);
    for (let other = otherStarts[at] ?? 0; other < (otherStarts[at + 1] ?? 0); other++) {
      if (others.kind[other] === coAuthor) note(others.author[other] ?? nobody, on, week);
    }
  }
}

const createPerson = (): PersonSums => ({
  recent: new Map(),
  sinceNew: new Map(),
  firstDay: Number.POSITIVE_INFINITY,
});

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function rankPeople(sums: Sums): Pick<RecentWork, "active" | "people" | "newcomers"> {
  const all = [...sums.people];
  const busy = all.flatMap(([login, { recent }]) => toBusyPerson(login, recent));
  const newcomers = all
    .filter(([, { firstDay }]) => findWeek(sums, firstDay) < recentWeeks.new)
    .flatMap(([login, { sinceNew }]) => toBusyPerson(login, sinceNew));
  const rank = (people: BusyPerson[]) =>
    people.sort((a, b) => b.commits - a.commits || (a.login < b.login ? -1 : 1)).slice(0, shownMax);
  return { active: busy.length, people: rank(busy), newcomers: rank(newcomers) };
}

/** @returns nothing for a person without commits. */
function toBusyPerson(login: string, commits: ReadonlyMap<string, number>): readonly BusyPerson[] {
  const [most] = [...commits].sort(([, a], [, b]) => b - a);
  return most ? [{ login, commits: sum([...commits.values()]), repository: most[0] }] : [];
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
