/** Lists handles, for example `adaex`: short names that people choose, and short forms of full names. */
import { isFunctionName, isGenericAddress, isRelayed } from "../../../identity/address.ts";
import {
  foldPersonName,
  isCommonName,
  isCommonWord,
  isDefaultName,
  isDeletedName,
  isFirstName,
  isNobodyName,
  toFullName,
} from "../../../identity/person-name.ts";
import type { AuthorIdentity } from "./author-identity.ts";

/** The letters and digits of a login, of the local part of an address, or of a name of one word. */
export interface Handle {
  readonly text: string;
  readonly from: keyof typeof handleOrigins;
}

/**
 * How much a handle says by where it comes from. A word like `Ada` or `ada` is weak, because two people may share a first name or
 * initials. An address at a domain that is not public says little, because any word may precede the `@` there: `hey@ada.example`.
 */
export const handleOrigins = {
  login: "chosen",
  address: "chosen",
  /** Of a machine or a version control system, such as `ada@laptop`. */
  user: "chosen",
  word: "chosen",
  "address of a domain": "at domain",
  "weak word": "weak",
} as const;

const known = new WeakMap<AuthorIdentity, readonly Handle[]>();

/** Lists the handles of an author identity, without words that many people use. */
export function listHandles(identity: AuthorIdentity): readonly Handle[] {
  return known.getOrInsertComputed(identity, makeHandles);
}

function makeHandles(identity: AuthorIdentity): readonly Handle[] {
  const { name, account } = identity;
  const chosen = account
    ? [{ text: account.login, from: "login" } as const]
    : listOwn(identity).map((address) => {
        const host = toHost(address);
        const isPublic = publicHosts.has(host);
        const from = isPublic ? "address" : isOwnHost(host) ? "address of a domain" : "user";
        return { text: toLocalPart(address), from } as const;
      });
  // A name with `@` is an address, which may belong to anybody.
  const isHandle = !/[\s@]/.test(name.trim()) && !isNobodyName(name) && !isDefaultName(name);
  const word = isHandle ? toLocalPart(name.trim()) : "";
  const from = isCapitalised(word) || toHandle(word).length <= handleMin ? "weak word" : "word";
  return [...chosen, { text: word, from } as const]
    .filter(({ text }) => !isFunctionName(text))
    .map((handle) => ({ ...handle, text: toHandle(handle.text) }))
    .filter(
      ({ text, from }) => isTelling(text) && (!hasInitial(text) || /^(login|user)$/.test(from)),
    );
}

/** Whether a handle is a common name with an initial: `martinc`. That is too weak a clue, unless somebody gives out such logins. */
function hasInitial(handle: string): boolean {
  return isCommonWord(handle.slice(0, -1));
}

/** Whether a text is one capitalized word, for example `Ada`. */
export function isCapitalised(text: string): boolean {
  return /^\p{Lu}\p{Ll}+$/u.test(text);
}

/** Lists the identity's addresses; none if a mailing list or bridge committed for the author, or the account was deleted. */
function listOwn({ name, email, rawEmail }: AuthorIdentity): readonly string[] {
  return isRelayed(name) || isDeletedName(name) ? [] : [...new Set([email, rawEmail])];
}

/** Splits each login or address: `ada.example2@example.com` gives `adaexample`, `2` and `example.com`. */
export function listNumberedHandles(identity: AuthorIdentity) {
  const { account } = identity;
  const written = account
    ? [{ text: account.login, host: account.forge }]
    : listOwn(identity).map((address) => {
        const host = toHost(address);
        return { text: toLocalPart(address), host: publicHosts.has(host) ? undefined : host };
      });
  return written
    .map(({ text, host }) => {
      const handle = toHandle(text);
      const number = handle.replace(/\D+/g, "").replace(/^0+/, "");
      return { letters: handle.replace(/\d+/g, ""), number, host };
    })
    .filter(({ letters }) => letters.length >= handleMin + 1);
}

/** Lists the hosts of the identity's addresses. Public hosts are left out. */
export function listOwnHosts(identity: AuthorIdentity): readonly string[] {
  const hosts = identity.account ? [] : listOwn(identity).map(toHost);
  // Generic addresses count too: `git@example.com` does not name a person, but it names the host.
  return [...new Set(hosts)].filter(isOwnHost);
}

/** Whether both have one address, or the same part before the `@` below one domain: `lab.example.com` and `example.com`. */
export function isOneMailbox({ rawEmail: a }: AuthorIdentity, { rawEmail: b }: AuthorIdentity) {
  const [one, other] = [a, b].map((address) => address.replace(/(?<=@)[^@]*$/, toDomain));
  return one === other && (a === b || toHost(a) !== toHost(b));
}

/** Returns the domain that is registered, such as `example.com` or `example.co.uk`. */
function toDomain(host: string): string {
  const labels = host.split(".");
  return labels.slice((labels.at(-2)?.length ?? 0) > 3 ? -2 : -3).join(".");
}

function isOwnHost(host: string): boolean {
  return !publicHosts.has(host) && !isGenericAddress(`person@${host}`);
}

/** Lists the handles that a full name suggests: `ada.example`, `aexample`, `adae`, the same in reverse order, and `example`. */
export function listNamedHandles(name: string) {
  const full = toFullName(name);
  if (!full || isCommonName(full)) return [];
  const words = full.filter((word) => word.length > 1);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  if (words.length < 2) return [];
  const [f, l] = [first.charAt(0), last.charAt(0)];
  const initials = full.map((word) => word[0]).join("");
  const whole = [full.join(""), first + last, last + first, words.join("")];
  const short = [
    ...(isCommonWord(last)
      ? []
      : [f + last, ...(last.length >= besideInitialMin ? [last + f] : [])]),
    ...(isCommonWord(first) || first.length < besideInitialMin ? [] : [first + l]),
    ...(initials.length > 2 ? [initials.slice(0, -1) + last] : []),
  ].filter((text) => !whole.includes(text));
  // Servers give out rare surnames as logins, and surnames with letters of the first name, cut to eight letters.
  const isRare = last.length >= rareMin && !isCommonWord(last) && !isFirstName(last);
  const cut = [0, 1, 2, 3].map((letters) => last.slice(0, 8 - letters) + first.slice(0, letters));
  const surnames = isRare ? [last, ...cut.filter(({ length }) => length === 8)] : [];
  return [...new Set([...whole, ...short, ...surnames])].filter(isTelling).map((text) => {
    const kind = whole.includes(text) ? "named" : short.includes(text) ? "initial" : "surname";
    return { text, kind } as const;
  });
}

/** Removes the digits of a handle; undefined if the handle has no digits or too few letters. */
export function removeDigits(handle: string): string | undefined {
  const rest = handle.replace(/\d+/g, "");
  const isLong = rest !== handle && rest.length >= lettersMin;
  return isLong && isTelling(rest) && !hasInitial(rest) ? rest : undefined;
}

const lettersMin = 5;
const handleMin = 3;
/** The fewest characters of a name before an initial: `examplea`. */
const besideInitialMin = 4;
/** The fewest letters of a surname that few people have. */
const rareMin = 5;

function toHost(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function toLocalPart(address: string): string {
  const at = address.lastIndexOf("@");
  return (at === -1 ? address : address.slice(0, at)).split("+")[0] ?? "";
}

function toHandle(text: string): string {
  return foldPersonName(text.replace(/,/g, " ")).join("");
}

function isTelling(handle: string): boolean {
  return (
    handle.length >= handleMin &&
    !/^\d+$/.test(handle) &&
    !isFunctionName(handle) &&
    !isCommonWord(handle) &&
    !isCommonTogether(handle)
  );
}

/** Whether a handle consists of common names: `johnsmith`, `weiwang`. */
function isCommonTogether(handle: string): boolean {
  for (let at = 2; at <= handle.length - 2; at += 1) {
    if (isCommonName([handle.slice(0, at), handle.slice(at)])) return true;
  }
  return false;
}

/** Hosts where anybody can get an address. Sharing a public host is no clue. */
export const publicHosts: ReadonlySet<string> = new Set(
  (
    "gmail.com googlemail.com hotmail.com outlook.com live.com msn.com yahoo.com ymail.com icloud.com me.com " +
    "mac.com aol.com gmx.de gmx.net gmx.com web.de mail.ru yandex.ru qq.com 163.com 126.com foxmail.com " +
    "protonmail.com proton.me pm.me fastmail.com fastmail.fm hey.com mail.com zoho.com free.fr orange.fr"
  ).split(" "),
);
