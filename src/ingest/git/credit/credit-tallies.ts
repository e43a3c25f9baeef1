/**
 * Sums up the credits of trailers: reviewed, tested, reported, signed off. Trailers never join identities: a credit goes to the
 * person who has its address by commits or an account, so that no trailer can move commits. A person known from trailers
 * alone does not enter the pool.
 */
import type { Facts } from "../../../contract/people/facts.ts";
import { normaliseAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import { formatDayNumber } from "../commits/exclusion.ts";
import type { SignedName } from "../commits/logged-commit.ts";
import type { AuthorIdentity, Person } from "../identity/author-identity.ts";
import { type CreditKind, creditKinds } from "./trailers.ts";

/** Credits of one kind that the commits of one author give in one repository. */
export interface CreditTally {
  readonly kind: CreditKind;
  readonly named: SignedName;
  readonly author: AuthorIdentity;
  count: number;
  /** UTC days since 1970. */
  first: number;
  last: number;
}

export function createCreditTallies() {
  const numbers = new Map<object, number>();
  const tallies = new Map<string, CreditTally>();
  const numberOf = (object: object): number => numbers.getOrInsert(object, numbers.size);
  return {
    add(credit: Pick<CreditTally, "kind" | "named" | "author">, day: number): void {
      const key = `${credit.kind} ${numberOf(credit.named)} ${numberOf(credit.author)}`;
      const tally = tallies.get(key);
      if (!tally) {
        tallies.set(key, { ...credit, count: 1, first: day, last: day });
        return;
      }
      tally.count += 1;
      tally.first = Math.min(tally.first, day);
      tally.last = Math.max(tally.last, day);
    },
    list: (): readonly CreditTally[] => [...tallies.values()],
  };
}

export interface AssignedCredits {
  /** The facts of a person's credit; undefined when there is none. */
  of(person: Person): Facts["credits"];
  /** Finds the person with the trailer's address, by commits or an account. */
  find(named: SignedName): Person | undefined;
  /** People that trailers name, and no commit or account. */
  readonly strangers: readonly SignedName[];
}

/** Assigns each credit to a person; people get none for their own commits. */
export function assignCredits(
  tallies: Iterable<CreditTally>,
  people: readonly Person[],
  personOf: (identity: AuthorIdentity) => Person,
): AssignedCredits {
  const find = createPersonLookup(people);
  const found = new Map<Person, CreditTally[]>();
  const strangers = new Map<string, SignedName>();
  for (const tally of tallies) {
    const { named, author } = tally;
    const person = find(named);
    if (!person) strangers.set(`${named.name}\0${named.email}\0${named.rawEmail}`, named);
    else if (person !== personOf(author)) {
      found.getOrInsertComputed(person, () => []).push(tally);
    }
  }
  return {
    find,
    of: (person) => sumCredits(found.get(person) ?? []),
    strangers: [...strangers.values()],
  };
}

function createPersonLookup(people: readonly Person[]) {
  const byKey = new Map<string, Person>();
  for (const person of people) {
    for (const address of person.addresses) byKey.set(address, person);
    for (const { forge, login } of person.accounts) {
      byKey.set(`${forge}/${login.toLowerCase()}`, person);
    }
  }
  return ({ email, rawEmail }: SignedName): Person | undefined => {
    for (const text of [rawEmail, email]) {
      const address = normaliseAddress(text);
      const account = parseNoreplyAddress(address);
      const known =
        byKey.get(address) ??
        (account && byKey.get(`${account.forge}/${account.login.toLowerCase()}`));
      if (known) return known;
    }
    return undefined;
  };
}

function sumCredits(tallies: readonly CreditTally[]): Facts["credits"] {
  if (tallies.length === 0) return undefined;
  const byKind = Map.groupBy(tallies, ({ kind }) => kind);
  const sums = creditKinds.flatMap((kind) => {
    const some = byKind.get(kind);
    if (!some) return [];
    const count = some.reduce((sum, each) => sum + each.count, 0);
    const first = formatDayNumber(Math.min(...some.map((each) => each.first)));
    const last = formatDayNumber(Math.max(...some.map((each) => each.last)));
    return [[kind, { count, first, last }] as const];
  });
  return Object.fromEntries(sums);
}
