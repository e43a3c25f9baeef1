/** Finding people by name, login, account or address: how a text is read, and which match is better. Both databases share it. */
import type { PeopleKey } from "../contract/people/found-person.ts";
import { normaliseAddress } from "../identity/address.ts";
import { splitNameWords } from "../identity/name-words.ts";

/** The names, logins, accounts and addresses by which a developer is found. */
export interface FindableDeveloper {
  readonly rowId: number;
  readonly login: string;
  /** Empty when unknown. */
  readonly name: string;
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

/** A developer, or no more than the row of one whom the reader knows. */
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
] as const;
export type Fit = (typeof fits)[number];

/** The rank of a match from 1, best first. */
export function rankFit(fit: Fit, isHuman: boolean): number {
  return fits.indexOf(fit) + 1 + (isHuman ? 0 : fits.length);
}

/** What a match of this rank is called. */
export function toPeopleKey(rank: number): PeopleKey {
  const fit = fits[(rank - 1) % fits.length] as Fit;
  if (fit === "beginning of login") return "login";
  return fit === "whole name" || fit === "words" || fit === "beginnings" ? "name" : fit;
}

/** Characters that no login, word or key contains. */
export const keyTags = {
  human: "\x01",
  other: "\x02",
  formerLogin: "\x03",
  account: "\x04",
  published: "\x05",
  unpublished: "\x06",
} as const;

/** More words of a name are not indexed. */
const wordsMax = 12;
/** Longer than any text that can be asked for. */
const keyLengthMax = 500;

/** `human` or `other`, the lower-cased login, and for humans each word of the name after a space. */
export function formatNames({
  login,
  name,
  isHuman,
}: Pick<FindableDeveloper, "login" | "name" | "isHuman">): string {
  const key = login.toLowerCase();
  if (!isHuman) return keyTags.other + key;
  const words = splitNameWords(name).slice(0, wordsMax);
  return [keyTags.human + key, ...words.filter(isShort)].join(" ");
}

/** Each key after the tag of its kind. */
export function listKeys({
  formerLogins,
  accounts,
  emails,
}: Pick<FindableDeveloper, "formerLogins" | "accounts" | "emails">): readonly string[] {
  const tagged = (tag: string, keys: readonly string[]) =>
    keys.filter((key) => isShort(key) && !control.test(key)).map((key) => tag + key.toLowerCase());
  return [
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
}

export function readAskedPeople(text: string): AskedPeople {
  const trimmed = text.trim().toLowerCase();
  const words = [...splitNameWords(text)].sort((a, b) => b.length - a.length);
  const isName = words.length <= wordsMax && words.every(isShort);
  const asked = { login: undefined, account: undefined, address: undefined };
  if (control.test(trimmed)) return { ...asked, words: isName ? words : [] };
  const login = trimmed.replace(/^@/, "");
  const [, forge, name] = accountForm.exec(trimmed) ?? [];
  return {
    login: login === "" || /\s/.test(login) ? undefined : login,
    account: forge && name ? `${forge}/${name}` : undefined,
    address: trimmed.includes("@")
      ? normaliseAddress(/<([^<>]*)>$/.exec(trimmed)?.[1] ?? trimmed)
      : undefined,
    words: isName ? words : [],
  };
}

const accountForm = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/([^/\s]+)\/?$/;
