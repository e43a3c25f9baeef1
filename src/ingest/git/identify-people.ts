/** Stage 5, identify: finds the people behind the authors, their work in each repository, and the owners of repositories. */

import type { Selector } from "../../identity/selector.ts";
import { type ForgePeople, readForgePeople, toAccountKey } from "../forges/forge-people.ts";
import { createPersonas } from "../forges/personas.ts";
import { type CountedCommit, toCountedCommit } from "./commits/counted-commits.ts";
import type { RepositoryDigest } from "./commits/digest-repository.ts";
import { summariseBehaviour, type Tally } from "./commits/tally.ts";
import type { CountedCommits } from "./count-commits.ts";
import { type AssignedCredits, assignCredits } from "./credit/credit-tallies.ts";
import { classifyByBehaviour, classifyNamesakes } from "./identity/author-class.ts";
import type { AuthorIdentity, Person } from "./identity/author-identity.ts";
import { assignLogins, type NamedPerson } from "./identity/login.ts";
import { groupPeople, type PeopleGrouping } from "./identity/people.ts";
import { createIdentityMatcher, type IdentityRules } from "./identity/rules.ts";
import { type MergeSuggestion, suggestMerges } from "./identity/suggest.ts";

/** One person's work in one repository. */
export interface RepositoryOf {
  readonly digest: RepositoryDigest;
  readonly tallies: readonly Tally[];
  readonly days: ReadonlyMap<number, readonly CountedCommit[]>;
  /** Commits shared with another human. */
  readonly shared: number;
}

export interface Community
  extends CountedCommits,
    Pick<PeopleGrouping, "rejectedStatements" | "whyApart"> {
  readonly everybody: readonly NamedPerson[];
  /** Pairs of people who may be one; only the operator merges them. */
  suggestions(): readonly MergeSuggestion[];
  personOf(identity: AuthorIdentity): Person;
  /** The people with an author identity that the selector matches. */
  fitting(selector: Selector): readonly Person[];
  workOf(person: Person): readonly RepositoryOf[];
  readonly credits: AssignedCredits;
  /** Distinct human authors of non-merge commits in one repository. */
  humanAuthors(digest: RepositoryDigest): number;
  /** The same over all repositories. */
  readonly humans: number;
  isOwner(named: NamedPerson, digest: RepositoryDigest): boolean;
  /** What forges know of these people. */
  readonly forges: ForgePeople;
}

export function identifyPeople(counted: CountedCommits, rules: IdentityRules): Community {
  const digests = [...new Set(counted.digests.values())];
  const talliesOf = collectTallies(digests);
  for (const [identity, tallies] of talliesOf) setWeight(identity, tallies);
  const authors = [...talliesOf.keys()];
  classifyNamesakes(authors);
  const forges = readForgePeople(rules.forges);
  const personas = createPersonas(forges, authors, rules);
  const all = [...authors, ...personas.identities];
  const { people, rejectedStatements, whyApart } = groupPeople(all, {
    sameCommit: digests.flatMap(({ sameCommit }) => sameCommit),
    rules,
    personas,
  });
  const personByIdentity = new Map<AuthorIdentity, Person>();
  for (const person of people) {
    for (const identity of person.identities) personByIdentity.set(identity, person);
  }
  const personOf = (identity: AuthorIdentity): Person => {
    const person = personByIdentity.get(identity);
    if (!person) throw new Error("An author identity without a person.");
    return person;
  };
  let matcher: ReturnType<typeof createIdentityMatcher> | undefined;
  const work = new Map(digests.map((digest) => [digest, workIn(digest, personOf)]));
  const humans = new Map(digests.map((digest) => [digest, humanAuthorsOf(digest, personOf)]));
  const majority = new Map(digests.map((digest) => [digest, majorityOf(digest, personOf)]));
  const workOf = (person: Person): readonly RepositoryOf[] =>
    digests.flatMap((digest) => work.get(digest)?.get(person) ?? []);
  return {
    ...counted,
    everybody: assignLogins(people),
    rejectedStatements,
    whyApart,
    suggestions: () =>
      suggestMerges({
        people: people.filter((person) => workOf(person).length > 0 || isOnForge(person)),
        whyApart,
      }),
    personOf,
    fitting: (selector) => {
      matcher ??= createIdentityMatcher(all);
      return [...new Set(matcher.fitting(selector).map(personOf))];
    },
    workOf,
    credits: assignCredits(
      digests.flatMap(({ credits }) => credits),
      people,
      personOf,
    ),
    humanAuthors: (digest) => humans.get(digest)?.size ?? 0,
    humans: new Set([...humans.values()].flatMap((people) => [...people])).size,
    isOwner: (named, digest) =>
      digest.owner === undefined
        ? majority.get(digest) === named.person
        : isNamedOwner(named, digest, forges),
    forges,
  };
}

/** Whether a forge gives the person an account. */
export function isOnForge({ identities }: Person): boolean {
  return identities.some(({ persona }) => persona);
}

/** A forge that was read gives the owner's number; otherwise the name of the repository names the owner. */
function isNamedOwner(
  { person, login }: NamedPerson,
  { forge, name, owner = "" }: RepositoryDigest,
  forges: ForgePeople,
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

/** Finds the humans with a non-merge commit. */
function humanAuthorsOf(
  digest: RepositoryDigest,
  personOf: (identity: AuthorIdentity) => Person,
): ReadonlySet<Person> {
  const found = new Set<Person>();
  for (const [identity, { commits }] of digest.tallies) {
    const person = personOf(identity);
    if (commits > 0 && person.classified.class === "human") found.add(person);
  }
  return found;
}

/** Tallies of every author identity that has a commit or is named as a co-author. */
function collectTallies(digests: readonly RepositoryDigest[]): Map<AuthorIdentity, Tally[]> {
  const found = new Map<AuthorIdentity, Tally[]>();
  for (const { tallies, shared } of digests) {
    for (const [identity, tally] of tallies) {
      found.getOrInsertComputed(identity, () => []).push(tally);
    }
    for (const { coAuthors } of shared) {
      for (const identity of coAuthors) found.getOrInsertComputed(identity, () => []);
    }
  }
  return found;
}

function setWeight(identity: AuthorIdentity, tallies: readonly Tally[]): void {
  identity.commits = 0;
  identity.first = Number.POSITIVE_INFINITY;
  identity.last = Number.NEGATIVE_INFINITY;
  for (const tally of tallies) {
    identity.commits += tally.commits;
    identity.first = Math.min(identity.first, tally.first);
    identity.last = Math.max(identity.last, tally.last);
  }
  const { name, email, rawEmail, classified } = identity;
  if (classified.class !== "human" || classified.isSettled) return;
  const author = { name, emails: [email, rawEmail] };
  identity.classified = classifyByBehaviour(author, summariseBehaviour(tallies));
}

interface MutableWork extends RepositoryOf {
  readonly tallies: Tally[];
  readonly days: Map<number, CountedCommit[]>;
  shared: number;
}

function workIn(
  digest: RepositoryDigest,
  personOf: (identity: AuthorIdentity) => Person,
): ReadonlyMap<Person, RepositoryOf> {
  const found = new Map<Person, MutableWork>();
  const getWork = (person: Person): MutableWork =>
    found.getOrInsertComputed(person, () => ({ digest, tallies: [], days: new Map(), shared: 0 }));
  const addDay = ({ days }: MutableWork, day: number, commit: CountedCommit): void => {
    days.getOrInsertComputed(day, () => []).push(commit);
  };
  for (const [identity, tally] of digest.tallies) {
    if (tally.commits === 0) continue;
    const work = getWork(personOf(identity));
    work.tallies.push(tally);
    for (const day of tally.days) addDay(work, day, toCountedCommit(1, []));
  }
  for (const { day, author, coAuthors, agents } of digest.shared) {
    const writer = personOf(author);
    const others = new Set(coAuthors.map(personOf));
    // An assistant named next to a human does not reduce the human's share.
    const sharers = [...new Set([writer, ...others])].filter(
      (person) => person === writer || person.classified.class === "human",
    );
    for (const person of sharers) {
      const work = getWork(person);
      addDay(work, day, toCountedCommit(1 / sharers.length, agents));
      if (sharers.length > 1) work.shared += 1;
    }
  }
  return found;
}

/** Finds the author of more than half of the counted human commits: the owner, when no forge names one. */
function majorityOf(
  digest: RepositoryDigest,
  personOf: (identity: AuthorIdentity) => Person,
): Person | undefined {
  const commitsOf = new Map<Person, number>();
  let all = 0;
  const add = (person: Person, commits: number): void => {
    if (person.classified.class !== "human") return;
    commitsOf.set(person, (commitsOf.get(person) ?? 0) + commits);
    all += commits;
  };
  for (const [identity, { days }] of digest.tallies) add(personOf(identity), days.length);
  for (const { author } of digest.shared) add(personOf(author), 1);
  return [...commitsOf].find(([, commits]) => commits * 2 > all)?.[0];
}
