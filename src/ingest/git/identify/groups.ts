/** Groups author identities. Two accounts of one forge are two people, and so are a bot and a human. */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { ForgeAccount } from "../../../identity/address.ts";
import {
  type AuthorIdentity,
  getAccount,
  type IdentityJoin,
  type JoinEvidence,
} from "./author-identity.ts";
import type { createIdentityMatcher, Statement } from "./rules.ts";

export type IdentityGroups = ReturnType<typeof createGroups>;

interface Group {
  readonly members: AuthorIdentity[];
  class: AuthorClass;
  readonly accounts: Map<string, string>;
  /** The statements "A is not B" about this group. The key is `+3` if the group is A of statement 3, and `-3` if it is B. */
  readonly sides: Map<string, Statement>;
}

export function createGroups(
  identities: readonly AuthorIdentity[],
  evidence: {
    readonly accountOf: ReadonlyMap<AuthorIdentity, string>;
    readonly statements: readonly Statement[];
    readonly matcher: ReturnType<typeof createIdentityMatcher>;
  },
) {
  const groupOf = new Map<AuthorIdentity, Group>();
  for (const identity of identities) {
    const [account, key] = [getAccount(identity), evidence.accountOf.get(identity)];
    groupOf.set(identity, {
      ...{ members: [identity], class: identity.classified.class },
      ...{ accounts: new Map(account && key ? [[account.forge, key]] : []), sides: new Map() },
    });
  }
  assignSides(groupOf, evidence);
  const joins = new Map<AuthorIdentity, IdentityJoin[]>();
  const find = (identity: AuthorIdentity): Group => {
    const group = groupOf.get(identity);
    if (!group) throw new Error("An author identity of another run.");
    return group;
  };
  /** Joins two groups. @returns whether both identities are now in one group; false when a rule keeps them apart. */
  const join = (a: AuthorIdentity, b: AuthorIdentity, because: JoinEvidence): boolean => {
    let [into, from] = [find(a), find(b)];
    if (into === from) return true;
    if (whyApart(into, from) !== undefined) return false;
    if (into.members.length < from.members.length) [into, from] = [from, into];
    for (const member of from.members) groupOf.set(member, into);
    if (into.class === "nobody") into.class = from.class;
    into.members.push(...from.members);
    for (const [forge, key] of from.accounts) into.accounts.set(forge, key);
    for (const [side, statement] of from.sides) into.sides.set(side, statement);
    const joined: IdentityJoin = { ...because, spellings: [a, b] };
    for (const one of [a, b]) joins.getOrInsertComputed(one, () => []).push(joined);
    return true;
  };
  return {
    join,
    /** Joins each member with an earlier member if the rules allow it. */
    joinAll(
      members: readonly AuthorIdentity[],
      because: (a: AuthorIdentity, b: AuthorIdentity) => JoinEvidence,
    ): void {
      for (const [at, member] of members.entries()) {
        members.slice(0, at).some((other) => join(other, member, because(other, member)));
      }
    },
    isOne: (a: AuthorIdentity, b: AuthorIdentity) => find(a) === find(b),
    /** Lists the members of the identity's group, including the identity. */
    membersOf: (identity: AuthorIdentity): readonly AuthorIdentity[] => find(identity).members,
    /** Describes the rule that keeps the groups of two author identities apart; undefined when there is none. */
    whyApart: (a: AuthorIdentity, b: AuthorIdentity) =>
      find(a) === find(b) ? undefined : whyApart(find(a), find(b)),
    all: () => [...new Set(groupOf.values())].map(({ members }) => members),
    joins,
  };
}

function assignSides(
  groupOf: ReadonlyMap<AuthorIdentity, Group>,
  { statements, matcher }: Parameters<typeof createGroups>[1],
): void {
  for (const [at, statement] of statements.entries()) {
    if (statement.kind === "same") continue;
    const [one, other] = [matcher.fitting(statement.a), matcher.fitting(statement.b)];
    const both = new Set(one.filter((identity) => other.includes(identity)));
    // A statement does not apply to an author identity that both of its sides match.
    for (const [sign, members] of Object.entries({ "+": one, "-": other })) {
      for (const member of members) {
        if (!both.has(member)) groupOf.get(member)?.sides.set(`${sign}${at}`, statement);
      }
    }
  }
}

function whyApart(a: Group, b: Group): string | undefined {
  // Class "nobody" fits every class, because a person may have committed as `root`.
  const isNamed = a.class !== "nobody" && b.class !== "nobody";
  if (isNamed && a.class !== b.class) return `one is a ${a.class}, the other a ${b.class}`;
  for (const [forge, key] of a.accounts) {
    if ((b.accounts.get(forge) ?? key) !== key) return `they are two accounts of ${forge}`;
  }
  const [fewer, more] = a.sides.size < b.sides.size ? [a, b] : [b, a];
  for (const [side, { by, origin }] of fewer.sides) {
    if (!more.sides.has(`${side.startsWith("+") ? "-" : "+"}${side.slice(1)}`)) continue;
    return `${by === "decision" ? "decision " : ""}${origin} says that they are two`;
  }
  return undefined;
}

/**
 * Finds the key of the account of each author identity: `forge#number`, or `forge/login` if the number is unknown. An account
 * without a number gets the number of the only other account with that login.
 */
export function findAccounts(identities: readonly AuthorIdentity[]) {
  const numbers = new Map<string, Set<string>>();
  for (const identity of identities) {
    const account = getAccount(identity);
    if (!account?.id) continue;
    numbers.getOrInsertComputed(loginKey(account), () => new Set()).add(account.id);
  }
  const found = new Map<AuthorIdentity, string>();
  for (const identity of identities) {
    const account = getAccount(identity);
    if (!account) continue;
    const known = numbers.get(loginKey(account));
    const id = account.id ?? (known?.size === 1 ? [...known][0] : undefined);
    found.set(identity, id ? `${account.forge}#${id}` : loginKey(account));
  }
  return found;
}

function loginKey(account: ForgeAccount): string {
  return `${account.forge}/${account.login.toLowerCase()}`;
}
