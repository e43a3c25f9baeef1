/**
 * Lists links: what the rules of identity may compare of two authors. Authors that no chain of links connects are identified
 * separately. A superfluous link costs time; a missing link gives wrong results.
 */
import { type ForgeAccount, isGenericAddress } from "../../../identity/address.ts";
import { listNameKeys, toFullName } from "../../../identity/person-name.ts";
import { foldName } from "../../../identity/selector.ts";
import { findBotClue } from "./author-class.ts";
import type { AuthorIdentity } from "./author-identity.ts";
import { listHandles, listNamedHandles, removeDigits } from "./handles.ts";
import { listLoginsAlone, toNamesake } from "./login.ts";

/** Which authors a link connects. These numbers are stored. */
export const reach = {
  /** Connects all authors with the link. */
  everywhere: 0,
  /** Connects the authors in one repository with the link. */
  repository: 1,
  /** A handle that an author chose: connects authors of one repository who chose it, or whose full name suggests it. */
  handle: 2,
  /** A handle formed from a full name (`jdoe`): connects its author with authors in the repository who chose the handle. */
  namedHandle: 3,
  /** A name of one word: connects its author with authors whose login is that word. */
  word: 4,
  /** A login: connects authors who have it as login, or as a name of one word. */
  login: 5,
} as const;

export type Reach = (typeof reach)[keyof typeof reach];

/**
 * Something that two authors may share, stored as a number since there are millions. The last octal digit is the reach, the rest
 * a hash.
 */
export type Link = number;

export function getReach(link: Link): Reach {
  return (link % 8) as Reach;
}

export function toLink(text: string, far: Reach): Link {
  return Number(BigInt.asUintN(50, BigInt(Bun.hash(text)))) * 8 + far;
}

export function getHash(link: Link): number {
  return Math.floor(link / 8);
}

/** Hashes a text to a number that JavaScript and SQLite both represent exactly. */
export function hashLinkKey(text: string): number {
  return Number(BigInt.asUintN(53, BigInt(Bun.hash(text))));
}

export function listLinks(identity: AuthorIdentity): readonly Link[] {
  const { name } = identity;
  const full = toFullName(name);
  const word = foldName(name);
  const everywhere = [
    ...listAddressKeys(identity),
    ...listAccounts(identity).flatMap(listAccountKeys),
    ...listLoginKeys(identity),
    ...(full ? [`name ${full.join(" ")}`] : []),
    ...(findBotClue({ name, emails: [] }) ? [`bot ${name.toLowerCase()}`] : []),
    ...(word.includes(" ") ? [`called ${word}`] : []),
  ];
  const chosen = listHandles(identity).flatMap(({ text }) => [text, removeDigits(text) ?? text]);
  const logins = listAccounts(identity).map(({ login }) => login.toLowerCase());
  const links = [
    ...everywhere.map((text) => toLink(text, reach.everywhere)),
    ...listNameKeys(name).map((key) => toLink(`spelt ${key}`, reach.repository)),
    ...chosen.map(toHandleLink),
    ...listNamedHandles(name).map((handle) => toLink(`handle ${handle}`, reach.namedHandle)),
    ...(word.includes(" ") || word === "" ? [] : [toLink(`word ${word}`, reach.word)]),
    ...logins.map((login) => toLink(`word ${login}`, reach.login)),
  ];
  return [...new Set(links)];
}

/** Returns the link for a handle, or for a first name that may be a handle. */
export function toHandleLink(handle: string): Link {
  return toLink(`handle ${handle}`, reach.handle);
}

/** Lists keys for addresses. A generic address connects only people who also share a name, since they may get the same login. */
function listAddressKeys({ name, email, rawEmail }: AuthorIdentity): readonly string[] {
  return [...new Set([email, rawEmail])].map((address) =>
    isGenericAddress(address) ? `address ${address} of ${name}` : `address ${address}`,
  );
}

function listAccounts({ account, told }: AuthorIdentity): readonly ForgeAccount[] {
  return [account, told].filter((one) => one !== undefined);
}

function listAccountKeys({ forge, login, id }: ForgeAccount): readonly string[] {
  const byLogin = `account ${forge}/${login.toLowerCase()}`;
  return id === undefined ? [byLogin] : [byLogin, `account ${forge}#${id}`];
}

/** Lists keys for the logins that the author may get. If two people may get the same login, one gets a longer login. */
function listLoginKeys(identity: AuthorIdentity): readonly string[] {
  const namesakes = listAccounts(identity).map((account) => toNamesake(account.login, account));
  return [...listLoginsAlone(identity), ...namesakes].map(
    (login) => `login ${login.toLowerCase().replace(/(-[0-9a-f]{6})[0-9a-f]+$/, "$1")}`,
  );
}
