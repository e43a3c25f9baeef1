/** Finds reasons against joining two identities by name: their other names, numbers in handles, and mailmaps. */
import { type FullName, isOneName, toFullName } from "../../../identity/person-name.ts";
import type { AuthorIdentity } from "./author-identity.ts";
import type { IdentityGroups } from "./groups.ts";
import { listNumberedHandles } from "./handles.ts";
import { toAddressKey } from "./links.ts";

/** Whether the full names of two groups do not contradict each other. */
export function isCompatible(groups: IdentityGroups, a: AuthorIdentity, b: AuthorIdentity) {
  if (groups.isOne(a, b)) return true;
  const others = fullNamesOf(groups.membersOf(b));
  return fullNamesOf(groups.membersOf(a)).every((one) =>
    others.every((other) => isOneName(one, other)),
  );
}

/** Whether the main names of two groups share no word. Such groups are two people. */
export function isStranger(groups: IdentityGroups, a: AuthorIdentity, b: AuthorIdentity): boolean {
  const [one, other] = [mainNameOf(groups.membersOf(a)), mainNameOf(groups.membersOf(b))];
  return one !== undefined && other !== undefined && !one.some((word) => other.includes(word));
}

/** Lists the addresses that mailmaps put in place of other addresses, each as `repository NUL key`. */
export function listMappedAddresses(identities: readonly AuthorIdentity[]): ReadonlySet<string> {
  return new Set(
    identities
      .filter(({ email, rawEmail }) => email !== rawEmail)
      .flatMap((one) => [...one.repositories].map((repository) => toMappedKey(repository, one))),
  );
}

/** Whether handles differ only in a number, for example `ada.example2` and `ada.example3`. */
export function isNumberedApart(groups: IdentityGroups, a: AuthorIdentity, b: AuthorIdentity) {
  const others = groups.membersOf(b).flatMap(listNumberedHandles);
  return groups
    .membersOf(a)
    .flatMap(listNumberedHandles)
    .some((one) =>
      others.some(
        (other) =>
          one.letters === other.letters &&
          one.number !== other.number &&
          one.host !== undefined &&
          other.host !== undefined &&
          ((one.number !== "" && other.number !== "") || one.host === other.host),
      ),
    );
}

/**
 * Finds addresses of several people, such as mailing lists: addresses with three or more full names that share no word. Names in
 * trailers count only for an address without commits.
 */
export function listSharedAddresses(identities: readonly AuthorIdentity[]): ReadonlySet<string> {
  const namesOf = new Map<string, FullName[]>();
  const writing = new Set(
    identities.flatMap(({ commits, email, rawEmail }) => (commits > 0 ? [email, rawEmail] : [])),
  );
  for (const { name, email, rawEmail, commits } of identities) {
    const full = toFullName(name);
    if (!full) continue;
    for (const address of new Set([email, rawEmail])) {
      if (commits === 0 && writing.has(address)) continue;
      const names = namesOf.getOrInsertComputed(address, () => []);
      if (names.length >= strangersMin) continue;
      if (names.every((other) => !full.some((word) => other.includes(word)))) names.push(full);
    }
  }
  return new Set([...namesOf].flatMap(([at, { length }]) => (length >= strangersMin ? [at] : [])));
}

const strangersMin = 3;

/** Whether the mailmap of one repository gives the two identities different names and addresses. */
export function isMappedApart(
  groups: IdentityGroups,
  mapped: ReadonlySet<string>,
  a: AuthorIdentity,
  b: AuthorIdentity,
): boolean {
  if (mapped.size === 0 || groups.isOne(a, b)) return false;
  const others = mappingsOf(groups.membersOf(b), mapped);
  return mappingsOf(groups.membersOf(a), mapped).some((left) =>
    others.some(
      (right) =>
        left.repository === right.repository &&
        left.email !== right.email &&
        left.name !== right.name,
    ),
  );
}

function mappingsOf(members: readonly AuthorIdentity[], mapped: ReadonlySet<string>) {
  return members.flatMap(({ name, email, repositories }) =>
    [...repositories]
      .filter((repository) => mapped.has(toMappedKey(repository, { name, email })))
      .map((repository) => ({ repository, email, name })),
  );
}

function toMappedKey(repository: string, { name, email }: Pick<AuthorIdentity, "name" | "email">) {
  return `${repository}\0${toAddressKey(email, name)}`;
}

function fullNamesOf(members: readonly AuthorIdentity[]): readonly FullName[] {
  const names = members.flatMap(({ name }) => toFullName(name)?.join(" ") ?? []);
  return [...new Set(names)].map((name) => name.split(" "));
}

function mainNameOf(members: readonly AuthorIdentity[]): FullName | undefined {
  const commits = new Map<string, number>();
  for (const member of members) {
    const key = toFullName(member.name)?.join(" ");
    if (key) commits.set(key, (commits.get(key) ?? 0) + member.commits);
  }
  const [main] = [...commits].sort(([a, most], [b, less]) => less - most || (a < b ? -1 : 1));
  return main?.[0].split(" ");
}
