/** Stage 6, assemble: builds the facts of each person over all known repositories, in the pool's form. */

import type { ByMonth } from "../../contract/people/credit-facts.ts";
import type { Evidence, Facts } from "../../contract/people/facts.ts";
import { type ChosenName, chooseName } from "../../identity/chosen-name.ts";
import type { KnownAccount } from "../forges/accounts.ts";
import type { ForgePeople, OwnedRepository } from "../forges/forge-people.ts";
import {
  describeAccounts,
  layForgeOver,
  listForgeRepositories,
  listPersonas,
  sumReviews,
} from "./account-facts.ts";
import { type PeopleWork, type RepositoryOf, roundAuthors } from "./assemble-work.ts";
import { formatDayNumber, formatMonthOfDay } from "./commit/day-number.ts";
import { selectCounted } from "./commits/counted-commits.ts";
import { type EvidenceTally, joinEvidence, perDayMax } from "./commits/tally.ts";
import { isSubject, listSubjectPieces } from "./evidence/subjects.ts";
import type { Community } from "./identify-people.ts";
import { type AuthorIdentity, dropReplacedNames, type Person } from "./identity/author-identity.ts";
import type { NamedPerson } from "./identity/login.ts";

/** The contract's limits on a developer's lists. */
const max = { emails: 200, repositories: 1000, evidence: 1000, evidenceRepositories: 5 };

const nameLengthMax = 1000;

/** The value of `source` in facts from git. */
export const gitSource = "git";

/** Yields the facts of people, bots and assistants included. @param people of the community; default: everybody. */
export function* assembleFacts(
  community: Community,
  work: PeopleWork,
  people: Iterable<NamedPerson> = community.everybody,
): Generator<Facts> {
  for (const named of people) {
    const facts = buildFacts(named, community, work);
    if (facts) yield facts;
  }
}

/** @returns undefined for a person without an account and without work in any repository, such as one who only merged. */
function buildFacts(
  named: NamedPerson,
  community: Community,
  people: PeopleWork,
): Facts | undefined {
  const { person } = named;
  const work = people.workOf(person);
  const accounts = listPersonas(person.identities);
  const [account] = accounts;
  if (work.length === 0 && !account) return undefined;
  const { classified } = person;
  const { forges } = community;
  const reviewed = sumReviews(accounts, { forges, of: listOwned(work, forges), asOf: people.asOf });
  const credits = { ...people.creditsOf(person), ...reviewed.credits };
  const authors = person.identities.filter(({ persona }) => !persona);
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
    repositories: repositoriesOf(named, { accounts, work, community, people }),
    ...(work.length > 0 && {
      commits: { ...sumCommits(work, classified.class === "human"), ...reviewed.commits },
    }),
    ...(Object.keys(credits).length > 0 && { credits }),
    evidence: evidenceOf(work, named, people),
  };
}

function listOwned(work: readonly RepositoryOf[], forges: ForgePeople): readonly OwnedRepository[] {
  return work.flatMap(
    ({ repository }) => forges.findRepository(repository.forge, repository.name) ?? [],
  );
}

function sumCommits(
  work: readonly RepositoryOf[],
  isHuman: boolean,
): NonNullable<Facts["commits"]> {
  const volume = new Map<string, number>();
  const semantic = { eligible: 0, matches: 0 };
  const quality = { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 };
  const excluded = new Map<string, number>();
  const assisted = { total: 0, volume: new Map<string, number>() };
  const unassisted = { total: 0, volume: new Map<string, number>() };
  const note = (sum: typeof assisted, month: string, weight: number): void => {
    sum.total += 1;
    add(sum.volume, month, weight);
  };
  const describe = ({ total, volume }: typeof assisted) => ({ total, volume: sorted(volume) });
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
        add(volume, month, weight);
        if (isUnassisted) note(unassisted, month, weight);
        if (agents.length > 0) note(assisted, month, weight);
        for (const agent of agents) add(agentsOf, agent, 1);
      }
      total += counted.length;
      if (commits.length > counted.length) add(excluded, "capped", commits.length - counted.length);
      first = Math.min(first, day);
      last = Math.max(last, day);
    }
    for (const tally of tallies) {
      for (const field of keysOf(semantic)) semantic[field] += tally.semantic[field];
      for (const field of keysOf(quality)) quality[field] += tally.quality[field];
      for (const [reason, count] of tally.excluded) add(excluded, reason, count);
    }
  }
  return {
    total,
    volume: sorted(volume),
    ...(total > 0 && { first: formatDayNumber(first), last: formatDayNumber(last) }),
    semantic,
    quality,
    ...(coAuthored > 0 && { coAuthored }),
    ...(isHuman &&
      assisted.total > 0 && { assisted: { ...describe(assisted), agents: sorted(agentsOf) } }),
    ...(isHuman && unassisted.total > 0 && { unassisted: describe(unassisted) }),
    ...(excluded.size > 0 && { excluded: sorted(excluded) }),
  };
}

function repositoriesOf(
  named: NamedPerson,
  {
    accounts,
    work,
    community: { forges },
    people,
  }: {
    readonly accounts: readonly KnownAccount[];
    readonly work: readonly RepositoryOf[];
    readonly community: Community;
    readonly people: PeopleWork;
  },
): Facts["repositories"] {
  const ofForges = listOwned(work, forges);
  const found = work.flatMap(({ repository, days }) => {
    let commits = 0;
    for (const { length } of days.values()) commits += Math.min(perDayMax, length);
    if (commits === 0) return [];
    const dates = [...days.keys()].sort((a, b) => a - b);
    const owned = forges.findRepository(repository.forge, repository.name);
    const historyEnd = people.historyEndOf(repository);
    const counted = {
      name: repository.name,
      owned: people.isOwner(named, repository),
      commits,
      firstCommit: formatDayNumber(dates[0] ?? 0),
      lastCommit: formatDayNumber(dates.at(-1) ?? 0),
      ...(historyEnd && { historyEnd }),
      ...(repository.language && { language: repository.language }),
      authors: roundAuthors(people.humansIn(repository)),
    };
    return [{ ...layForgeOver(counted, owned), commits }];
  });
  return [
    ...found.sort(
      (a, b) =>
        b.commits - a.commits ||
        compare(a.name, b.name) ||
        // Two repositories may have one name.
        compare(JSON.stringify(a), JSON.stringify(b)),
    ),
    ...listForgeRepositories(accounts, forges, new Set(ofForges)),
  ].slice(0, max.repositories);
}

/**
 * A README counts only for an owner who edited it: it describes the whole repository, and fixing a line of it
 * proves no skill in any of that. What a project is about counts only for those who make it.
 */
function evidenceOf(
  work: readonly RepositoryOf[],
  named: NamedPerson,
  people: PeopleWork,
): Evidence[] {
  type Sum = Omit<EvidenceTally, "days"> & {
    linesAround: number;
    readonly repositories: Map<string, number>;
  };
  const sums = new Map<string, Sum>();
  for (const { repository, tallies } of work) {
    const counted = [...joinEvidence(tallies)];
    const pieces = [...counted, ...listSubjectPieces(counted, people.subjectsTold(repository))];
    const languages = pieces.filter(({ kind }) => kind === "language");
    const linesHere = languages.reduce((sum, { lines }) => sum + lines, 0);
    for (const piece of pieces) {
      if (piece.kind === "readme" && !people.isOwner(named, repository)) continue;
      if (isSubject(piece) && piece.commits < people.makersFrom(repository)) continue;
      const { kind, name } = piece;
      const key = `${kind}:${name}`;
      const sum = sums.get(key) ?? {
        ...{ kind, name, commits: 0, lines: 0, linesAround: 0 },
        months: new Map<string, number>(),
        repositories: new Map<string, number>(),
      };
      sum.commits += piece.commits;
      sum.lines += piece.lines;
      sum.linesAround += linesHere;
      for (const [month, count] of piece.months) add(sum.months, month, count);
      add(sum.repositories, repository.name, piece.commits);
      sums.set(key, sum);
    }
  }
  return [...sums.values()]
    .sort((a, b) => b.commits - a.commits || compare(a.kind, b.kind) || compare(a.name, b.name))
    .slice(0, max.evidence)
    .map(({ kind, name, commits, lines, linesAround, months, repositories }) => ({
      kind,
      name,
      commits,
      ...(kind === "language" && { lines }),
      ...(kind === "import" && lines > 0 && { lines, linesAround }),
      months: sorted(months),
      repositories: [...repositories]
        .sort(([a, most], [b, less]) => less - most || compare(a, b))
        .slice(0, max.evidenceRepositories)
        .map(([repository]) => repository),
    }));
}

/** Lists the addresses of commits; the supplement of forges has the addresses that only a forge gives. */
function emailsOf({ addresses }: Person, authors: readonly AuthorIdentity[]): Facts["emails"] {
  const ofCommits = new Set(authors.flatMap(({ email, rawEmail }) => [email, rawEmail]));
  return [...ofCommits]
    .filter((address) => addresses.has(address))
    .sort(compare)
    .slice(0, max.emails)
    .map((address) => ({
      address: address.slice(0, 1000),
      sources: ["commits"],
      published: false,
    }));
}

/** The operator's name for the person comes first; a name such as `root` counts only if the person has no other. */
function nameOf(identities: readonly AuthorIdentity[]): ChosenName | undefined {
  const present = dropReplacedNames(identities);
  const named = present.filter(({ classified }) => classified.class !== "nobody");
  const commitsOf = new Map<string, number>();
  const properNames = new Map<string, number>();
  for (const { name, properName, commits } of named.length > 0 ? named : present) {
    const [proper, written] = [cleanText(properName ?? ""), cleanText(name)];
    if (proper) add(properNames, proper, commits);
    if (written) add(commitsOf, written, commits);
  }
  const list = (sums: ReadonlyMap<string, number>) =>
    [...sums].map(([name, commits]) => ({ name, commits }));
  return chooseName(list(commitsOf), chooseName(list(properNames))?.name);
}

/** Removes control characters, and characters that change the direction of the text after them. */
function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, nameLengthMax);
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** Sorts by key, and rounds so that sums of thirds do not depend on their order. */
function sorted(sums: ReadonlyMap<string, number>): ByMonth {
  return Object.fromEntries(
    [...sums]
      .sort(([a], [b]) => compare(a, b))
      .map(([key, amount]) => [key, Math.round(amount * 1e6) / 1e6]),
  );
}

function keysOf<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object) as (keyof T)[];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
