/**
 * Joins author identities by name. Within a repository, an equal or similar full name or an equal handle is enough. Across
 * repositories, an equal full name needs a second clue. Any evidence against a join prevents it.
 */
import {
  foldPersonName,
  isCommonName,
  isFirstName,
  listNameKeys,
  toFullName,
} from "../../../identity/person-name.ts";
import { foldName } from "../../../identity/selector.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import type { AuthorIdentity, JoinEvidence } from "./author-identity.ts";
import type { IdentityGroups } from "./groups.ts";
import {
  type Handle,
  handleOrigins,
  isCapitalised,
  isOneMailbox,
  listHandles,
  listNamedHandles,
  listOwnHosts,
  removeDigits,
} from "./handles.ts";
import {
  isCompatible,
  isMappedApart,
  isNumberedApart,
  isStranger,
  listMappedAddresses,
} from "./name-conflicts.ts";

/** @param identities humans only, most commits first. `accountOf` returns an identity's account. */
export function joinByName(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  accountOf: ReadonlyMap<AuthorIdentity, string>,
  firstNames: FirstNames = listFirstNames(identities),
): void {
  const sharedNames = namesOfManyAccounts(groups, identities, accountOf);
  const mapped = listMappedAddresses(identities);
  const isFit: Judgement = (a, b) =>
    isCompatible(groups, a, b) && !isMappedApart(groups, mapped, a, b);
  const named = identities.filter((one) => !sharedNames.has(nameKeyOf(one) ?? ""));
  joinFullNames(groups, named);
  joinSpellings(groups, named, isFit);
  joinHandles(groups, named, isFit, firstNames);
  joinOverRepositories(groups, named);
}

type Judgement = (a: AuthorIdentity, b: AuthorIdentity) => boolean;

function handlesOf(identity: AuthorIdentity): readonly string[] {
  return [...new Set(listHandles(identity).map(({ text }) => text))];
}

function nameKeyOf({ name }: AuthorIdentity): string | undefined {
  return toFullName(name)?.join(" ");
}

function joinFullNames(groups: IdentityGroups, identities: readonly AuthorIdentity[]): void {
  for (const { key, repository, members } of byRepository(identities, nameKeyOf)) {
    const because = { kind: "same name", detail: `${key} in ${repository}` } as const;
    if (isCommonName(key.split(" "))) {
      // Two people in one repository may have the same common name, so they must also share a handle.
      for (const sharers of byKey(members, handlesOf)) {
        joinPairs(groups, sharers.members, because, () => true);
      }
    } else {
      joinPairs(groups, members, because, (a, b) => !isStranger(groups, a, b));
    }
  }
}

function joinSpellings(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  isFit: Judgement,
): void {
  const keysOf = ({ name }: AuthorIdentity) => listNameKeys(name);
  for (const { key, repository, members } of byRepository(identities, keysOf)) {
    if (isCommonName(key.split(" "))) continue;
    const because = { kind: "similar name", detail: `${key} in ${repository}` } as const;
    joinPairs(groups, members, because, isFit);
  }
}

function joinHandles(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  isFit: Judgement,
  firstNames: FirstNames,
): void {
  const own = new Map(
    identities.map((identity) => [identity, listKnownHandles(identity, firstNames)] as const),
  );
  const keysOf = (identity: AuthorIdentity) => [...(own.get(identity)?.keys() ?? [])];
  for (const { key, repository, members } of byRepository(identities, keysOf)) {
    // Many people use the name of a project, after `owner/`, as the local part of an address.
    if (foldPersonName(repository.slice(repository.lastIndexOf("/") + 1)).join("") === key)
      continue;
    if (members.some((b, at) => !members.slice(0, at).every((a) => isFit(a, b)))) continue;
    const because = { kind: "same handle", detail: `${key} in ${repository}` } as const;
    const kindOf = (one: AuthorIdentity) => own.get(one)?.get(key) ?? "named";
    const isVouched = members.some((one) => !/at domain|surname/.test(kindOf(one)));
    joinPairs(groups, members, because, (a, b) => {
      const both = [kindOf(a), kindOf(b)];
      if (both.every((kind) => kind === "at domain")) return isVouched || isOneMailbox(a, b);
      return isEvidence(both, [a, b]) || isNickname(key, [a, b]);
    });
  }
}

/**
 * How an identity has a handle: chosen by the person, chosen at a domain that is not public, a weak word such as `Olivia`,
 * chosen with digits that were removed, or formed from the full name, from it with an initial, or from the surname.
 */
type HandleKind = (typeof handleKinds)[number];

/** Weakest first. */
const handleKinds = [
  "weak",
  "surname",
  "numbered",
  "initial",
  "named",
  "at domain",
  "chosen",
] as const;

/** Returns the stronger kind. Whoever has the name or login of their address at a domain, too, is known by it. */
function combine(a: HandleKind, b: HandleKind): HandleKind {
  if (a === b) return a;
  const isWeak = [a, b].some((kind) => ["numbered", "surname", "weak"].includes(kind));
  if ([a, b].includes("at domain") && !isWeak) return "chosen";
  return handleKinds.indexOf(a) > handleKinds.indexOf(b) ? a : b;
}

/** Whether two identities with one handle are one person. */
function isEvidence(
  both: readonly HandleKind[],
  [a, b]: readonly [AuthorIdentity, AuthorIdentity],
): boolean {
  const has = (...kinds: HandleKind[]) => both.some((kind) => kinds.includes(kind));
  if (has("surname")) return has("chosen");
  if (has("weak")) return has("chosen", "named", "initial");
  if (has("chosen", "at domain")) return true;
  if (has("numbered") && has("initial")) {
    return foldPersonName(a.name).some((word) => foldPersonName(b.name).includes(word));
  }
  return has("numbered") && has("named");
}

/** Whether two identities have one name of one word, which is also a login or public address of one of them. */
function isNickname(key: string, [a, b]: readonly [AuthorIdentity, AuthorIdentity]): boolean {
  const isUnique = ({ text, from }: Handle) =>
    (text === key && from === "login") ||
    (from === "address" && (text === key || removeDigits(text) === key));
  return (
    foldName(a.name) === foldName(b.name) && [a, b].some((one) => listHandles(one).some(isUnique))
  );
}

/** Finds the handles of an identity: the chosen ones without first names, and those formed from the full name. */
function listKnownHandles(identity: AuthorIdentity, firstNames: FirstNames) {
  const found = new Map<string, HandleKind>();
  for (const { text, kind } of listNamedHandles(identity.name)) found.set(text, kind);
  for (const { text, from } of listHandles(identity)) {
    for (const handle of [text, removeDigits(text)]) {
      if (handle === undefined || firstNames.ofFullNames.has(handle) || isFirstName(handle))
        continue;
      const isOwnWord = handle === text && !/address|user/.test(from);
      if (!isOwnWord && firstNames.alone.has(handle)) continue;
      const kind: HandleKind = handle === text ? handleOrigins[from] : "numbered";
      found.set(handle, combine(kind, found.get(handle) ?? kind));
    }
  }
  return found;
}

/** First names. A handle that is a first name is no clue. */
export interface FirstNames {
  readonly ofFullNames: ReadonlySet<string>;
  /** Names that are one capitalized word, such as `Ada`. */
  readonly alone: ReadonlySet<string>;
}

export function listFirstNames(identities: readonly AuthorIdentity[]): FirstNames {
  const names = identities.map(({ name }) => name.trim());
  return {
    ofFullNames: new Set(names.flatMap((name) => toFullName(name)?.[0] ?? [])),
    alone: new Set(names.filter(isCapitalised).flatMap((name) => foldPersonName(name))),
  };
}

function joinOverRepositories(groups: IdentityGroups, identities: readonly AuthorIdentity[]): void {
  const cluesOf = (identity: AuthorIdentity): readonly string[] => {
    const key = nameKeyOf(identity);
    if (key === undefined) return [];
    const hosts = isCommonName(key.split(" ")) ? [] : listOwnHosts(identity);
    const clues = [...handlesOf(identity), ...hosts.map((host) => `@${host}`)];
    return clues.map((clue) => `${key}, ${clue}`);
  };
  for (const { key, members } of byKey(identities, cluesOf)) {
    const because = { kind: "same name", detail: key } as const;
    joinPairs(groups, members, because, (a, b) => !isStranger(groups, a, b));
  }
}

/** Finds names that three or more accounts of one forge have. Such a name belongs to several people. */
function namesOfManyAccounts(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  accountOf: ReadonlyMap<AuthorIdentity, string>,
): ReadonlySet<string> {
  const accountsOf = (one: AuthorIdentity) =>
    groups.membersOf(one).flatMap((member) => {
      const account = accountOf.get(member);
      return account && member.account ? [{ account, forge: member.account.forge }] : [];
    });
  const found = byKey(identities, nameKeyOf).filter(({ members }) => {
    const accounts = Map.groupBy(members.flatMap(accountsOf), ({ forge }) => forge);
    return [...accounts.values()].some(
      (ofForge) => new Set(ofForge.map(({ account }) => account)).size >= accountsMin,
    );
  });
  return new Set(found.map(({ key }) => key));
}

const accountsMin = 3;

interface Holders {
  readonly key: string;
  readonly members: readonly AuthorIdentity[];
}

type KeysOf = (identity: AuthorIdentity) => string | undefined | readonly string[];

/** Groups identities by key, in the order of keys. A key that only one identity has is left out. */
function byKey(identities: readonly AuthorIdentity[], keysOf: KeysOf): readonly Holders[] {
  return [...groupByKeys(identities, keysOf)]
    .filter(([, { length }]) => length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, members]) => ({ key, members }));
}

function byRepository(identities: readonly AuthorIdentity[], keysOf: KeysOf) {
  const inRepositories = (identity: AuthorIdentity): readonly string[] => {
    const keys = [keysOf(identity) ?? []].flat();
    return [...identity.repositories].flatMap((name) => keys.map((key) => `${key}\0${name}`));
  };
  return byKey(identities, inRepositories).map(({ key, members }) => {
    const end = key.indexOf("\0");
    return { key: key.slice(0, end), repository: key.slice(end + 1), members };
  });
}

/** Tries to join every pair, even after a pair was refused. */
function joinPairs(
  groups: IdentityGroups,
  members: readonly AuthorIdentity[],
  because: JoinEvidence,
  isAllowed: Judgement,
): void {
  for (const [at, b] of members.entries()) {
    for (const a of members.slice(0, at)) {
      if (groups.isOne(a, b) || !isAllowed(a, b) || isNumberedApart(groups, a, b)) continue;
      groups.join(a, b, because);
    }
  }
}
