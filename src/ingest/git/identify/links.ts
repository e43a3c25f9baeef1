/**
 * Lists links: values that the rules of identity compare between two authors. Authors without a chain of links between them are
 * identified separately. A superfluous link costs time; a missing link gives wrong results.
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
  /** Connects all authors who have the link. */
  everywhere: 0,
  /** Connects the authors of one repository who have the link. */
  repository: 1,
  /** A handle that an author chose. It connects authors of one repository who chose it, or whose full name suggests it. */
  handle: 2,
  /** A handle formed from a full name, for example `jdoe`. It connects the author with authors of the repository who chose it. */
  namedHandle: 3,
  /** A name of one word. It connects the author with authors whose login is that word. */
  word: 4,
  /** A login. It connects authors who have it as login or as a name of one word. */
  login: 5,
} as const;

export type Reach = (typeof reach)[keyof typeof reach];

/** Something that two authors may share, as a number. The last octal digit is the reach. The other digits are a hash. */
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
  const { name, email, rawEmail } = identity;
  const full = toFullName(name);
  const word = foldName(name);
  const everywhere = [
    ...[email, rawEmail].map((address) => toAddressKey(address, name)),
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
    ...listNamedHandles(name).map(({ text }) => toLink(`handle ${text}`, reach.namedHandle)),
    ...(word.includes(" ") || word === "" ? [] : [toLink(`word ${word}`, reach.word)]),
    ...logins.map((login) => toLink(`word ${login}`, reach.login)),
  ];
  return [...new Set(links)];
}

export function toHandleLink(handle: string): Link {
  return toLink(`handle ${handle}`, reach.handle);
}

/** Returns the key of an address. A generic address means somebody only together with a name, so its key contains the name. */
export function toAddressKey(address: string, name: string): string {
  return isGenericAddress(address) ? `address ${address} of ${name}` : `address ${address}`;
}

function listAccounts({ account, told }: AuthorIdentity): readonly ForgeAccount[] {
  return [account, told].filter((one) => one !== undefined);
}

function listAccountKeys({ forge, login, id }: ForgeAccount): readonly string[] {
  const byLogin = `account ${forge}/${login.toLowerCase()}`;
  return id === undefined ? [byLogin] : [byLogin, `account ${forge}#${id}`];
}

/** Lists keys for the logins that the author may get. People who may get the same login are identified together. */
function listLoginKeys(identity: AuthorIdentity): readonly string[] {
  const namesakes = listAccounts(identity).map((account) => toNamesake(account.login, account));
  return [...listLoginsAlone(identity), ...namesakes].map(
    (login) => `login ${login.toLowerCase().replace(/(-[0-9a-f]{6})[0-9a-f]+$/, "$1")}`,
  );
}
