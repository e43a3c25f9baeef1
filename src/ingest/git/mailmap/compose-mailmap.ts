/** Composes rows of a mailmap that show each person under one name and address, by how git reads a mailmap. */
import { isUnusableAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import { chooseName } from "../../../identity/chosen-name.ts";
import { isOneName, toFullName } from "../../../identity/person-name.ts";
import {
  type AuthorIdentity,
  dropReplacedNames,
  type Person,
} from "../identity/author-identity.ts";
import { divideByCertainty, isOnePerson } from "./certain-joins.ts";

interface NamedAddress {
  readonly name: string;
  readonly email: string;
}

/** A name and address of authors in a history. */
export interface HistoryIdentity extends NamedAddress {
  /** By the mailmap in force. */
  readonly shown: NamedAddress;
  readonly commits: number;
  /** Absent where nobody is known, as for those who were erased. */
  readonly author?: AuthorIdentity;
  readonly person?: Person;
}

type Identities = readonly HistoryIdentity[];

/**
 * @param everybody of the history, latest commit first.
 * @param lines of the mailmap.
 * @returns suggestions are rows for somebody who knows the people to decide about.
 */
export function composeMailmap(everybody: Identities, lines: readonly string[]) {
  const sharers = Map.groupBy(everybody, ({ email }) => foldCase(email));
  const settled = new Set(lines.map((line) => /^(?!#)[^<]*<([^>]+)>/.exec(foldCase(line))?.[1]));
  const people = [...Map.groupBy(everybody, ({ person }) => person)].flatMap(divide);
  const rows = people
    .flat()
    .flatMap((part) => listRows(part, chooseShown(part, settled), { owners: part, sharers }));
  const suggestions = people.flatMap((parts) => {
    const [shown, owners] = [chooseShown(parts[0] ?? [], settled), parts.flat()];
    return parts.slice(1).flatMap((part) => listRows(part, shown, { owners, sharers }));
  });
  const comments = lines.filter((line) => line.startsWith("#")).map(foldCase);
  // Somebody has seen a suggestion whose addresses are in a comment, and may have answered it.
  const isSeen = (row: string) => {
    const addresses = foldCase(row).match(/<[^>]*>/g) ?? [];
    return comments.some((line) => addresses.every((address) => line.includes(address)));
  };
  const mapped = new Map(rows.flatMap(({ of, shown }) => of.map((one) => [one, shown])));
  const countShown = (some: Identities) =>
    new Set(some.map((one) => format(mapped.get(one) ?? one.shown))).size;
  return {
    rows: rows.map(({ text }) => text).sort(),
    suggestions: [...new Set(suggestions.flatMap(({ text }) => (isSeen(text) ? [] : text)))].sort(),
    /** Names with addresses that git shows now, and with the rows. */
    before: new Set(everybody.map(({ shown }) => format(shown))).size,
    after: countShown(everybody),
    /** People who are still shown in several ways. */
    unclear: people.flat().filter((part) => countShown(part) > 1).length,
  };
}

const format = ({ name, email }: NamedAddress) => `${name} <${email}>`;
const countCommits = (some: Identities) => some.reduce((sum, { commits }) => sum + commits, 0);
/** As git compares names and addresses. */
const foldCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * @returns a human in parts that are certainly one person, latest commit first. Where pairs of programmers connect them, they may be
 *   anybody, so each part is alone.
 */
function divide([person, members]: readonly [Person | undefined, Identities]): Identities[][] {
  if (person?.classified.class !== "human") return [];
  const parts = divideByCertainty(person)
    .map((part) => members.filter(({ author }) => author && part.has(author)))
    .filter(({ length }) => length > 0)
    .sort(
      ([a], [b]) => members.indexOf(a as HistoryIdentity) - members.indexOf(b as HistoryIdentity),
    );
  return person.identities.every(isOnePerson) ? [parts] : parts.map((part) => [part]);
}

/**
 * Chooses how a person is shown: as the mailmap says. Otherwise by the most complete spelling of the full name of the latest commit,
 * and by the address of most commits, their own before one that a forge gives them.
 *
 * @returns undefined where the mailmap shows the person in several ways, or no name or address may be written.
 */
function chooseShown(
  part: Identities,
  settled: ReadonlySet<string | undefined>,
): NamedAddress | undefined {
  const given = part.filter(
    (one) => format(one) !== format(one.shown) || settled.has(foldCase(one.email)),
  );
  const [only, ...others] = new Map(given.map(({ shown }) => [format(shown), shown])).values();
  if (only) return others.length > 0 ? undefined : only;
  const names = part.filter(isWritable);
  const last = names.flatMap(({ name }) => [toFullName(name) ?? []]).find(([word]) => word);
  const own = names.filter(({ name }) => last && isOneName(toFullName(name) ?? [""], last));
  const name = chooseName(own.length > 0 ? own : names)?.name;
  const rank = (one: NamedAddress) =>
    isUnusableAddress(one) ? 2 : parseNoreplyAddress(one.email) ? 1 : 0;
  const commits = ({ email }: NamedAddress) =>
    countCommits(part.filter((one) => foldCase(one.email) === foldCase(email)));
  const [best] = part.toSorted(
    (a, b) => rank(a) - rank(b) || commits(b) - commits(a) || b.commits - a.commits,
  );
  return name && best?.email ? { name, email: best.email } : undefined;
}

/** Whether git reads the name back from a row as it is, and neither a mailmap nor the operator replaces it. */
function isWritable({ name, shown, author, person }: HistoryIdentity): boolean {
  if (!author || name !== shown.name || (author.properName ?? name) !== name) return false;
  if (!dropReplacedNames(person?.identities ?? []).includes(author)) return false;
  return name !== "" && name === name.trim() && !/^#|[<>\p{Cc}]/u.test(name);
}

/** Git keeps about this many bytes of a line. */
const rowBytesMax = 1000;

/**
 * Lists the rows by which the mailmap shows a part so: for an address that only its owners have, whatever name is beside it;
 * otherwise for name and address together. Where no row is possible, there is none.
 */
function listRows(
  part: Identities,
  shown: NamedAddress | undefined,
  known: { readonly owners: Identities; readonly sharers: ReadonlyMap<string, Identities> },
) {
  if (!shown) return [];
  const target = format(shown);
  const others = part.filter((one) => format(one.shown) !== target);
  const byAddress = [...Map.groupBy(others, ({ email }) => foldCase(email))];
  const rows = byAddress.flatMap(([address, some]) => {
    const all = known.sharers.get(address) ?? [];
    const isOwn = (one: HistoryIdentity) => known.owners.includes(one);
    if (address !== "" && all.every(isOwn)) {
      const isSame = all.every(({ email }) => email === shown.email);
      return { text: isSame ? target : `${target} <${some[0]?.email}>`, shown, of: some };
    }
    return [...Map.groupBy(some, ({ name }) => foldCase(name))].flatMap(([name, of]) => {
      const isClear = all.every((one) => foldCase(one.name) !== name || isOwn(one));
      const one = of.find(isWritable);
      return one && isClear ? { text: `${target} ${format(one)}`, shown, of } : [];
    });
  });
  return rows.filter(({ text }) => Buffer.byteLength(text) <= rowBytesMax);
}
