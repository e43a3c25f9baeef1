/** Reads what a person did in each repository, with the limits that need to know who is who. */

import type { Facts } from "../../contract/people/facts.ts";
import { isStale } from "../../contract/people/history-end.ts";
import type { Vocabulary } from "../../vocabulary/vocabulary.ts";
import { toAccountKey } from "../forges/forge-people.ts";
import { formatDayNumber } from "./commit/day-number.ts";
import { type CountedCommit, toCountedCommit } from "./commits/counted-commits.ts";
import type { Tally } from "./commits/tally.ts";
import { listCreditKeys, sumCredits } from "./credit/credit-tallies.ts";
import { listSubjectsTold } from "./evidence/subjects.ts";
import { type Community, findPersonId, listSpellings } from "./identify-people.ts";
import type { Person } from "./identity/author-identity.ts";
import type { NamedPerson } from "./identity/login.ts";
import type { RepositoryStanding } from "./ledger/counted-repositories.ts";
import type { CountedRepository } from "./ledger/counted-repository.ts";
import type { Ledger } from "./ledger/ledger.ts";

/** One person's work in one repository. */
export interface RepositoryOf {
  readonly repository: CountedRepository;
  readonly tallies: readonly Tally[];
  readonly days: ReadonlyMap<number, readonly CountedCommit[]>;
  /** Commits shared with another human. */
  readonly shared: number;
}

/** What the ledger knows of the work of people. */
export interface PeopleWork {
  /** Later work is not counted. */
  readonly asOf: string;
  /** In each repository where the person has a commit. */
  workOf(person: Person): readonly RepositoryOf[];
  creditsOf(person: Person): Facts["credits"];
  /** Humans with a non-merge commit in the repository. */
  humansIn(repository: CountedRepository): number;
  /** Commits to its source from which a person is one of those who make it. */
  makersFrom(repository: CountedRepository): number;
  /** Ids of the skills that it is about by the description and topics that its forge tells. */
  subjectsTold(repository: CountedRepository): readonly string[];
  isOwner(named: NamedPerson, repository: CountedRepository): boolean;
  /** Undefined where no commit has a day. */
  historyEndOf(repository: CountedRepository): string | undefined;
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

type KnownWork = Pick<Ledger, "repositories" | "people" | "spellings">;

/**
 * Keeps figures of repositories in memory, so it holds for one run.
 *
 * @returns a function for one community after the other.
 */
export function openPeopleWork(
  ledger: KnownWork,
  {
    asOf,
    vocabulary,
  }: { readonly asOf: string; readonly vocabulary: Pick<Vocabulary, "subjectsOf" | "textSkills"> },
): (community: Community) => PeopleWork {
  const { repositories } = ledger;
  const found = new Map<number, CountedRepository | undefined>();
  const find = (id: number) => found.getOrInsertComputed(id, repositories.find);
  const standings = new Map<number, RepositoryStanding | undefined>();
  const standingOf = ({ id }: CountedRepository) =>
    standings.getOrInsertComputed(id, repositories.standing);
  const known = createPersonLookup(ledger);
  const told = new Map<number, readonly string[]>();
  return (community) => ({
    asOf,
    humansIn: (repository) => standingOf(repository)?.humans ?? 0,
    makersFrom: (repository) => standingOf(repository)?.makersFrom ?? 1,
    subjectsTold: (repository) =>
      told.getOrInsertComputed(repository.id, () => {
        const owned = community.forges.findRepository(repository.forge, repository.name);
        return owned ? listSubjectsTold(owned, vocabulary) : [];
      }),
    workOf: (person) => joinWork(person, { ledger, community, find, known }),
    creditsOf: (person) => findCredits(person, { ledger, community, known }),
    isOwner: (named, repository) =>
      repository.owner === undefined
        ? standingOf(repository)?.majority === findPersonId(community, named.person)
        : isNamedOwner(named, repository, community),
    historyEndOf: ({ lastDay }) =>
      lastDay === undefined ? undefined : toHistoryEnd(lastDay, asOf),
  });
}

/** A forge that was read gives the owner's number; otherwise the name of the repository names the owner. */
function isNamedOwner(
  { person, login }: NamedPerson,
  { forge, name, owner = "" }: CountedRepository,
  { forges }: Community,
): boolean {
  const owned = forges.findRepository(forge, name);
  if (owned) {
    return person.identities.some(
      ({ persona }) => persona && toAccountKey(persona) === owned.ownerKey,
    );
  }
  const isOwn = (text: string) => text.toLowerCase() === owner.toLowerCase();
  return (
    isOwn(login) ||
    person.accounts.some(
      // A remote's host stands without the port and path that an account's forge may have.
      (account) =>
        isOwn(account.login) &&
        (forge === undefined || forge === account.forge.split(/[:/]/, 1)[0]),
    )
  );
}

interface PersonLookup {
  /** The person of a spelling; undefined for one that was erased since it was counted. */
  of(spelling: number): { readonly id: number; readonly isHuman: boolean } | undefined;
}

function createPersonLookup({ people }: KnownWork): PersonLookup {
  const known = new Map<number, { readonly id: number; readonly isHuman: boolean } | undefined>();
  return {
    of(spelling) {
      if (known.has(spelling)) return known.get(spelling);
      if (known.size >= rememberedMax) known.clear();
      const person = people.personOf(spelling);
      const found = person && { id: person.id, isHuman: person.class === "human" };
      known.set(spelling, found);
      return found;
    },
  };
}

const rememberedMax = 100_000;

interface MutableWork extends RepositoryOf {
  readonly tallies: Tally[];
  readonly days: Map<number, CountedCommit[]>;
  shared: number;
}

function joinWork(
  person: Person,
  {
    ledger,
    community,
    find,
    known,
  }: {
    readonly ledger: KnownWork;
    readonly community: Community;
    readonly find: (repository: number) => CountedRepository | undefined;
    readonly known: PersonLookup;
  },
): readonly RepositoryOf[] {
  const works = new Map<number, MutableWork>();
  const spellings = listSpellings(community, person);
  const own = new Set(spellings);
  const addDay = ({ days }: MutableWork, day: number, commit: CountedCommit): void => {
    days.getOrInsertComputed(day, () => []).push(commit);
  };
  for (const { spelling, repository: id, tally, shared } of ledger.repositories.workOf(spellings)) {
    const repository = find(id);
    if (!repository) continue;
    const work = works.getOrInsertComputed(id, () => ({
      ...{ repository, tallies: [], days: new Map(), shared: 0 },
    }));
    if (tally.commits > 0) work.tallies.push(tally);
    for (const day of tally.days) addDay(work, day, toCountedCommit(1, silent));
    for (const { day, author, coAuthors, ...stated } of shared) {
      // Each spelling that took part has a copy: the first of this person's counts it.
      if ([author, ...coAuthors].find((one) => own.has(one)) !== spelling) continue;
      const sharers = countSharers(known, author, coAuthors, own);
      if (sharers === 0) continue;
      addDay(work, day, toCountedCommit(1 / sharers, stated));
      if (sharers > 1) work.shared += 1;
    }
  }
  return [...works.values()].filter(({ tallies, days }) => tallies.length > 0 || days.size > 0);
}

/** Of most commits nothing is said of assistants. */
const silent = { agents: [], isUnassisted: false };

/**
 * How many share a commit: its author and the humans among those named beside. An assistant named next to a human does not
 * reduce the human's share.
 *
 * @returns 0 when the person is neither.
 */
function countSharers(
  known: PersonLookup,
  author: number,
  coAuthors: readonly number[],
  own: ReadonlySet<number>,
): number {
  const writer = known.of(author)?.id;
  const humans = coAuthors.flatMap((one) => {
    const person = known.of(one);
    return person?.isHuman ? [person.id] : [];
  });
  const isOwn = own.has(author) || coAuthors.some((one) => own.has(one) && known.of(one)?.isHuman);
  return isOwn ? new Set([...(writer === undefined ? [] : [writer]), ...humans]).size : 0;
}

/** A credit belongs to the only person who has what the trailer names first; people get none for their own commits. */
function findCredits(
  person: Person,
  {
    ledger,
    community,
    known,
  }: {
    readonly ledger: KnownWork;
    readonly community: Community;
    readonly known: PersonLookup;
  },
): Facts["credits"] {
  const id = findPersonId(community, person);
  const keys = [
    ...person.addresses,
    ...person.accounts.map(({ forge, login }) => `${forge}/${login.toLowerCase()}`),
  ];
  const named = ledger.repositories.creditsAt(keys);
  const theirs = [...named].filter(([spelling]) => {
    const written = ledger.spellings.find(spelling);
    return written !== undefined && findNamed(ledger, listCreditKeys(written)) === id;
  });
  const credits = theirs.flatMap(([, some]) => some);
  return sumCredits(credits.filter(({ author }) => known.of(author)?.id !== id));
}

function findNamed({ people }: KnownWork, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const [first, ...others] = people.holdersOf(key);
    if (first !== undefined) return others.length === 0 ? first : undefined;
  }
  return undefined;
}
