/** Author identities in commits, and the people to whom they belong. */

import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { ForgeAccount } from "../../../identity/address.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import { hashName } from "../commit/replaced-names.ts";

/** Name and e-mail of an author after the mailmap, the e-mail before the mailmap, and the account. */
export interface AuthorIdentity {
  /** A unique text, equal in every run. It is also the sort key. */
  readonly key: string;
  readonly name: string;
  /** The person's name according to the operator. */
  readonly properName: string | undefined;
  /** E-mail after the mailmap, normalized. `rawEmail` is the e-mail before the mailmap, normalized too. */
  readonly email: string;
  readonly rawEmail: string;
  readonly account: ForgeAccount | undefined;
  /** The forge's account, for an identity that comes from a forge rather than from commits. */
  readonly persona?: KnownAccount;
  /** The account that a forge states for the address, if the address itself names no account. */
  told?: ForgeAccount | undefined;
  /** Hashes of names that a mailmap replaces by this name (`hashName`). */
  replaced?: ReadonlySet<string>;
  /** Number of non-merge commits, and the author dates of the earliest and latest, in seconds. */
  commits: number;
  first: number;
  last: number;
  /** Names of the repositories in which the author identity occurs. */
  readonly repositories: Set<string>;
  classified: AuthorClassification;
}

export const noCommits = {
  ...{ commits: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY },
};

export function compareKeys(a: AuthorIdentity, b: AuthorIdentity): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

export function getAccount({
  account,
  told,
}: Pick<AuthorIdentity, "account" | "told">): ForgeAccount | undefined {
  return account ?? told;
}

/** Leaves out identities whose name a mailmap replaces by another name of the same person. Keeps all if none would be left. */
export function dropReplacedNames(
  identities: readonly AuthorIdentity[],
): readonly AuthorIdentity[] {
  const gone = new Set(identities.flatMap(({ replaced = [] }) => [...replaced]));
  if (gone.size === 0) return identities;
  const addresses = [...new Set(identities.flatMap(({ email, rawEmail }) => [email, rawEmail]))];
  const kept = identities.filter(
    ({ name }) => !addresses.some((address) => gone.has(hashName(name, address))),
  );
  return kept.length > 0 ? kept : identities;
}

export interface Person {
  readonly identities: readonly AuthorIdentity[];
  /** The person's accounts, at most one for each forge. */
  readonly accounts: readonly ForgeAccount[];
  /** Addresses of all author identities, except addresses that several people share. */
  readonly addresses: ReadonlySet<string>;
  readonly classified: AuthorClassification;
  /** The joins that made the author identities one person; one fewer than author identities. */
  readonly joins: readonly IdentityJoin[];
}

export interface JoinEvidence {
  readonly kind: JoinKind;
  /** The evidence as text, by kind: file and line, id of a decision, repositories, account or address. */
  readonly detail: string;
}

/** A join of two author identities, with its evidence. */
export interface IdentityJoin extends JoinEvidence {
  readonly spellings: readonly [AuthorIdentity, AuthorIdentity];
}

export type JoinKind =
  | "alias file"
  | "decision"
  | "mailmap"
  | "forge account"
  | "account"
  | "same commit"
  | "same e-mail"
  | "same name"
  | "similar name"
  | "same handle";

/** Whether a name or handle is the only evidence for a join. Anybody can write a name into a commit. */
export function isByName({ kind }: Pick<IdentityJoin, "kind">): boolean {
  return kind === "same name" || kind === "similar name" || kind === "same handle";
}

/** Divides a person's author identities into the groups that these joins connect. `isAllowed` may refuse a join. */
export function splitPerson(
  identities: readonly AuthorIdentity[],
  joins: readonly IdentityJoin[],
  isAllowed: (join: IdentityJoin, both: readonly AuthorIdentity[]) => boolean = () => true,
): readonly ReadonlySet<AuthorIdentity>[] {
  const parts = new Map(identities.map((one) => [one, new Set([one])]));
  for (const join of joins) {
    const [one, other] = join.spellings.map((each) => parts.get(each));
    if (!one || !other || one === other || !isAllowed(join, [...one, ...other])) continue;
    for (const each of other) parts.set(each, one.add(each));
  }
  return [...new Set(parts.values())];
}

export interface AuthorClassification {
  readonly class: AuthorClass;
  /** Why the person has this class; undefined for humans. */
  readonly reason: string | undefined;
  /** Set if the operator chose the class. Lists and behavior then do not change the class. */
  readonly isSettled?: true;
}
