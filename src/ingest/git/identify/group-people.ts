/**
 * Joins author identities into people. The evidence in order: the operator's statements, mailmaps, accounts stated by forges,
 * accounts in noreply addresses, the same commit, the same e-mail unless it is generic, names. No evidence joins identities that
 * the rules of groups.ts keep apart.
 */
import { type ForgeAccount, isUnusableAddress } from "../../../identity/address.ts";
import { isUnknownName } from "../../../identity/person-name.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import {
  type AuthorIdentity,
  compareKeys,
  getAccount,
  type JoinEvidence,
  type Person,
} from "./author-identity.ts";
import { createGroups, findAccounts, type IdentityGroups } from "./groups.ts";
import { type FirstNames, joinByName } from "./join-by-name.ts";
import { listSharedAddresses } from "./name-conflicts.ts";
import { findChains } from "./partition.ts";
import type { createPersonas } from "./personas.ts";
import { createIdentityMatcher, type IdentityRules, type Statement } from "./rules.ts";

/** A statement of the operator that two identities are one person, rejected because a rule of groups.ts keeps them apart. */
export interface RejectedStatement {
  readonly origin: string;
  readonly reason: string;
  readonly member: AuthorIdentity;
}

interface GroupingEvidence {
  /** Pairs of identities. Two repositories contain the same commit and name the author in these two ways. */
  readonly sameCommit: readonly (readonly [AuthorIdentity, AuthorIdentity])[];
  readonly rules: Pick<IdentityRules, "statements" | "byName">;
  /** Accounts of forges. The author identities of these accounts are among `identities`. */
  readonly personas?: ReturnType<typeof createPersonas> | undefined;
  /** First names of all people. Default: the first names in `identities`. */
  readonly firstNames?: FirstNames | undefined;
}

export type PeopleGrouping = ReturnType<typeof groupPeople>;

/** @returns the people. They do not depend on the order of `identities`. */
export function groupPeople(identities: readonly AuthorIdentity[], evidence: GroupingEvidence) {
  const sorted = [...identities].sort(byWeight);
  const accountOf = findAccounts(sorted);
  const matcher = createIdentityMatcher(sorted);
  const { statements } = evidence.rules;
  const groups = createGroups(sorted, { accountOf, statements, matcher });
  const followed = followStatements(groups, statements, matcher);
  joinMapped(groups, sorted);
  for (const [account, members] of evidence.personas?.byAccount ?? []) {
    groups.joinAll(members, () => ({ kind: "forge account", detail: account }));
  }
  const accounts = groupByKeys(sorted, (one) => accountOf.get(one));
  for (const [account, members] of accounts) {
    groups.joinAll(members, () => ({ kind: "account", detail: account }));
  }
  for (const [a, b] of evidence.sameCommit) {
    // Different addresses mean two different commits whose ids were forged to share the first 64 bits.
    if (a.rawEmail !== b.rawEmail) continue;
    groups.join(a, b, { kind: "same commit", detail: "a commit of two repositories" });
  }
  const shared = new Set([
    ...mappedToSeveral(sorted),
    ...listSharedAddresses(sorted.filter(({ persona }) => !persona)),
    ...(evidence.personas?.shared ?? []),
  ]);
  const listUnshared = (one: AuthorIdentity) =>
    listOwnAddresses(one).filter((address) => !shared.has(address));
  const emails = groupByKeys(sorted, listUnshared);
  for (const email of [...emails.keys()].sort()) {
    groups.joinAll(emails.get(email) ?? [], () => ({ kind: "same e-mail", detail: email }));
  }
  if (evidence.rules.byName !== "off") {
    // Identities from forges are not joined by name.
    // The address of `unknown <ada@laptop>` may say who it is.
    const isNameable = ({
      classified: { class: kind, isSettled },
      name,
      persona,
    }: AuthorIdentity) =>
      !persona && (kind === "human" || (kind === "nobody" && !isSettled && isUnknownName(name)));
    joinByName(groups, sorted.filter(isNameable), accountOf, evidence.firstNames);
  }
  const lead = ({ identities: [first] }: Person): AuthorIdentity => first as AuthorIdentity;
  return {
    people: groups
      .all()
      .map((members) => toPerson(members.toSorted(byWeight), groups.joins, listUnshared))
      .sort((a, b) => (leadKey(a) < leadKey(b) ? -1 : 1)),
    rejectedStatements: followed.flatMap(({ origin, members }) =>
      findRejected(groups, origin, members),
    ),
    /** Describes the rule that keeps two people apart; undefined when there is none. */
    whyApart: (a: Person, b: Person) => groups.whyApart(lead(a), lead(b)),
    matcher,
  };
}

/** Orders by number of commits, most first. */
function byWeight(a: AuthorIdentity, b: AuthorIdentity): number {
  return b.commits - a.commits || compareKeys(a, b);
}

/**
 * Joins identities by the operator's statements. A selector need not match anybody: `<ada@new> <ada@old>` and `<ada@new>
 * <ada@work>` join ada@old and ada@work even if nobody has the address ada@new.
 */
function followStatements(
  groups: IdentityGroups,
  statements: readonly Statement[],
  matcher: ReturnType<typeof createIdentityMatcher>,
): readonly { readonly origin: string; readonly members: readonly AuthorIdentity[] }[] {
  const same = statements.filter(({ kind }) => kind === "same");
  const chains = findChains(same).flatMap((members, chain) =>
    members.map((at) => [same[at], chain] as const),
  );
  const chainOf = new Map(chains);
  const first = new Map<number | undefined, AuthorIdentity>();
  return same.map((statement) => {
    const { a, b, by, origin } = statement;
    const chain = chainOf.get(statement);
    const matched = [...matcher.fitting(a), ...matcher.fitting(b)];
    const earlier = first.get(chain);
    const members = [...new Set(earlier ? [earlier, ...matched] : matched)];
    if (!earlier && members[0]) first.set(chain, members[0]);
    // If a mailmap or a common address also joins the two, the join names that evidence and not the statement.
    const becauseOf = (one: AuthorIdentity, other: AuthorIdentity) =>
      sharedEvidence(one, other) ?? { kind: by, detail: origin };
    groups.joinAll(members, becauseOf);
    return { origin, members };
  });
}

function sharedEvidence(a: AuthorIdentity, b: AuthorIdentity): JoinEvidence | undefined {
  if (mappedKey(a) === mappedKey(b)) return mappedIn([a, b]);
  const shared = listOwnAddresses(a).find((one) => listOwnAddresses(b).includes(one));
  return shared ? { kind: "same e-mail", detail: shared } : undefined;
}

/** Lists the addresses of an author identity that belong to one person only. */
export function listOwnAddresses({ name, email, rawEmail }: AuthorIdentity): readonly string[] {
  return [...new Set([email, rawEmail])].filter((one) => !isUnusableAddress({ name, email: one }));
}

/** Returns a key that is equal for identities that a mailmap maps to one author. */
function mappedKey({ key }: AuthorIdentity): string {
  return key.slice(0, key.lastIndexOf("\0"));
}

function mappedIn(members: readonly AuthorIdentity[]): JoinEvidence {
  const from = members.filter(({ email, rawEmail }) => email !== rawEmail);
  const places = new Set(from.flatMap(({ repositories }) => [...repositories]));
  return { kind: "mailmap", detail: `of ${[...places].sort().slice(0, placesMax).join(", ")}` };
}

function findRejected(groups: IdentityGroups, origin: string, members: readonly AuthorIdentity[]) {
  const [first, ...others] = members;
  const other = others.find((member) => first && !groups.isOne(first, member));
  if (!first || !other) return [];
  return [
    {
      ...{ origin, member: first },
      reason: groups.whyApart(first, other) ?? "stronger evidence keeps them apart",
    },
  ];
}

/** Joins author identities that a mailmap maps to the same author. */
function joinMapped(groups: IdentityGroups, identities: readonly AuthorIdentity[]): void {
  for (const members of groupByKeys(identities, mappedKey).values()) {
    if (members.length === 1) continue;
    const because = mappedIn(members);
    groups.joinAll(members, () => because);
  }
}

/** The most repositories that a join by mailmap names. */
const placesMax = 3;

/** Finds addresses that the mailmap of one repository gives to several people. Such an address identifies nobody. */
function mappedToSeveral(identities: readonly AuthorIdentity[]): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  for (const { email, rawEmail, repositories } of identities) {
    if (email === rawEmail) continue;
    for (const repository of repositories) {
      owners.getOrInsertComputed(`${repository}\0${rawEmail}`, () => new Set()).add(email);
    }
  }
  const shared = [...owners].filter(([, emails]) => emails.size > 1);
  return new Set(shared.map(([key]) => key.slice(key.indexOf("\0") + 1)));
}

function toPerson(
  identities: readonly AuthorIdentity[],
  joins: IdentityGroups["joins"],
  listUnshared: (identity: AuthorIdentity) => readonly string[],
): Person {
  // An account may have had two logins. The login that the forge states is preferred, then the login used last.
  const accounts = new Map<string, AuthorIdentity & { readonly account: ForgeAccount }>();
  for (const identity of identities) {
    const account = getAccount(identity);
    const latest = account && accounts.get(account.forge);
    const isNewer = !latest?.persona && (identity.persona || identity.last > (latest?.last ?? 0));
    if (account && (!latest || isNewer)) {
      accounts.set(account.forge, { ...identity, account });
    }
  }
  const [first] = identities;
  if (!first) throw new Error("A person without an author identity.");
  return {
    identities,
    accounts: [...accounts.values()].map(({ account }) => account),
    addresses: new Set(identities.flatMap(listUnshared)),
    classified: (identities.find((one) => one.classified.class !== "nobody") ?? first).classified,
    joins: [...new Set(identities.flatMap((identity) => joins.get(identity) ?? []))],
  };
}

function leadKey(person: Person): string {
  const [least = ""] = person.identities.map(({ key }) => key).sort();
  return least;
}
