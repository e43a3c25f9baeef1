/** Finding people by name, login, account or address: how a text is read, and which match is better. Both databases share it. */
import type { PeopleKey } from "../contract/people/found-person.ts";
import { normaliseAddress } from "../identity/address.ts";
import { listNameParts, splitNameWords } from "../identity/name-words.ts";
import { listNearWords } from "../identity/near-words.ts";

/** The names, logins, accounts and addresses by which a developer is found. */
export interface FindableDeveloper {
  readonly rowId: number;
  readonly login: string;
  /** Empty when unknown. */
  readonly name: string;
  /** Other spellings of the name, and other names. */
  readonly otherNames: readonly string[];
  readonly isHuman: boolean;
  /** Overall score, 0 to 100, as the card shows it. */
  readonly score: number;
  readonly formerLogins: readonly string[];
  /** As `github.com/login`, in lower case. */
  readonly accounts: readonly string[];
  /** Normalised; without addresses that several people use. */
  readonly emails: {
    /** By their profile. */
    readonly published: readonly string[];
    readonly unpublished: readonly string[];
  };
}

/** A developer, or only the row id of one whom the reader knows. */
export type FindableRow = FindableDeveloper | { readonly rowId: number; readonly isKnown: true };

export interface PeopleQuery {
  readonly text: string;
  /** Whether addresses that no profile publishes find their people too. */
  readonly canSeeUnpublished: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface PeopleFound {
  readonly total: number;
  readonly hits: readonly PeopleHit[];
}

export interface PeopleHit {
  readonly rowId: number;
  readonly matched: PeopleKey;
}

/** Finds people in the database of the pool, of its newest revision. */
export interface PeopleFinder {
  find(asked: PeopleQuery): Promise<PeopleFound>;
  /** Prepares rows that came from an older form or a data folder; `find` waits for that, too. */
  prepare(): Promise<void>;
}

/** Best first. Humans come before bots and assistants, which only exact keys find. */
export const fits = [
  "login",
  "former login",
  "account",
  "e-mail",
  "whole name",
  "words",
  "beginnings",
  "beginning of login",
  "near login",
  "near words",
] as const;
export type Fit = (typeof fits)[number];

/** The rank of a match from 1, best first. */
export function rankFit(fit: Fit, isHuman: boolean): number {
  return fits.indexOf(fit) + 1 + (isHuman ? 0 : fits.length);
}

/** What a match of this rank is called. */
export function toPeopleKey(rank: number): PeopleKey {
  const fit = fits[(rank - 1) % fits.length] as Fit;
  return keyOfFit[fit];
}

const keyOfFit: Readonly<Record<Fit, PeopleKey>> = {
  ...{ login: "login", "former login": "former login", account: "account", "e-mail": "e-mail" },
  ...{ "whole name": "name", words: "name", beginnings: "name", "beginning of login": "login" },
  ...{ "near login": "near", "near words": "near" },
};

/** Near logins and names are looked for when fewer people than these are found without. */
export const nearBelow = 10;

/** Characters that no login, word or key contains. */
export const keyTags = {
  human: "\x01",
  other: "\x02",
  formerLogin: "\x03",
  account: "\x04",
  published: "\x05",
  unpublished: "\x06",
  wholeName: "\x07",
} as const;

/** More words of a name are not indexed. */
const wordsMax = 12;
/** Longer than any text that can be asked for. */
const keyLengthMax = 500;

type NamedDeveloper = Pick<FindableDeveloper, "login" | "name" | "otherNames" | "isHuman">;

/** `human` or `other`, the lower-cased login, and for humans after a space each word and part of the names. */
export function formatNames(named: NamedDeveloper): string {
  const key = named.login.toLowerCase();
  if (!named.isHuman) return keyTags.other + key;
  const words: string[] = [];
  // A word is there as often as in the name that has it most often.
  for (const name of listNameWords(named)) {
    const left = [...words];
    for (const word of name) {
      const at = left.indexOf(word);
      if (at < 0) words.push(word);
      else left.splice(at, 1);
    }
  }
  const parts = [named.name, ...named.otherNames].flatMap(listNameParts).filter(isShort);
  const more = new Set(parts.filter((part) => !words.includes(part)));
  return [keyTags.human + key, ...words, ...more].join(" ");
}

function listNameWords({ name, otherNames }: NamedDeveloper): readonly (readonly string[])[] {
  return [name, ...otherNames].map((each) =>
    splitNameWords(each).slice(0, wordsMax).filter(isShort),
  );
}

/** What a name and a text that asks for all of it have in common, whatever the order of the words. */
function toWholeName(words: readonly string[]): string {
  return keyTags.wholeName + [...words].sort().join(" ");
}

/** Each key after the tag of its kind. */
export function listKeys(found: Omit<FindableDeveloper, "rowId" | "score">): readonly string[] {
  const { formerLogins, accounts, emails } = found;
  const tagged = (tag: string, keys: readonly string[]) =>
    keys.filter((key) => isShort(key) && !control.test(key)).map((key) => tag + key.toLowerCase());
  const names = found.isHuman ? listNameWords(found).filter(({ length }) => length > 0) : [];
  return [
    ...new Set(names.map(toWholeName)),
    ...tagged(keyTags.formerLogin, formerLogins),
    ...tagged(keyTags.account, accounts),
    ...tagged(keyTags.published, emails.published),
    ...tagged(keyTags.unpublished, emails.unpublished),
  ];
}

const isShort = (text: string) => text.length <= keyLengthMax;
const control = /\p{Cc}/u;

/** The ways to read a text that asks for people. */
export interface AskedPeople {
  /** Lower-cased; undefined when the text cannot be a login. */
  readonly login: string | undefined;
  /** As `github.com/ada`, or from the URL of a profile. */
  readonly account: string | undefined;
  readonly address: string | undefined;
  /** Longest first; empty when no name can contain all of them. */
  readonly words: readonly string[];
  /** The key of people who have a name of just these words. */
  readonly wholeName: string | undefined;
}

export function readAskedPeople(text: string): AskedPeople {
  const trimmed = text.trim().toLowerCase();
  const words = [...splitNameWords(text)].sort((a, b) => b.length - a.length);
  const isName = words.length <= wordsMax && words.every(isShort);
  const asked = {
    ...{ login: undefined, account: undefined, address: undefined },
    words: isName ? words : [],
    wholeName: isName && words.length > 0 ? toWholeName(words) : undefined,
  };
  if (control.test(trimmed)) return asked;
  const login = trimmed.replace(/^@/, "");
  const [, forge, name] = accountForm.exec(trimmed) ?? [];
  return {
    ...asked,
    login: login === "" || /\s/.test(login) ? undefined : login,
    account: forge && name ? `${forge}/${name}` : undefined,
    address: trimmed.includes("@")
      ? normaliseAddress(/<([^<>]*)>$/.exec(trimmed)?.[1] ?? trimmed)
      : undefined,
  };
}

/** Texts that are one slip away from the query. */
export interface NearTexts {
  readonly logins: ReadonlySet<string>;
  /** One of the words of somebody's names is one of `near`, and each of the others begins a word. */
  readonly words: readonly {
    readonly near: ReadonlySet<string>;
    readonly others: readonly string[];
  }[];
}

/** Nothing is near an address or an account: they are right or somebody else's. */
export function listNear({ login = "", account, address, words }: AskedPeople): NearTexts {
  const isExact = account !== undefined || address !== undefined;
  const distinct = isExact ? [] : [...new Set(words)];
  return {
    logins: listNearWords(isExact ? "" : login),
    words: distinct.flatMap((word) => {
      const near = listNearWords(word);
      return near.size === 0 ? [] : [{ near, others: distinct.filter((each) => each !== word) }];
    }),
  };
}

const accountForm =
  /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?)\/([^/\s]+)\/?$/;
