/** The search for people by name, login, account or address: reads the text and ranks matches. Both databases use it. */
import type { PeopleKey } from "../contract/people/found-person.ts";
import { normaliseAddress } from "../identity/address.ts";
import { listNameParts, splitNameWords } from "../identity/name-words.ts";
import { listNearWords } from "../identity/near-words.ts";

/** The names, logins, accounts and addresses by which a developer is found. */
export interface FindableDeveloper {
  readonly rowId: number;
  readonly login: string;
  /** Empty if unknown. */
  readonly name: string;
  /** Other spellings of the name, and other names. */
  readonly otherNames: readonly string[];
  readonly isHuman: boolean;
  /** Overall score, 0 to 100, as the card shows it. */
  readonly score: number;
  readonly formerLogins: readonly string[];
  /** In lower case, such as `github.com/login`. */
  readonly accounts: readonly string[];
  /** Normalized addresses. Addresses that several people use are left out. */
  readonly emails: {
    /** Addresses published in the profile. */
    readonly published: readonly string[];
    readonly unpublished: readonly string[];
  };
}

/** A developer, or only the row id if the caller already has the row. */
export type FindableRow = FindableDeveloper | { readonly rowId: number; readonly isKnown: true };

export interface PeopleQuery {
  readonly text: string;
  /** Whether people are also found by addresses that no profile publishes. */
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

/** Finds people in the newest revision of the pool. */
export interface PeopleFinder {
  find(asked: PeopleQuery): Promise<PeopleFound>;
  /** Prepares rows that an earlier version wrote, so that the first search is fast. */
  prepare(): Promise<void>;
}

/** How well a text matches, best first. */
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

/** Returns the rank of a match. The best match has rank 1. */
export function rankFit(fit: Fit, isHuman: boolean): number {
  return fits.indexOf(fit) + 1 + (isHuman ? 0 : fits.length);
}

export function toPeopleKey(rank: number): PeopleKey {
  const fit = fits[(rank - 1) % fits.length] as Fit;
  return keyOfFit[fit];
}

const keyOfFit: Readonly<Record<Fit, PeopleKey>> = {
  ...{ login: "login", "former login": "former login", account: "account", "e-mail": "e-mail" },
  ...{ "whole name": "name", words: "name", beginnings: "name", "beginning of login": "login" },
  ...{ "near login": "near", "near words": "near" },
};

/** Near matches are searched only if an exact search finds fewer people than this. */
export const nearBelow = 10;

/** Control characters that mark the kind of a key. */
export const keyTags = {
  human: "\x01",
  other: "\x02",
  formerLogin: "\x03",
  account: "\x04",
  published: "\x05",
  unpublished: "\x06",
  wholeName: "\x07",
} as const;

const wordsMax = 12;
/** The longest indexed key, in characters. */
const keyLengthMax = 500;

type NamedDeveloper = Pick<FindableDeveloper, "login" | "name" | "otherNames" | "isHuman">;

/** Returns the tag and the login in lower case. For humans, the words of all names follow: `\x01ada ada lovelace`. */
export function formatNames(named: NamedDeveloper): string {
  const key = named.login.toLowerCase();
  if (!named.isHuman) return keyTags.other + key;
  const words: string[] = [];
  // Repeats a word as often as the name that repeats it most.
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

/** Returns the same key for texts with the same words, in any order. */
function toWholeName(words: readonly string[]): string {
  return keyTags.wholeName + [...words].sort().join(" ");
}

/** Returns the keys by which a developer is found, each with a tag for its kind. */
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

/** The ways to read one search text. All of them are searched. */
export interface AskedPeople {
  /** In lower case. Undefined if the text cannot be a login. */
  readonly login: string | undefined;
  /** An account such as `github.com/ada`. The text may be the URL of a profile. */
  readonly account: string | undefined;
  readonly address: string | undefined;
  /** The words of the text, longest first. */
  readonly words: readonly string[];
  /** The key of people who have a name of exactly these words. */
  readonly wholeName: string | undefined;
  /** The logins that are several words written together, such as `adaexample` and `ada-example`. */
  readonly joined: readonly string[];
}

export function readAskedPeople(text: string): AskedPeople {
  const trimmed = text.trim().toLowerCase();
  const inOrder = splitNameWords(text);
  const words = [...inOrder].sort((a, b) => b.length - a.length);
  const isName = words.length <= wordsMax && words.every(isShort);
  const asked = {
    ...{ login: undefined, account: undefined, address: undefined },
    words: isName ? words : [],
    wholeName: isName && words.length > 0 ? toWholeName(words) : undefined,
    joined: isName && words.length > 1 ? ["", "-", ".", "_"].map((sign) => inOrder.join(sign)) : [],
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

/** Texts that differ from the query by one typing mistake, or by missing spaces. */
export interface NearTexts {
  readonly logins: ReadonlySet<string>;
  /** A name matches if one of its words is in `near`, and each text in `others` begins a word of the name. */
  readonly words: readonly {
    readonly near: ReadonlySet<string>;
    readonly others: readonly string[];
  }[];
}

/** Lists similar texts. For an address or account there are none, because a similar address belongs to another person. */
export function listNear({ login = "", account, address, words, joined }: AskedPeople): NearTexts {
  const isExact = account !== undefined || address !== undefined;
  const distinct = isExact ? [] : [...new Set(words)];
  return {
    logins: new Set(isExact ? [] : [...listNearWords(login), ...joined]),
    words: [
      ...distinct.flatMap((word) => {
        const near = listNearWords(word);
        return near.size === 0 ? [] : [{ near, others: distinct.filter((each) => each !== word) }];
      }),
      ...(isExact ? [] : joined.slice(0, 1).map((word) => ({ near: new Set([word]), others: [] }))),
    ],
  };
}

const accountForm =
  /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?)\/([^/\s]+)\/?$/;
