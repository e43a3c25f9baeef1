import { digestTexts } from "../digest-texts.ts";
import { type AuthorPart, splitAuthors } from "./author-parts.ts";
import type { AuthorRow } from "./author-rows.ts";
import {
  buildCommunity,
  type Community,
  classifyAuthors,
  findPersonId,
  type IdentityContext,
  type IdentityPart,
  listAccountKeys,
  listSpellings,
} from "./community.ts";
import {
  collectPeople,
  type IdentifiedPart,
  type IdentifiedPerson,
  toCurrentLoginKey,
  toFormerLoginKey,
} from "./identified-people.ts";
import { type FirstNames, listFirstNames } from "./join-by-name.ts";
import { hashLinkKey, toHandleLink } from "./links.ts";
import type { NamedPerson } from "./login.ts";

export function joinFirstNames(all: readonly IdentifiedPart["firstNames"][]): FirstNames {
  return {
    ofFullNames: new Set(all.flatMap(({ ofFullNames }) => ofFullNames)),
    alone: new Set(all.flatMap(({ alone }) => alone)),
  };
}

/** @param before the parts that the last run stored. */
export function identifyAuthors(
  context: IdentityContext,
  before: ReadonlyMap<string, IdentifiedPart>,
) {
  const { parts, traits } = splitAuthors(context);
  const old = new Map(parts.map((part) => [part, before.get(part.digest)]));
  const names = new Map(parts.map((part) => [part, old.get(part)?.firstNames]));
  for (const some of batch(parts.filter((part) => !names.get(part)))) {
    for (const [part, found] of nameParts(context, some)) names.set(part, found);
  }
  const firstNames = joinFirstNames([...names.values()].filter((each) => each !== undefined));
  const describe = createHandleLookup(firstNames);
  const found = new Map<AuthorPart, IdentifiedPart>();
  const open: AuthorPart[] = [];
  for (const part of parts) {
    const known = old.get(part);
    if (known?.handles === describe(part)) found.set(part, known);
    else open.push(part);
  }
  for (const some of batch(open)) {
    const community = buildCommunity(context, joinParts(some), firstNames);
    for (const [part, judged] of describeParts(some, community)) {
      const nobody = { ofFullNames: [], alone: [] };
      const rest = { firstNames: names.get(part) ?? nobody, handles: describe(part) };
      found.set(part, { ...judged, ...rest });
    }
  }
  const partOf = new Map(
    [...found].flatMap(([part, { people }]) => people.map((one) => [one, part])),
  );
  const select = (people: Iterable<IdentifiedPerson>) =>
    new Set([...people].flatMap((person) => partOf.get(person) ?? []));
  const origins = new Map(context.rules.statements.map(({ origin }, at) => [origin, at]));
  const people = collectPeople(found.values());
  const rank = ({ origin }: { readonly origin: string }) => origins.get(origin) ?? 0;
  return {
    people: { ...people, rejected: people.rejected.toSorted((a, b) => rank(a) - rank(b)) },
    /** The parts to store, by digest of their inputs. */
    kept: new Map([...found].map(([{ digest }, part]) => [digest, part])),
    traits,
    /** The people of the parts that this call identified; other parts were reused. */
    judged: open.flatMap((part) => found.get(part)?.people ?? []),
    firstNames,
    /** Joins the parts to which these people belong. */
    partsOf: (some: Iterable<IdentifiedPerson>) => joinParts([...select(some)]),
    /** Yields communities of these people's parts, in batches to limit memory. */
    *communitiesOf(some: Iterable<IdentifiedPerson>) {
      for (const one of batch(select(some))) {
        yield buildCommunity(context, joinParts(one), firstNames);
      }
    },
  };
}

/** About how many authors and accounts are identified at once. */
const authorsAtOnce = 1500;

function* batch(parts: Iterable<AuthorPart>): Generator<readonly AuthorPart[]> {
  let [some, size]: [AuthorPart[], number] = [[], 0];
  for (const part of parts) {
    some.push(part);
    size += part.authors.length + part.accounts.size;
    if (size < authorsAtOnce) continue;
    yield some;
    [some, size] = [[], 0];
    // Collects garbage, because 30,000 people would otherwise take 1.3 GB.
    Bun.gc(true);
  }
  if (some.length > 0) yield some;
}

function joinParts(parts: readonly IdentityPart[]): IdentityPart {
  return {
    authors: parts.flatMap(({ authors }) => [...authors]),
    accounts: new Set(parts.flatMap(({ accounts }) => [...accounts])),
  };
}

function* nameParts(
  context: IdentityContext,
  parts: readonly AuthorPart[],
): Generator<readonly [AuthorPart, IdentifiedPart["firstNames"]]> {
  const { authors, rows } = classifyAuthors(context, joinParts(parts));
  const partOf = new Map(parts.flatMap((part) => part.authors.map((row) => [row, part])));
  const named = Map.groupBy(authors, (author) => partOf.get(rows.get(author)?.[0] as AuthorRow));
  for (const part of parts) {
    const humans = (named.get(part) ?? []).filter(({ classified }) => classified.class === "human");
    const { ofFullNames, alone } = listFirstNames(humans);
    yield [part, { ofFullNames: [...ofFullNames], alone: [...alone] }];
  }
}

/** @returns a function that lists the handles of a part that are first names. A first name is no clue. */
function createHandleLookup(firstNames: FirstNames) {
  const hash = (words: ReadonlySet<string>) => new Set(Iterator.from(words).map(toHandleLink));
  const [ofFullNames, alone] = [hash(firstNames.ofFullNames), hash(firstNames.alone)];
  return ({ handles }: AuthorPart): string =>
    [...new Set(handles)]
      .flatMap((key) => {
        const said = [ofFullNames.has(key) ? "full" : "", alone.has(key) ? "alone" : ""].join("");
        return said === "" ? [] : `${key.toString(36)} ${said}`;
      })
      .sort()
      .join();
}

type JudgedPart = Omit<IdentifiedPart, "firstNames" | "handles">;

function* describeParts(
  parts: readonly AuthorPart[],
  community: Community,
): Generator<readonly [AuthorPart, JudgedPart]> {
  const partOf = new Map<unknown, AuthorPart>();
  for (const part of parts) {
    for (const { id } of part.authors) partOf.set(id, part);
    for (const key of part.accounts) partOf.set(key, part);
  }
  const findPart = (person: NamedPerson["person"]) => partOf.get(findPersonId(community, person));
  const people = Map.groupBy(community.everybody, ({ person }) => findPart(person));
  const suggestions = Map.groupBy(community.suggestions(), (one) => findPart(one.people[0]));
  const rejected = Map.groupBy(community.rejectedStatements, ({ member }) =>
    findPart(community.personOf(member)),
  );
  for (const part of parts) {
    yield [
      part,
      {
        people: (people.get(part) ?? []).map((named) => describePerson(community, named)),
        suggestions: suggestions.get(part)?.length ?? 0,
        rejected: (rejected.get(part) ?? []).map(({ origin, reason }) => ({ origin, reason })),
      },
    ];
  }
}

function describePerson(community: Community, named: NamedPerson): IdentifiedPerson {
  const { person, login, derived, formerLogins } = named;
  const { classified, accounts, addresses, identities } = person;
  const spellings = listSpellings(community, person);
  const logins = accounts.map((account) => account.login.toLowerCase());
  const names = identities.map((one) => [one.key, one.properName, [...(one.replaced ?? [])]]);
  const told = { login, derived, formerLogins, classified, accounts, spellings, names };
  return {
    ...{ id: findPersonId(community, person), login, class: classified.class, spellings },
    isShown: community.isShown(person),
    hasAccount: accounts.length > 0,
    aliases: Math.max(0, identities.filter(({ persona }) => !persona).length - 1),
    accounts: listAccountKeys(person),
    digest: digestTexts([JSON.stringify(told), JSON.stringify([...addresses].sort())]),
    keys: [
      ...addresses,
      ...accounts.map((account) => `${account.forge}/${account.login}`.toLowerCase()),
      ...logins.map((one) => `@${one}`),
      toCurrentLoginKey(login),
      ...formerLogins.map(toFormerLoginKey),
    ].map(hashLinkKey),
  };
}
