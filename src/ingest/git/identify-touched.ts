/**
 * Identifies those whom a change reaches, and stores who they are now. What may change who is who: commits of an author, the
 * operator's statements, the accounts of forges, and a first name that appears or is gone.
 */
import type { AuthorClass } from "../../contract/people/facts.ts";
import { type AccountKey, toAccountKey } from "../forges/forge-people.ts";
import { countMakersFrom, roundAuthors, toHistoryEnd } from "./assemble-work.ts";
import {
  type ClassifiedAuthors,
  type Community,
  classifyAuthors,
  findPersonId,
  type IdentityContext,
  joinAuthors,
  listSpellings,
} from "./identify-people.ts";
import { findFirstNames } from "./identity/join-by-name.ts";
import { hashLinkKey, toHandleText } from "./identity/links.ts";
import type { NamedPerson } from "./identity/login.ts";
import type { IdentityRules } from "./identity/rules.ts";
import {
  type IdentifiedPerson,
  type RepositoryAuthor,
  toCurrentLoginKey,
  toFormerLoginKey,
} from "./ledger/known-people.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { digestText, noteChanges } from "./note-changes.ts";

/** @returns the spellings that were touched. */
export function identifyTouched(
  ledger: Pick<Ledger, "spellings" | "repositories" | "people" | "identity">,
  context: IdentityContext,
  asOf: string,
): ReadonlySet<number> {
  return ledger.identity.change(() => {
    noteChanges(ledger, context);
    const touched = new Set(ledger.spellings.touched());
    if (touched.size > 0) identifyConnected(ledger, context, touched);
    renewRepositories(ledger, context);
    ledger.repositories.setEnds((lastDay) => toHistoryEnd(lastDay, asOf));
    return touched;
  });
}

type Writable = Parameters<typeof identifyTouched>[0];

/** A first name that appears, or is gone, touches those who may have chosen it as a handle. */
function identifyConnected(ledger: Writable, context: IdentityContext, touched: Set<number>): void {
  const { spellings, identity } = ledger;
  const named = new Set<number>();
  for (let isClosed = false; !isClosed; ) {
    isClosed = true;
    for (const part of spellings.parts(new Set(touched))) {
      if (part.isSubsetOf(named)) continue;
      for (const word of noteFirstNames(ledger, classifyAuthors(context, part), part)) {
        for (const spelling of spellings.linkedBy(hashLinkKey(toHandleText(word)))) {
          isClosed &&= touched.has(spelling);
          touched.add(spelling);
        }
      }
      for (const spelling of part) named.add(spelling);
    }
  }
  const firstNames = identity.firstNames();
  const reviewers = new Set<AccountKey>();
  for (const part of spellings.parts(touched)) {
    const community = joinAuthors(context, classifyAuthors(context, part), firstNames);
    const people = describePeople(community, context.rules);
    for (const spelling of identity.savePeople({ spellings: part, touched, ...people })) {
      const account = community.identityOf(spelling)?.persona;
      if (account) reviewers.add(toAccountKey(account));
    }
  }
  dueReviewed(ledger, context, reviewers);
  spellings.settle(touched);
}

/** Renews the repositories that these accounts reviewed: a reviewer need not have work there, nor be named by a commit. */
function dueReviewed(
  { repositories, identity }: Writable,
  { forges }: IdentityContext,
  reviewers: ReadonlySet<AccountKey>,
): void {
  if (![...reviewers].some((key) => forges.reviewsOf(key).length > 0)) return;
  for (const [id, { forge, name }] of repositories.all()) {
    const owned = forges.findRepository(forge, name);
    const isReviewed =
      owned !== undefined &&
      forges
        .reviewsIn(owned)
        .some(({ reviewer }) =>
          reviewers.has(toAccountKey({ forge: owned.forge, number: reviewer })),
        );
    if (isReviewed) identity.dueRepositories(id);
  }
}

/** @returns words that have become first names, or are none any more. */
function noteFirstNames(
  { identity }: Writable,
  { spellings, authors }: ClassifiedAuthors,
  part: ReadonlySet<number>,
): readonly string[] {
  const words = new Map<number, ReturnType<typeof findFirstNames>>();
  for (const author of authors) {
    if (author.classified.class !== "human") continue;
    for (const { id } of spellings.get(author) ?? []) words.set(id, findFirstNames(author.name));
  }
  return identity.setFirstNames(part, words);
}

function describePeople(community: Community, { statements }: IdentityRules) {
  const positions = new Map(statements.map(({ origin }, at) => [origin, at]));
  const ids = new Map(
    community.everybody.map(({ person }) => [person, findPersonId(community, person)]),
  );
  const people = community.everybody.map((named) => describePerson(community, named));
  const suggestions = community.suggestions().map(({ people: [a, b] }) => {
    return [ids.get(a) ?? 0, ids.get(b) ?? 0] as const;
  });
  const rejected = community.rejectedStatements.map(({ origin, reason, member }) => ({
    ...{ origin, reason, position: positions.get(origin) ?? 0 },
    spelling: community.spellingsOf(member)[0] ?? 0,
  }));
  return { people, suggestions, rejected };
}

function describePerson(community: Community, named: NamedPerson): IdentifiedPerson {
  const { person, login, derived, formerLogins } = named;
  const { classified, accounts, addresses, identities } = person;
  const spellings = listSpellings(community, person);
  const [id = 0] = spellings;
  const logins = accounts.map((account) => account.login.toLowerCase());
  const told = {
    ...{ login, derived, formerLogins, classified, accounts, spellings },
    addresses: [...addresses].sort(),
    names: identities.map(({ key, properName }) => [key, properName]),
  };
  return {
    ...{ id, login, class: classified.class, spellings },
    isShown: community.isShown(person),
    hasAccount: accounts.length > 0,
    aliases: Math.max(0, identities.filter(({ persona }) => !persona).length - 1),
    digest: digestText(JSON.stringify(told)),
    keys: [
      ...addresses,
      ...accounts.map((account) => `${account.forge}/${account.login}`.toLowerCase()),
      ...logins.map((one) => `@${one}`),
      toCurrentLoginKey(login),
      ...formerLogins.map(toFormerLoginKey),
    ],
  };
}

/** Renews the figures of repositories that depend on who is who. */
function renewRepositories({ repositories, people }: Writable, { forges }: IdentityContext): void {
  const due = people.repositoriesDue();
  if (due.length === 0) return;
  for (const id of due) {
    const repository = repositories.find(id);
    if (!repository) continue;
    const authors = people.authorsIn(id);
    const humans = authors.filter((author) => author.class === "human");
    const counted = humans.reduce((sum, author) => sum + author.counted, 0);
    const majority = humans.find((author) => author.counted * 2 > counted);
    const { name, forge, owner, language } = repository;
    const owned = forges.findRepository(forge, name);
    const standing = {
      humans: humans.filter(({ commits }) => commits > 0).length,
      majority: majority?.person,
      makersFrom: countMakersFrom(counted),
      ...sumAuthors(authors),
    };
    const rounded = roundAuthors(standing.humans);
    const told = [name, forge, owner, language, owned, rounded, standing.makersFrom];
    // Whether there are reviews, not which: what of them is somebody's own is told by the account.
    if (owned && forges.reviewsIn(owned).length > 0) told.push("reviews");
    // An owner who is known by name does not depend on who has most commits.
    const ownerTold = owner === undefined ? standing.majority : undefined;
    repositories.setStanding(id, standing, digestText(JSON.stringify([...told, ownerTold])));
  }
}

function sumAuthors(authors: readonly RepositoryAuthor[]) {
  const byClass: Partial<Record<AuthorClass, number>> = {};
  let [counted, capped] = [0, 0];
  for (const author of authors) {
    byClass[author.class] = (byClass[author.class] ?? 0) + author.commits;
    counted += author.counted - author.capped;
    capped += author.capped;
  }
  return { byClass, counted, capped };
}
