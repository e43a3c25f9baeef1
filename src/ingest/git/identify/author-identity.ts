/** Author identities as commits have them, and the people that they belong to. */

import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { ForgeAccount } from "../../../identity/address.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import { hashName } from "../commit/replaced-names.ts";

/** Name and e-mail of an author after the mailmap, the e-mail before the mailmap, and the account behind them. */
export interface AuthorIdentity {
  /** Identifies and orders author identities the same way in every run. */
  readonly key: string;
  readonly name: string;
  /** The person's name according to the operator. */
  readonly properName: string | undefined;
  /** After the mailmap; both addresses are normalised. */
  readonly email: string;
  readonly rawEmail: string;
  readonly account: ForgeAccount | undefined;
  /** The account on its forge, for an identity that comes from a forge and not from commits. */
  readonly persona?: KnownAccount;
  /** The account that a forge gives for the address, if the address itself names none. */
  told?: ForgeAccount | undefined;
  /** Names that a mailmap replaces by this one (`hashName`). */
  replaced?: ReadonlySet<string>;
  /** Non-merge commits, and the author date of the earliest and latest, in seconds. */
  commits: number;
  first: number;
  last: number;
  /** Names of the repositories in which it occurs. */
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

/** Leaves out names that any mailmap replaces for an address of the person, unless that leaves none. */
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
  /** At most one per forge. */
  readonly accounts: readonly ForgeAccount[];
  /** Addresses of all author identities, except those shared by several people. */
  readonly addresses: ReadonlySet<string>;
  readonly classified: AuthorClassification;
  /** Why its author identities are one person: one join fewer than author identities. */
  readonly joins: readonly IdentityJoin[];
}

export interface JoinEvidence {
  readonly kind: JoinKind;
  /** File and line, the decision, repositories, the account, or the address. */
  readonly detail: string;
}

/** The evidence that joined two author identities, and the groups that they were in. */
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

/** Whether a name or handle is the only evidence of a join. Anybody can write one into a commit. */
export function isByName({ kind }: Pick<IdentityJoin, "kind">): boolean {
  return kind === "same name" || kind === "similar name" || kind === "same handle";
}

/** @returns the parts of a person that these joins make; `isAllowed` may keep two parts apart. */
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
  /** Absent for humans. */
  readonly reason: string | undefined;
  /** Set by the operator, so that neither lists nor behaviour overrule it. */
  readonly isSettled?: true;
}
