/** Composes rows of a mailmap that show each person under one name and address. */
import { isUnusableAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import { chooseName } from "../../../identity/chosen-name.ts";
import { isOneName, toFullName } from "../../../identity/person-name.ts";
import {
  type AuthorIdentity,
  dropReplacedNames,
  type Person,
  splitPerson,
} from "../identify/author-identity.ts";

interface NamedAddress {
  readonly name: string;
  readonly email: string;
}

export interface HistoryIdentity extends NamedAddress {
  /** Name and address that git shows with the current mailmap. */
  readonly shown: NamedAddress;
  readonly commits: number;
  /** The author identity; undefined for unknown people, such as erased ones. */
  readonly author?: AuthorIdentity;
  readonly person?: Person;
}

type Identities = readonly HistoryIdentity[];

interface KnownRows {
  /** Addresses under which the mailmap shows people, in lower case. */
  readonly settled: ReadonlySet<string | undefined>;
  /** Identities by the address in their commits, in lower case. */
  readonly sharers: ReadonlyMap<string, Identities>;
  /** Identities by the name and address that git shows, as `Name <address>`. */
  readonly shownBy: ReadonlyMap<string, Identities>;
}

interface ComposedMailmap {
  readonly rows: readonly string[];
  /** Rows that only a person who knows these people can confirm. */
  readonly suggestions: readonly string[];
  /** How many pairs of name and address git shows before and after the rows are added. */
  readonly before: number;
  readonly after: number;
  /** Number of people who are still shown in several ways. */
  readonly unclear: number;
}

/**
 * Composes rows in rounds, because a row may free a name and address for another person.
 * @param everybody all identities in the history, latest commit first.
 */
export function composeMailmap(everybody: Identities, lines: readonly string[]): ComposedMailmap {
  const known: KnownRows = {
    settled: new Set(lines.map((line) => /^(?!#)[^<]*<([^>]+)>/.exec(foldCase(line))?.[1])),
    sharers: Map.groupBy(everybody, ({ email }) => foldCase(email)),
    shownBy: Map.groupBy(everybody, byShown),
  };
  const people = [...Map.groupBy(everybody, ({ person }) => person)].flatMap(divide);
  const found = people
    .flat()
    .flatMap((part) => listRows(part, chooseShown(part, known), { owners: part, ...known }));
  const before = known.shownBy.size;
  if (found.length > 0) {
    const rows = found.map(({ text }) => text).sort();
    const mapped = new Map(found.flatMap(({ of, shown }) => of.map((one) => [one, shown])));
    const next = everybody.map((one) => ({ ...one, shown: mapped.get(one) ?? one.shown }));
    const rest = composeMailmap(next, [...lines, ...rows]);
    return { ...rest, rows: [...rows, ...rest.rows], before };
  }
  const suggested = people.flatMap((parts) => {
    const shown = chooseShown(parts[0] ?? [], known);
    const sharing = { owners: parts.flat(), ...known };
    return parts.slice(1).flatMap((part) => listRows(part, shown, sharing));
  });
  const comments = lines.filter((line) => line.startsWith("#")).map(foldCase);
  // Leaves out a suggestion whose addresses are in a comment of the mailmap, because somebody may have rejected it.
  const suggestions = suggested.flatMap(({ text }) => {
    const addresses = foldCase(text).match(/<[^<>]*>/g) ?? [];
    return comments.some((line) => addresses.every((one) => line.includes(one))) ? [] : text;
  });
  return {
    ...{ rows: [], suggestions: [...new Set(suggestions)].sort(), before, after: before },
    unclear: people.flat().filter((part) => Map.groupBy(part, byShown).size > 1).length,
  };
}

const format = ({ name, email }: NamedAddress) => `${name} <${email}>`;
const byShown = ({ shown }: HistoryIdentity) => format(shown);
/** Folds case as git does to compare names and addresses. */
const foldCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Splits a human into parts that are certainly one person. The parts form one group if no identity stands for several people.
 * Otherwise each part is its own group.
 */
function divide([person, members]: readonly [Person | undefined, Identities]): Identities[][] {
  if (person?.classified.class !== "human") return [];
  const certain = splitByCertainty(person);
  const partOf = ({ author }: HistoryIdentity) =>
    certain.find((part) => author && part.has(author));
  const parts = [...Map.groupBy(members, partOf)].flatMap(([part, some]) => (part ? [some] : []));
  return person.identities.every(isOnePerson) ? [parts] : parts.map((part) => [part]);
}

/**
 * Chooses the name and address of a person: those in the mailmap, or else the fullest spelling of the latest name and the address
 * with most commits.
 * @returns undefined if the mailmap shows the person in several ways or like another person, or if no name may be written.
 */
function chooseShown(part: Identities, known: KnownRows): NamedAddress | undefined {
  const given = part.filter(
    (one) => format(one) !== format(one.shown) || known.settled.has(foldCase(one.email)),
  );
  const [only, ...others] = new Map(given.map(({ shown }) => [format(shown), shown])).values();
  const { name = "", email = "" } = only ?? {
    name: chooseOwnName(part),
    email: chooseAddress(part),
  };
  const users = known.shownBy.get(format({ name, email })) ?? known.sharers.get(foldCase(email));
  const isOwn = users?.every((one) => part.includes(one)) && others.length === 0;
  return isOwn && isReadable(name) && email !== "" ? { name, email } : undefined;
}

function chooseOwnName(part: Identities): string | undefined {
  const names = part.filter(isWritable);
  const last = names.map(({ name }) => toFullName(name)).find((full) => full !== undefined);
  const own = names.filter(({ name }) => last && isOneName(toFullName(name) ?? [""], last));
  return chooseName(own.length > 0 ? own : names)?.name;
}

function chooseAddress(part: Identities): string | undefined {
  const rank = (one: NamedAddress) =>
    isUnusableAddress(one) ? 2 : parseNoreplyAddress(one.email) ? 1 : 0;
  const commits = ({ email }: NamedAddress) =>
    part.reduce((sum, one) => sum + (foldCase(one.email) === foldCase(email) ? one.commits : 0), 0);
  const [best] = part.toSorted(
    (a, b) => rank(a) - rank(b) || commits(b) - commits(a) || b.commits - a.commits,
  );
  return best?.email;
}

/** Whether a row may have this name. It may not if a mailmap or the operator replaces the name. */
function isWritable({ name, shown, author, person }: HistoryIdentity): boolean {
  if (!author || name !== shown.name || (author.properName ?? name) !== name) return false;
  return isReadable(name) && dropReplacedNames(person?.identities ?? []).includes(author);
}

/** Whether git reads the name in a row back unchanged. */
const isReadable = (name: string) =>
  name !== "" && name === name.trim() && !/^#|[<>\p{Cc}]/u.test(name);

/** The most bytes of a row. Git reads only about that many bytes of a line. */
const rowBytesMax = 1000;

/** Lists the rows of a person. The row of an address that others use too also contains the name in the commits. */
function listRows(
  part: Identities,
  shown: NamedAddress | undefined,
  known: Pick<KnownRows, "sharers"> & { readonly owners: Identities },
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

/** Kinds of joins that are certain, strongest first. */
const certain: readonly string[] = [
  ...["alias file", "decision", "mailmap", "forge account", "account", "same commit"],
  ...["same e-mail", "same name"],
];

/** @returns the parts of a person that are certainly one person. An identity that stands for several people is left out. */
export function splitByCertainty({ identities, joins }: Pick<Person, "identities" | "joins">) {
  const single = identities.filter(isOnePerson);
  const strongest = certain.flatMap((kind) => joins.filter((join) => join.kind === kind));
  return splitPerson(single, strongest, ({ kind, detail }, both) => {
    if (certain.indexOf(kind) <= 5) return true;
    // If strangers share an address, any identity with that address may belong to either stranger.
    const sharers = single.filter(({ email, rawEmail }) => [email, rawEmail].includes(detail));
    return !hasStrangers([...both, ...sharers]);
  });
}

/** Whether two of the full names have no word in common. */
function hasStrangers(identities: readonly AuthorIdentity[]): boolean {
  const names = identities.map(({ name }) => toFullName(name)).filter((name) => name !== undefined);
  const isStranger = (name: readonly string[], other: readonly string[]) =>
    !name.some((word) => other.includes(word));
  return names.some((name, at) => names.slice(0, at).some((other) => isStranger(name, other)));
}

/** Whether an author is one person. `Ada Example and Ben Sample <pair+ada+ben@...>` is a pair. */
export function isOnePerson({ name, rawEmail }: AuthorIdentity): boolean {
  // `Example, Ada` is one person, `Ada Example, Ben Sample` are two.
  const words = name.split(",").map((part) => part.trim().split(/\s+/).length);
  const isList = words.length > 2 || (words.length === 2 && words.every((count) => count > 1));
  const isNamed = isList || /\s(?:and|und|et|with|&|\+)\s/i.test(name);
  return !isNamed && !/^[^@]*\+[^@]*\+/.test(rawEmail);
}
