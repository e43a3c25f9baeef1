/** Composes the rows of a mailmap that show each person under one name and address, by what git itself reads of a mailmap. */
import { isUnusableAddress, parseNoreplyAddress } from "../../../identity/address.ts";
import { chooseName } from "../../../identity/chosen-name.ts";
import { isOneName, toFullName } from "../../../identity/person-name.ts";

export interface NamedAddress {
  readonly name: string;
  readonly email: string;
}

/** A name and address of authors in a history. */
export interface HistoryIdentity extends NamedAddress {
  /** By the mailmap in force. */
  readonly shown: NamedAddress;
  readonly commits: number;
  /** Latest author date in seconds. */
  readonly latest: number;
  /** The person's name according to the operator. */
  readonly properName?: string | undefined;
  /** Whether the operator or a mailmap gave the person another name instead of this one. */
  readonly isReplaced: boolean;
}

/** Those of one person for certain. */
export type MailmapPart = readonly HistoryIdentity[];

export interface MailmapRow {
  readonly text: string;
  /** Those whom it maps, and how it shows them. */
  readonly of: MailmapPart;
  readonly shown: NamedAddress;
}

export interface MailmapPerson {
  /** Perhaps several people. */
  readonly parts: readonly MailmapPart[];
  /** Whether rows that unite the parts are suggested. */
  readonly isAsked: boolean;
}

interface MailmapHistory {
  /** Also those who are no person here. */
  readonly everybody: MailmapPart;
  readonly people: readonly MailmapPerson[];
  /** Pairs of people who may be one. */
  readonly alike: readonly (readonly [MailmapPerson, MailmapPerson])[];
}

interface ComposedMailmap {
  readonly rows: readonly MailmapRow[];
  /** Rows for somebody who knows the people to decide about. */
  readonly suggestions: readonly string[];
}

/** @param lines of the mailmap in force. */
export function composeMailmap(
  { people, alike, ...history }: MailmapHistory,
  lines: readonly string[],
): ComposedMailmap {
  const proper = listProperNames(lines);
  const everybody = Map.groupBy(history.everybody, ({ email }) => foldCase(email));
  const rows = people
    .flatMap(({ parts }) => parts)
    .flatMap((part) => {
      const shown = chooseShown(part, proper);
      return shown ? listRows(part, shown, { owners: part, everybody }) : [];
    });
  const doubts = [...people.map((one) => [one]), ...alike].filter((some) =>
    some.every(({ isAsked }) => isAsked),
  );
  const suggested = doubts.flatMap((some) => {
    const parts = some.flatMap((one) => one.parts);
    const [main, ...others] = parts.toSorted((a, b) => countCommits(b) - countCommits(a));
    const shown = main && chooseShown(main, proper);
    const owners = parts.flat();
    return shown ? others.flatMap((part) => listRows(part, shown, { owners, everybody })) : [];
  });
  const isNoted = createNotedCheck(lines);
  const texts = new Set(suggested.map(({ text }) => text).filter((text) => !isNoted(text)));
  return { rows, suggestions: [...texts] };
}

const countCommits = (part: MailmapPart) => part.reduce((sum, { commits }) => sum + commits, 0);

/** Whether a comment has all addresses of a row: somebody has seen that suggestion, and perhaps answered it. */
function createNotedCheck(lines: readonly string[]): (row: string) => boolean {
  const comments = lines.filter((line) => line.startsWith("#")).map(foldCase);
  return (row) => {
    const addresses = foldCase(row).match(/<[^>]*>/g) ?? [];
    return comments.some((line) => addresses.every((address) => line.includes(address)));
  };
}

/** What the rows of a mailmap say about their first addresses: the name, empty where a row gives none. */
export function listProperNames(lines: readonly string[]): ReadonlyMap<string, string> {
  const rows = lines.flatMap((line) => {
    const [, name = "", address] = /^(?!#)([^<]*)<([^>]+)>/.exec(line) ?? [];
    return address === undefined ? [] : [[foldCase(address), name.trim()] as const];
  });
  return new Map(rows);
}

/**
 * Chooses how a person is shown. What the mailmap says comes first. Otherwise it is the most complete spelling of the full name of the
 * latest commit, and the address of most commits, their own before one that a forge gives them.
 *
 * @returns undefined where the mailmap shows the person in several ways, or no name may be written.
 */
export function chooseShown(
  part: MailmapPart,
  proper: ReadonlyMap<string, string>,
): NamedAddress | undefined {
  const settled = part.filter(({ name, email, shown }) => {
    const isMapped = shown.name !== name || shown.email !== email;
    return isMapped || proper.has(foldCase(shown.email));
  });
  const addresses = Map.groupBy(settled, ({ shown }) => foldCase(shown.email));
  if (addresses.size > 1) return undefined;
  const given = settled.filter(
    ({ name, shown }) => name !== shown.name || proper.get(foldCase(shown.email)),
  );
  const names = new Set(given.map(({ shown }) => shown.name));
  if (names.size > 1) return undefined;
  const name = [...names][0] ?? chooseOwnName(settled.length > 0 ? settled : part);
  const email = settled[0]?.shown.email ?? chooseAddress(part);
  return name === undefined || email === undefined ? undefined : { name, email };
}

function chooseOwnName(part: MailmapPart): string | undefined {
  const own = part.filter(({ name, isReplaced }) => !isReplaced && isWritable(name));
  const [wanted] = part.flatMap(({ properName }) => properName ?? []);
  if (wanted !== undefined) return own.find(({ name }) => name === wanted)?.name;
  const full = own
    .flatMap((one) => ({ ...one, words: toFullName(one.name) ?? [] }))
    .filter(({ words }) => words.length > 0)
    .sort((a, b) => b.latest - a.latest);
  const [last] = full;
  const spellings = last && full.filter(({ words }) => isOneName(words, last.words));
  return chooseName(spellings ?? own)?.name;
}

function chooseAddress(part: MailmapPart): string | undefined {
  const commits = new Map<string, number>();
  for (const one of part) {
    const key = foldCase(one.email);
    commits.set(key, (commits.get(key) ?? 0) + one.commits);
  }
  const rank = (one: HistoryIdentity): number =>
    isUnusableAddress(one) ? 2 : parseNoreplyAddress(one.email) ? 1 : 0;
  const sum = ({ email }: NamedAddress) => commits.get(foldCase(email)) ?? 0;
  const [best] = part.toSorted(
    (a, b) => rank(a) - rank(b) || sum(b) - sum(a) || b.commits - a.commits || b.latest - a.latest,
  );
  return best?.email;
}

/** Names that git would not read back from a row as they are. */
function isWritable(name: string): boolean {
  return name !== "" && name === name.trim() && !/^#|[<>\p{Cc}]/u.test(name);
}

/** Git keeps a line of a file in this many bytes. */
const rowBytesMax = 1000;

/**
 * Lists the rows that show a part so: for an address that nobody else has, whatever name is beside it; otherwise for the name and
 * address together. Rows that no mailmap can have are left out.
 *
 * @param owners those who may share an address with the part.
 * @param everybody of the history, by address.
 */
export function listRows(
  part: MailmapPart,
  shown: NamedAddress,
  {
    owners,
    everybody,
  }: {
    readonly owners: MailmapPart;
    readonly everybody: ReadonlyMap<string, MailmapPart>;
  },
): readonly MailmapRow[] {
  const others = part.filter(
    (one) => one.shown.name !== shown.name || one.shown.email !== shown.email,
  );
  const rows = [...Map.groupBy(others, ({ email }) => foldCase(email))].flatMap(([key, some]) => {
    const all = everybody.get(key) ?? [];
    if (key !== "" && all.every((one) => owners.includes(one))) {
      const isOwn = all.every(({ email }) => email === shown.email);
      const of = isOwn ? "" : ` <${some[0]?.email}>`;
      return [{ text: `${shown.name} <${shown.email}>${of}`, of: some, shown }];
    }
    const named = some.filter(({ name, isReplaced }) => !isReplaced && isWritable(name));
    return [...Map.groupBy(named, ({ name }) => foldCase(name)).values()].map((of) => ({
      text: `${shown.name} <${shown.email}> ${of[0]?.name} <${of[0]?.email}>`,
      of,
      shown,
    }));
  });
  return rows.filter(({ text }) => Buffer.byteLength(text) <= rowBytesMax);
}

/** As git compares names and addresses. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
