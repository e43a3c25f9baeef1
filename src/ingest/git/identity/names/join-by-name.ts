/**
 * Joins author identities by what they are called, after all stronger evidence: within one repository by the same
 * full name, another spelling of it, or a handle; over repositories by the full name and a second clue. It is the
 * weakest evidence: whatever says that two are two wins.
 */

import type { AuthorIdentity, IdentityJoin } from "../author-identity.ts";
import type { IdentityGroups } from "../groups.ts";
import { listHandles, listNamedHandles, listOwnHosts } from "./handles.ts";
import { areCompatible, areMappedApart, areStrangers, listMappedAddresses } from "./name-conflicts.ts";
import { isCommonName, listNameKeys, toFullName } from "./person-name.ts";

/** @param identities humans only, most commits first; `accountOf` gives the account behind each. */
export function joinByName(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  accountOf: ReadonlyMap<AuthorIdentity, string>,
): void {
  const sharedNames = namesOfManyAccounts(groups, identities, accountOf);
  const mapped = listMappedAddresses(identities);
  const named = identities.filter((one) => !sharedNames.has(nameKeyOf(one) ?? ""));
  joinFullNames(groups, named);
  joinSpellings(groups, named, mapped);
  joinHandles(groups, named, mapped);
  joinOverRepositories(groups, named);
}

function nameKeyOf({ name }: AuthorIdentity): string | undefined {
  return toFullName(name)?.join(" ");
}

function joinFullNames(groups: IdentityGroups, identities: readonly AuthorIdentity[]): void {
  for (const { key, repository, members } of byRepository(identities, nameKeyOf)) {
    const because = { kind: "same name", detail: `${key} in ${repository}` } as const;
    if (isCommonName(key.split(" "))) {
      // Two of one repository may have it, so that it takes a handle beside it.
      for (const sharers of byKey(members, listHandles)) {
        joinPairs(groups, sharers.members, because, () => true);
      }
    } else {
      joinPairs(groups, members, because, (a, b) => !areStrangers(groups, a, b));
    }
  }
}

function joinSpellings(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  mapped: ReadonlySet<string>,
): void {
  const keysOf = ({ name }: AuthorIdentity) => listNameKeys(name);
  for (const { key, repository, members } of byRepository(identities, keysOf)) {
    if (isCommonName(key.split(" "))) continue;
    const because = { kind: "similar name", detail: `${key} in ${repository}` } as const;
    joinPairs(
      groups,
      members,
      because,
      (a, b) => areCompatible(groups, a, b) && !areMappedApart(groups, mapped, a, b),
    );
  }
}

function joinHandles(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
  mapped: ReadonlySet<string>,
): void {
  // `olivia` is the handle of one and the first name of another.
  const firstNames = new Set(identities.flatMap(({ name }) => toFullName(name)?.slice(0, 1) ?? []));
  const own = new Map(
    identities.map((identity) => [
      identity,
      new Set(listHandles(identity, "digits too").filter((handle) => !firstNames.has(handle))),
    ]),
  );
  const keysOf = (identity: AuthorIdentity) => [
    ...new Set([...(own.get(identity) ?? []), ...listNamedHandles(identity.name)]),
  ];
  for (const { key, repository, members } of byRepository(identities, keysOf)) {
    const isOwner = (one: AuthorIdentity): boolean => own.get(one)?.has(key) === true;
    const isFit = (a: AuthorIdentity, b: AuthorIdentity): boolean =>
      areCompatible(groups, a, b) && !areMappedApart(groups, mapped, a, b);
    // A handle of several people is no clue to any of them.
    if (!members.some(isOwner) || !everyPair(members, isFit)) continue;
    const because = { kind: "same handle", detail: `${key} in ${repository}` } as const;
    joinPairs(groups, members, because, (a, b) => isOwner(a) || isOwner(b));
  }
}

function joinOverRepositories(
  groups: IdentityGroups,
  identities: readonly AuthorIdentity[],
): void {
  const cluesOf = (identity: AuthorIdentity): readonly string[] => {
    const key = nameKeyOf(identity);
    if (key === undefined) return [];
    const hosts = isCommonName(key.split(" ")) ? [] : listOwnHosts(identity);
    const clues = [...listHandles(identity), ...hosts.map((host) => `@${host}`)];
    return clues.map((clue) => `${key}, ${clue}`);
  };
  for (const { key, members } of byKey(identities, cluesOf)) {
    const because = { kind: "same name", detail: key } as const;
    joinPairs(groups, members, because, (a, b) => !areStrangers(groups, a, b));
  }
}

/** Names that three or more accounts of one forge have: they are several people's. */
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

/** Groups by key where two or more share one, ordered by key. */
function byKey(identities: readonly AuthorIdentity[], keysOf: KeysOf): readonly Holders[] {
  const found = new Map<string, AuthorIdentity[]>();
  for (const identity of identities) {
    for (const key of [keysOf(identity) ?? []].flat()) {
      const members = found.get(key);
      if (members) members.push(identity);
      else found.set(key, [identity]);
    }
  }
  return [...found]
    .filter(([, { length }]) => length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, members]) => ({ key, members }));
}

function byRepository(
  identities: readonly AuthorIdentity[],
  keysOf: KeysOf,
): readonly (Holders & { readonly repository: string })[] {
  const inRepositories = (identity: AuthorIdentity): readonly string[] => {
    const keys = [keysOf(identity) ?? []].flat();
    return [...identity.repositories].flatMap((name) => keys.map((key) => `${key}\0${name}`));
  };
  return byKey(identities, inRepositories).map(({ key, members }) => {
    const end = key.indexOf("\0");
    return { key: key.slice(0, end), repository: key.slice(end + 1), members };
  });
}

/** Tries every pair, so that one that is refused keeps no other apart. */
function joinPairs(
  groups: IdentityGroups,
  members: readonly AuthorIdentity[],
  because: Omit<IdentityJoin, "spellings">,
  isAllowed: (a: AuthorIdentity, b: AuthorIdentity) => boolean,
): void {
  for (const [at, b] of members.entries()) {
    for (const a of members.slice(0, at)) {
      if (!groups.isOne(a, b) && isAllowed(a, b)) groups.join(a, b, because);
    }
  }
}

function everyPair(
  members: readonly AuthorIdentity[],
  isTrue: (a: AuthorIdentity, b: AuthorIdentity) => boolean,
): boolean {
  return members.every((b, at) => members.slice(0, at).every((a) => isTrue(a, b)));
}
