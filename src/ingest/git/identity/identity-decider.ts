/**
 * Decisions name spellings, not logins: a login may change with the next repository. They are tried before
 * they are recorded, since a never-rule or an older word may stand against them.
 */
import { formatSelector, parseSelector, type Selector } from "../../../identity/selector.ts";
import type { Decisions, IdentityDecisionRecord } from "../../../pool/pool.ts";
import { IngestRefusal } from "../../jsonl/refusal.ts";
import type { Community } from "../people/community.ts";
import { formatAuthorIdentity } from "./known-identity.ts";
import { findEarliestIdentity, type NamedPerson } from "./login.ts";
import { type AuthorIdentity, type IdentityJoin, listOwnAddresses, type Person } from "./people.ts";
import { matchesSelector } from "./rules.ts";
import { findClues } from "./suggest.ts";

export interface IdentityDecision {
  /** What was recorded; undefined when nothing had to be. */
  readonly decision: IdentityDecisionRecord | undefined;
  /** Earlier decisions that were taken back. */
  readonly undone: readonly IdentityDecisionRecord[];
  /** What had made them one, or two, when nothing was done. */
  readonly because?: string;
}

interface Words {
  readonly a: string;
  readonly b: string;
  readonly reason: string | undefined;
}

/** @package */
export function createIdentityDecider(around: {
  readonly community: Community;
  /** Counts everybody with these decisions. */
  readonly count: (decisions: readonly IdentityDecisionRecord[]) => Community;
  readonly decisions: Decisions;
}) {
  const { community, count, decisions } = around;
  const record = async (tried: Tried): Promise<IdentityDecision> => {
    for (const { id } of tried.undone) await decisions.remove(id);
    const decision = tried.decision && (await decisions.add(tried.decision));
    return { decision, undone: tried.undone };
  };
  const tryOut = async (tried: Tried): Promise<Community> => {
    const gone = new Set(tried.undone.map(({ id }) => id));
    const kept = (await decisions.list()).filter(({ id }) => !gone.has(id));
    const added = tried.decision ? [{ ...tried.decision, id: "this decision", at: "" }] : [];
    return count([...kept, ...added]);
  };
  return {
    async merge(
      one: readonly NamedPerson[],
      other: readonly NamedPerson[],
      words: Words,
    ): Promise<IdentityDecision> {
      const [a, b] = [only(one, words.a), only(other, words.b)];
      if (a.person === b.person) return { decision: undefined, undone: [], because: onePerson(a) };
      const marks = { a: markOf(community, a, words.a), b: markOf(community, b, words.b) };
      const undone = (await decisions.list()).filter((decision) =>
        parts(decision, a.person, b.person),
      );
      if (undone.length > 0 && isOne(await tryOut({ undone, decision: undefined }), marks)) {
        return record({ undone, decision: undefined });
      }
      const evidence = findClues(a.person, b.person);
      const decision = { kind: "same", ...texts(marks), ...asked(words), evidence } as const;
      const tried = { undone, decision };
      const after = await tryOut(tried);
      if (!isOne(after, marks)) {
        throw refusal(`${a.login} and ${b.login} are not merged: ${whyTwo(after, marks)}`);
      }
      return record(tried);
    },
    async split(
      one: readonly NamedPerson[],
      other: readonly NamedPerson[],
      words: Words,
    ): Promise<IdentityDecision> {
      const [a, b] = [only(one, words.a), only(other, words.b)];
      const marks = { a: markOf(community, a, words.a), b: markOf(community, b, words.b) };
      const isTwo = a.person !== b.person;
      if (isTwo) {
        const why = community.whyApart(a.person, b.person);
        if (why !== undefined) return { decision: undefined, undone: [], because: why };
      }
      const joins = isTwo ? [] : pathBetween(a.person, marks);
      const undone = (await decisions.list()).filter(({ id }) =>
        joins.some((join) => join.kind === "decision" && join.detail === id),
      );
      if (undone.length > 0 && !isOne(await tryOut({ undone, decision: undefined }), marks)) {
        return record({ undone, decision: undefined });
      }
      const evidence = isTwo
        ? findClues(a.person, b.person)
        : joins.map(({ kind, detail }) => `were one by ${kind} ${detail}`);
      const decision = { kind: "different", ...texts(marks), ...asked(words), evidence } as const;
      const tried = { undone, decision };
      if (isOne(await tryOut(tried), marks)) {
        throw refusal(`${words.a} and ${words.b} are not split: they are one spelling`);
      }
      return record(tried);
    },
  };
}

interface Tried {
  readonly undone: readonly IdentityDecisionRecord[];
  readonly decision: Omit<IdentityDecisionRecord, "id" | "at"> | undefined;
}

interface Marks {
  readonly a: Selector;
  readonly b: Selector;
}

function refusal(message: string): IngestRefusal {
  return new IngestRefusal("refused", message);
}

function only(named: readonly NamedPerson[], who: string): NamedPerson {
  const [first, ...others] = named;
  if (!first) {
    throw new IngestRefusal(
      "not_found",
      `nobody in the histories that are known is ${who}; \`roster identity list\` shows who is`,
    );
  }
  if (others.length > 0) {
    const logins = named.map(({ login }) => login).slice(0, loginsShown);
    throw refusal(`${named.length} people are ${who}: say which, ${logins.join(", ")} ...`);
  }
  return first;
}

const loginsShown = 5;

/**
 * Lasting words for whom the operator named: what was written, when only that person has it; for a login an
 * account, an own address, or else a whole spelling.
 */
function markOf(community: Community, { person, login }: NamedPerson, who: string): Selector {
  const isLogin = login.toLowerCase() === who.trim().toLowerCase();
  const written = isLogin ? undefined : parseSelector(who);
  const fitting = person.identities.filter(
    (identity) => !written || matchesSelector(written, identity),
  );
  const candidates = [
    ...(written ? [written] : person.accounts.map(({ forge, login: held }) => `${forge}/${held}`)),
    ...(written ? fitting : [findEarliestIdentity(person), ...fitting]).flatMap(
      ({ name, email, rawEmail }) => [
        rawEmail,
        email,
        `${name} <${rawEmail}>`,
        `${name} <${email}>`,
      ],
    ),
  ];
  for (const candidate of candidates) {
    const mark = typeof candidate === "string" ? parseSelector(candidate) : candidate;
    if (mark && isLasting(mark, person) && community.fitting(mark).length === 1) return mark;
  }
  throw refusal(`every spelling of ${login} is somebody else's too, so no decision can name it`);
}

/** Whether no stranger comes to have it: an address that several people use needs the name beside it. */
function isLasting({ name, address, account }: Selector, { identities }: Person): boolean {
  if (account || address === undefined) return account !== undefined;
  return name !== undefined || identities.some((one) => listOwnAddresses(one).includes(address));
}

function texts({ a, b }: Marks): { readonly a: string; readonly b: string } {
  return { a: formatSelector(a), b: formatSelector(b) };
}

function asked({ reason }: Words): { readonly by: string; readonly reason?: string } {
  return { by: "operator", ...(reason !== undefined && { reason }) };
}

function isOne(community: Community, { a, b }: Marks): boolean {
  const people = new Set(community.fitting(a));
  return community.fitting(b).some((person) => people.has(person));
}

function whyTwo(community: Community, { a, b }: Marks): string {
  const [one] = community.fitting(a);
  const [other] = community.fitting(b);
  const why = one && other && community.whyApart(one, other);
  return why ?? "something else keeps them apart";
}

/** Whether a decision says of these two that they are two. */
function parts({ kind, a, b }: IdentityDecisionRecord, one: Person, other: Person): boolean {
  const [left, right] = [parseSelector(a), parseSelector(b)];
  if (kind === "same" || !left || !right) return false;
  const has = (person: Person, mark: Selector) =>
    person.identities.some((identity) => matchesSelector(mark, identity));
  return (has(one, left) && has(other, right)) || (has(one, right) && has(other, left));
}

/** The joins from a spelling of the one mark to one of the other: they make a tree, so there is one way. */
function pathBetween({ identities, joins }: Person, { a, b }: Marks): readonly IdentityJoin[] {
  const start = identities.find((identity) => matchesSelector(a, identity));
  if (!start) return [];
  const cameBy = new Map<
    AuthorIdentity,
    { readonly from: AuthorIdentity; readonly join: IdentityJoin }
  >();
  const queue = [start];
  for (let at = queue.shift(); at; at = queue.shift()) {
    if (matchesSelector(b, at)) {
      const path: IdentityJoin[] = [];
      for (let step = cameBy.get(at); step; step = cameBy.get(step.from)) path.push(step.join);
      return path;
    }
    for (const join of joins) {
      const [left, right] = join.spellings;
      const next = left === at ? right : right === at ? left : undefined;
      if (!next || next === start || cameBy.has(next)) continue;
      cameBy.set(next, { from: at, join });
      queue.push(next);
    }
  }
  return [];
}

function onePerson({ person, login }: NamedPerson): string {
  const ways = new Set(person.joins.map(({ kind }) => kind));
  const [first] = person.identities;
  return ways.size > 0
    ? `they are one already, ${login}, by ${[...ways].join(", ")}`
    : `they are one spelling, ${first ? formatAuthorIdentity(first) : login}`;
}
