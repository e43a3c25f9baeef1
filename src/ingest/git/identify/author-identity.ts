/** Author identities in commits, and the people to whom they belong. */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { ForgeAccount } from "../../../identity/address.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import { hashName } from "../commit/replaced-names.ts";

/** An author: the name and e-mail after the mailmap, the e-mail before the mailmap, and the account. */
export interface AuthorIdentity {
  /** A unique text that is the same in every run. Author identities are sorted by it. */
  readonly key: string;
  readonly name: string;
  /** The name that the operator gave the person. */
  readonly properName: string | undefined;
  /** E-mail after the mailmap, normalized. `rawEmail` is the e-mail before the mailmap, normalized too. */
  readonly email: string;
  readonly rawEmail: string;
  readonly account: ForgeAccount | undefined;
  /** The account on a forge. Set only if the identity comes from that forge rather than from commits. */
  readonly persona?: KnownAccount;
  /** The account to which a forge assigns the address. */
  told?: ForgeAccount | undefined;
  /** Hashes (`hashName`) of the names that a mailmap replaces by this name. */
  replaced?: ReadonlySet<string>;
  /** Number of non-merge commits. `first` and `last` are the earliest and the latest author date, in seconds. */
  commits: number;
  first: number;
  last: number;
  readonly repositories: Set<string>;
  classified: AuthorClassification;
}

export const noCommits = {
  ...{ commits: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY },
};

export function compareKeys(a: AuthorIdentity, b: AuthorIdentity): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

export function getAccount({ account, told }: Pick<AuthorIdentity, "account" | "told">) {
  return account ?? told;
}

/** Leaves out identities whose name a mailmap replaces by another name of the same person. At least one identity is kept. */
export function dropReplacedNames(identities: readonly AuthorIdentity[]) {
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
  readonly joins: readonly IdentityJoin[];
}

export interface JoinEvidence {
  readonly kind: JoinKind;
  /** The evidence as text, for example the file and line of a statement. */
  readonly detail: string;
}

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

/** Whether a name or handle is the only evidence for a join. */
export function isByName({ kind }: Pick<IdentityJoin, "kind">): boolean {
  return kind === "same name" || kind === "similar name" || kind === "same handle";
}

/** Divides a person's author identities into the groups that the allowed joins connect. */
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
  /** Set if the operator chose the class, which is then final. */
  readonly isSettled?: true;
}
