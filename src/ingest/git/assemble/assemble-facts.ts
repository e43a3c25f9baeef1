import type { Facts } from "../../../contract/people/facts.ts";
import { type ChosenName, chooseName } from "../../../identity/chosen-name.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import type { ForgePeople, OwnedRepository } from "../../forges/forge-people.ts";
import { formatDayNumber, formatMonthOfDay } from "../commit/day-number.ts";
import { sumCredits } from "../credit/credit-tallies.ts";
import {
  type AuthorIdentity,
  dropReplacedNames,
  type Person,
} from "../identify/author-identity.ts";
import { type Community, findPersonId } from "../identify/community.ts";
import type { IdentifiedPerson } from "../identify/identified-people.ts";
import type { NamedPerson } from "../identify/login.ts";
import { gitSource } from "../ledger/applied.ts";
import { perDayMax } from "../tally/author-tally.ts";
import { selectCounted } from "../tally/counted-commits.ts";
import {
  describeAccounts,
  layForgeOver,
  listForgeRepositories,
  listPersonas,
  sumReviews,
} from "./account-facts.ts";
import { assembleEvidence } from "./assemble-evidence.ts";
import { isOwner, joinWork, type PeopleWork, type RepositoryOf } from "./people-work.ts";
import { addTo, compareTexts, sortByKey } from "./sums.ts";

/** The contract's limits on a developer's lists. */
const max = { emails: 200, repositories: 1000 };

const nameLengthMax = 1000;

/** Yields the facts of the pending people in these communities. */
export function* assemblePeople(
  work: PeopleWork,
  communities: Iterable<Community>,
  pending: ReadonlySet<IdentifiedPerson>,
): Generator<Facts> {
  const byId = new Map(Iterator.from(pending).map((person) => [person.id, person]));
  for (const community of communities) {
    for (const named of community.everybody) {
      const known = byId.get(findPersonId(community, named.person));
      const facts = known && assembleFacts(work, known, named);
      if (facts) yield facts;
    }
  }
}

/** @returns undefined for a person without an account and without counted work. */
function assembleFacts(
  people: PeopleWork,
  known: IdentifiedPerson,
  named: NamedPerson,
): Facts | undefined {
  const { person } = named;
  const work = joinWork(people, known);
  const accounts = listPersonas(person.identities);
  const [account] = accounts;
  if (work.length === 0 && !account) return undefined;
  const { classified } = person;
  const reviewed = sumReviews(accounts, listOwned(work, people.forges), people);
  const credits = { ...sumCredits(people.credits.get(known.id) ?? []), ...reviewed.credits };
  const authors = person.identities.filter(({ persona }) => !persona);
  const owns = ({ repository }: RepositoryOf) => isOwner(people, known, named, repository);
  const name = nameOf(authors);
  const otherNames = name?.others ?? [];
  return {
    login: named.login,
    source: work.length === 0 && account ? account.forge : gitSource,
    ...(named.derived && { derivedLogin: true }),
    ...(named.formerLogins.length > 0 && { formerLogins: [...named.formerLogins] }),
    ...(otherNames.length > 0 && { otherNames: [...otherNames] }),
    ...describeAccounts(accounts),
    class: classified.class,
    ...(classified.reason && { classReason: classified.reason }),
    profile: name ? { name: name.name } : {},
    emails: emailsOf(person, authors),
    repositories: repositoriesOf(work, accounts, people, owns),
    ...(work.length > 0 && {
      commits: { ...sumCommits(work, classified.class === "human"), ...reviewed.commits },
    }),
    ...(Object.keys(credits).length > 0 && { credits }),
    evidence: assembleEvidence(work, people),
  };
}

function listOwned(work: readonly RepositoryOf[], forges: ForgePeople): readonly OwnedRepository[] {
  return work.flatMap(
    ({ repository }) => forges.findRepository(repository.forge, repository.name) ?? [],
  );
}

function sumCommits(work: readonly RepositoryOf[], isHuman: boolean) {
  const volume = new Map<string, number>();
  const semantic = { eligible: 0, matches: 0 };
  const quality = { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 };
  const excluded = new Map<string, number>();
  const assisted = { total: 0, volume: new Map<string, number>() };
  const unassisted = { total: 0, volume: new Map<string, number>() };
  const note = (sum: typeof assisted, month: string, weight: number): void => {
    sum.total += 1;
    addTo(sum.volume, month, weight);
  };
  const describe = ({ total, volume }: typeof assisted) => ({ total, volume: sortByKey(volume) });
  const agentsOf = new Map<string, number>();
  let total = 0;
  let coAuthored = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { days, tallies, shared } of work) {
    coAuthored += shared;
    for (const [day, commits] of days) {
      const month = formatMonthOfDay(day);
      const counted = selectCounted(commits);
      for (const { weight, agents, isUnassisted } of counted) {
        addTo(volume, month, weight);
        if (isUnassisted) note(unassisted, month, weight);
        if (agents.length > 0) note(assisted, month, weight);
        for (const agent of agents) addTo(agentsOf, agent, 1);
      }
      total += counted.length;
      if (commits.length > counted.length)
        addTo(excluded, "capped", commits.length - counted.length);
      first = Math.min(first, day);
      last = Math.max(last, day);
    }
    for (const tally of tallies) {
      for (const field of keysOf(semantic)) semantic[field] += tally.semantic[field];
      for (const field of keysOf(quality)) quality[field] += tally.quality[field];
      for (const [reason, count] of tally.excluded) addTo(excluded, reason, count);
    }
  }
  return {
    total,
    volume: sortByKey(volume),
    ...(total > 0 && { first: formatDayNumber(first), last: formatDayNumber(last) }),
    semantic,
    quality,
    ...(coAuthored > 0 && { coAuthored }),
    ...(isHuman &&
      assisted.total > 0 && { assisted: { ...describe(assisted), agents: sortByKey(agentsOf) } }),
    ...(isHuman && unassisted.total > 0 && { unassisted: describe(unassisted) }),
    ...(excluded.size > 0 && { excluded: sortByKey(excluded) }),
  };
}

function repositoriesOf(
  work: readonly RepositoryOf[],
  accounts: readonly KnownAccount[],
  { forges }: PeopleWork,
  owns: (one: RepositoryOf) => boolean,
): Facts["repositories"] {
  const ofForges = listOwned(work, forges);
  const found = work.flatMap((one) => {
    const { repository, days } = one;
    let commits = 0;
    for (const { length } of days.values()) commits += Math.min(perDayMax, length);
    if (commits === 0) return [];
    const dates = [...days.keys()].sort((a, b) => a - b);
    const owned = forges.findRepository(repository.forge, repository.name);
    const { authors, historyEnd } = repository;
    const counted = {
      name: repository.name,
      owned: owns(one),
      commits,
      firstCommit: formatDayNumber(dates[0] ?? 0),
      lastCommit: formatDayNumber(dates.at(-1) ?? 0),
      ...(historyEnd !== undefined && { historyEnd }),
      ...(repository.language && { language: repository.language }),
      authors,
    };
    return [{ ...layForgeOver(counted, owned), commits }];
  });
  return [
    ...found.sort(
      (a, b) =>
        b.commits - a.commits ||
        compareTexts(a.name, b.name) ||
        // Two repositories may have the same name.
        compareTexts(JSON.stringify(a), JSON.stringify(b)),
    ),
    ...listForgeRepositories(accounts, forges, new Set(ofForges)),
  ].slice(0, max.repositories);
}

function emailsOf({ addresses }: Person, authors: readonly AuthorIdentity[]): Facts["emails"] {
  const ofCommits = new Set(authors.flatMap(({ email, rawEmail }) => [email, rawEmail]));
  return [...ofCommits]
    .filter((address) => addresses.has(address))
    .sort(compareTexts)
    .slice(0, max.emails)
    .map((address) => ({
      address: address.slice(0, 1000),
      sources: ["commits"],
      published: false,
    }));
}

/** Chooses a person's name. A name from the operator comes first. A name such as `root` comes last. */
function nameOf(identities: readonly AuthorIdentity[]): ChosenName | undefined {
  const present = dropReplacedNames(identities);
  const named = present.filter(({ classified }) => classified.class !== "nobody");
  const commitsOf = new Map<string, number>();
  const properNames = new Map<string, number>();
  for (const { name, properName, commits } of named.length > 0 ? named : present) {
    const [proper, written] = [cleanText(properName ?? ""), cleanText(name)];
    if (proper) addTo(properNames, proper, commits);
    if (written) addTo(commitsOf, written, commits);
  }
  const list = (sums: ReadonlyMap<string, number>) =>
    [...sums].map(([name, commits]) => ({ name, commits }));
  return chooseName(list(commitsOf), chooseName(list(properNames))?.name);
}

/** Removes control characters and characters that change the direction of text. */
function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, nameLengthMax);
}

function keysOf<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[];
}
