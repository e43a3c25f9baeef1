/** Reads a person's work in each repository for the stage `assemble`. */
import type { Connection } from "../../../sqlite/connection.ts";
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { toAccountKey } from "../../forges/forge-people.ts";
import { type CreditTally, listCreditKeys } from "../credit/credit-tallies.ts";
import type { DescribedRepository, DescribedSources } from "../describe/describe.ts";
import { listStatedSubjects } from "../evidence/subjects.ts";
import type {
  IdentifiedPeople,
  IdentifiedPerson,
  PersonId,
} from "../identify/identified-people.ts";
import type { NamedPerson } from "../identify/login.ts";
import type { Tally } from "../tally/author-tally.ts";
import type { CountedCommit } from "../tally/counted-commits.ts";
import { type CountedRepository, readWork } from "../tally/tally-rows.ts";

/** The work of all people, and what is needed to turn it into facts. */
export interface PeopleWork extends DescribedSources {
  readonly repositories: ReadonlyMap<number, DescribedRepository>;
  /** The credits of each person that are stated in other people's commits. */
  readonly credits: ReadonlyMap<PersonId, readonly CountedCredit[]>;
  /** Lists the ids of skills in the description and topics that a forge states for a repository. */
  readonly statedSubjects: (repository: CountedRepository) => readonly string[];
}

export function preparePeopleWork(
  sources: Omit<PeopleWork, "credits" | "statedSubjects">,
  vocabulary: Pick<Vocabulary, "subjectsOf" | "textSkills">,
): PeopleWork {
  const { sqlite, people, forges } = sources;
  const told = new Map<number, readonly string[]>();
  return {
    ...sources,
    credits: readCredits(sqlite, people),
    statedSubjects: ({ id, forge, name }) =>
      told.getOrInsertComputed(id, () => {
        const owned = forges.findRepository(forge, name);
        return owned ? listStatedSubjects(owned, vocabulary) : [];
      }),
  };
}

/** One person's work in one repository. */
export interface RepositoryOf {
  readonly repository: DescribedRepository;
  readonly tallies: Tally[];
  readonly days: Map<number, CountedCommit[]>;
  shared: number;
}

/** Joins a person's work for each repository in which the person has a commit. */
export function joinWork(
  { sqlite, people, repositories }: PeopleWork,
  { spellings }: IdentifiedPerson,
): readonly RepositoryOf[] {
  const works = new Map<number, RepositoryOf>();
  const own = new Set(spellings);
  const addDay = ({ days }: RepositoryOf, day: number, commit: CountedCommit): void => {
    days.getOrInsertComputed(day, () => []).push(commit);
  };
  for (const { spelling, repository: id, tally, shared } of readWork(sqlite, spellings)) {
    const repository = repositories.get(id);
    if (!repository) continue;
    const work = works.getOrInsertComputed(id, () => ({
      ...{ repository, tallies: [], days: new Map(), shared: 0 },
    }));
    if (tally.commits > 0) work.tallies.push(tally);
    for (const day of tally.days) addDay(work, day, silent);
    for (const { day, author, coAuthors, ...stated } of shared) {
      // A shared commit is stored for each author identity that took part. For one person, it counts only once.
      if ([author, ...coAuthors].find((one) => own.has(one)) !== spelling) continue;
      const sharers = countSharers(people, author, coAuthors, own);
      if (sharers === 0) continue;
      addDay(work, day, { weight: 1 / sharers, ...stated });
      if (sharers > 1) work.shared += 1;
    }
  }
  return [...works.values()].filter(({ tallies, days }) => tallies.length > 0 || days.size > 0);
}

/** The usual commit: one author, and nothing known about assistants. */
const silent: CountedCommit = { weight: 1, agents: [], isUnassisted: false };

/**
 * Counts the people who share a commit: its author and all human co-authors.
 * @returns 0 when the person with the identities `own` is not one of them.
 */
function countSharers(
  { personOf }: IdentifiedPeople,
  author: number,
  coAuthors: readonly number[],
  own: ReadonlySet<number>,
): number {
  const isHuman = (one: number) => personOf(one)?.class === "human";
  const isOwn = own.has(author) || coAuthors.some((one) => own.has(one) && isHuman(one));
  return isOwn
    ? new Set([author, ...coAuthors.filter(isHuman)].flatMap((one) => personOf(one) ?? [])).size
    : 0;
}

export function isOwner(
  { forges }: PeopleWork,
  { id }: IdentifiedPerson,
  { person, login }: NamedPerson,
  { forge, name, owner, figures }: DescribedRepository,
): boolean {
  if (owner === undefined) return figures.majority === id;
  // A repository described by a forge has an owner with an account. Other repositories have only an owner's login.
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
      // The forge of an account may contain a port and a path. `forge` is only a host.
      (account) =>
        isOwn(account.login) &&
        (forge === undefined || forge === account.forge.split(/[:/]/, 1)[0]),
    )
  );
}

export interface CountedCredit extends Omit<CreditTally, "named" | "author"> {
  readonly repository: number;
  readonly author: number;
}

interface CreditRow extends CountedCredit {
  readonly named: number;
  readonly email: string;
  readonly rawEmail: string;
}

/** Reads the credits in trailers. Credits that authors give themselves are left out. */
function readCredits(sqlite: Connection, people: IdentifiedPeople) {
  const rows = sqlite.query<CreditRow, []>(
    `SELECT named_id AS named, repository_id AS repository, author_id AS author, kind, count, first, last,
       email, raw_email AS rawEmail
     FROM credit JOIN spelling ON spelling.id = named_id ORDER BY named_id, repository_id, author_id, kind`,
  );
  const found = new Map<PersonId, CountedCredit[]>();
  const known = new Map<number, IdentifiedPerson | undefined>();
  for (const { named, email, rawEmail, ...credit } of rows.iterate()) {
    const person = known.getOrInsertComputed(named, () =>
      findNamed(people, listCreditKeys({ email, rawEmail })),
    );
    if (!person || people.personOf(credit.author) === person) continue;
    found.getOrInsertComputed(person.id, () => []).push(credit);
  }
  return found;
}

function findNamed({ holdersOf }: IdentifiedPeople, keys: readonly string[]) {
  for (const key of keys) {
    const [first, ...others] = holdersOf(key);
    if (first) return others.length === 0 ? first : undefined;
  }
  return undefined;
}
