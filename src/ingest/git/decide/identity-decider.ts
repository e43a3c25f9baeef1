/** Records the operator's decisions. A decision names author identities. Each decision is tried out before it is recorded. */
import { Fault } from "../../../contract/fault.ts";
import { formatSelector, parseSelector, type Selector } from "../../../identity/selector.ts";
import type { Decisions, IdentityDecisionRecord } from "../../../pool/pool.ts";
import type { AuthorIdentity, IdentityJoin, Person } from "../identify/author-identity.ts";
import type { Community } from "../identify/community.ts";
import { listOwnAddresses } from "../identify/group-people.ts";
import { findEarliestIdentity, type NamedPerson } from "../identify/login.ts";
import { matchesSelector } from "../identify/rules.ts";
import { findClues } from "../identify/suggest.ts";
import { formatAuthorIdentity } from "./known-identity.ts";

export interface IdentityDecision {
  /** The recorded decision; undefined when none was needed. */
  readonly decision: IdentityDecisionRecord | undefined;
  readonly undone: readonly IdentityDecisionRecord[];
  /** Why nothing was done: the identities to merge are one person already, or the identities to split are two already. */
  readonly because?: string;
}

export interface DecisionRequest extends Pick<IdentityDecisionRecord, "a" | "b" | "by"> {
  readonly reason: string | undefined;
}

/** @package */
export function createIdentityDecider(parts: {
  readonly community: Community;
  readonly find: (who: string) => readonly NamedPerson[];
  readonly count: (decisions: readonly IdentityDecisionRecord[]) => Community;
  readonly decisions: Decisions;
}) {
  const { community, find, count, decisions } = parts;
  const record = async (tried: Draft): Promise<IdentityDecision> => {
    for (const { id } of tried.undone) await decisions.undo(id);
    const decision = tried.decision && (await decisions.add(tried.decision));
    return { decision, undone: tried.undone };
  };
  const tryOut = async (tried: Draft): Promise<Community> => {
    const removed = new Set(tried.undone.map(({ id }) => id));
    const others = (await decisions.list()).filter(({ id }) => !removed.has(id));
    const added = tried.decision ? [{ ...tried.decision, id: "this decision", at: "" }] : [];
    return count([...others, ...added]);
  };
  /** Removes earlier decisions. Records the new decision only if the removal is not enough. */
  const settle = async (
    { undone, decision }: Draft & { readonly decision: NewDecision },
    selectors: Selectors,
    refuse: (after: Community) => Fault,
  ): Promise<IdentityDecision> => {
    const isDone = (after: Community) => isOne(after, selectors) === (decision.kind === "same");
    const undoing = { undone, decision: undefined };
    if (undone.length > 0 && isDone(await tryOut(undoing))) return record(undoing);
    const after = await tryOut({ undone, decision });
    if (!isDone(after)) throw refuse(after);
    return record({ undone, decision });
  };
  return {
    async merge(request: DecisionRequest): Promise<IdentityDecision> {
      const [a, b] = [only(find(request.a), request.a), only(find(request.b), request.b)];
      if (a.person === b.person) return { decision: undefined, undone: [], because: whyOne(a) };
      const selectors = selectorsOf(community, [a, b], request);
      const undone = (await decisions.list()).filter((decision) =>
        separates(decision, a.person, b.person),
      );
      const evidence = findClues(a.person, b.person);
      const decision = toDecision("same", selectors, request, evidence);
      return settle({ undone, decision }, selectors, (after) =>
        refusal(`${a.login} and ${b.login} are not merged: ${whyTwo(after, selectors)}`),
      );
    },
    async split(request: DecisionRequest): Promise<IdentityDecision> {
      const [a, b] = [only(find(request.a), request.a), only(find(request.b), request.b)];
      const selectors = selectorsOf(community, [a, b], request);
      const isTwo = a.person !== b.person;
      const why = isTwo ? community.whyApart(a.person, b.person) : undefined;
      if (why !== undefined) return { decision: undefined, undone: [], because: why };
      const joins = isTwo ? [] : pathBetween(a.person, selectors);
      const undone = (await decisions.list()).filter(({ id }) =>
        joins.some((join) => join.kind === "decision" && join.detail === id),
      );
      const evidence = isTwo
        ? findClues(a.person, b.person)
        : joins.map(({ kind, detail }) => `were one by ${kind} ${detail}`);
      const decision = toDecision("different", selectors, request, evidence);
      return settle({ undone, decision }, selectors, () =>
        refusal(
          `${request.a} and ${request.b} are not split: both match one author identity. Give each as Name <address>`,
        ),
      );
    },
  };
}

type NewDecision = Omit<IdentityDecisionRecord, "id" | "at">;

/** A decision that is not yet recorded, with the earlier decisions that it replaces. */
interface Draft {
  readonly undone: readonly IdentityDecisionRecord[];
  readonly decision: NewDecision | undefined;
}

interface Selectors {
  readonly a: Selector;
  readonly b: Selector;
}

function refusal(message: string): Fault {
  return new Fault("refused", message);
}

function only(named: readonly NamedPerson[], who: string): NamedPerson {
  const [first, ...others] = named;
  if (!first) {
    throw new Fault("unknown_person", `nobody in the known histories matches ${who}`);
  }
  if (others.length > 0) {
    const logins = named.map(({ login }) => login).slice(0, loginsShown);
    throw refusal(
      `${who} matches ${named.length} people: name one of them, ${logins.join(", ")} ...`,
    );
  }
  return first;
}

const loginsShown = 5;

function selectorsOf(
  community: Community,
  [a, b]: readonly [NamedPerson, NamedPerson],
  request: DecisionRequest,
): Selectors {
  return { a: selectorOf(community, a, request.a), b: selectorOf(community, b, request.b) };
}

/**
 * Chooses a selector that will still match the person later. The given text is used unless it is a login. A login is replaced by
 * an account, an address, or a name with an address.
 */
function selectorOf(community: Community, { person, login }: NamedPerson, who: string): Selector {
  const isLogin = login.toLowerCase() === who.trim().toLowerCase();
  const written = isLogin ? undefined : parseSelector(who);
  const fitting = person.identities.filter(
    (identity) => !written || matchesSelector(written, identity),
  );
  const accounts = person.accounts.map((account) => `${account.forge}/${account.login}`);
  const spelt = written ? fitting : [findEarliestIdentity(person), ...fitting];
  const candidates = [
    ...(written ? [who] : accounts),
    ...spelt.flatMap(({ name, email, rawEmail }) => [
      ...[rawEmail, email, `${name} <${rawEmail}>`, `${name} <${email}>`],
    ]),
  ];
  const selector = candidates
    .flatMap((text) => parseSelector(text) ?? [])
    .find((one) => isLasting(one, person) && community.fitting(one).length === 1);
  if (selector) return selector;
  throw refusal(
    `other people share every name and address of ${login}, so no decision can name this person`,
  );
}

/** Whether the selector will match only this person, even in later commits. A shared address alone is not enough. */
function isLasting({ name, address, account }: Selector, { identities }: Person): boolean {
  if (account || address === undefined) return account !== undefined;
  return name !== undefined || identities.some((one) => listOwnAddresses(one).includes(address));
}

function toDecision(
  kind: IdentityDecisionRecord["kind"],
  { a, b }: Selectors,
  { by, reason }: DecisionRequest,
  evidence: readonly string[],
): NewDecision {
  const selectors = { a: formatSelector(a), b: formatSelector(b) };
  return { kind, ...selectors, by, ...(reason !== undefined && { reason }), evidence };
}

function isOne(community: Community, { a, b }: Selectors): boolean {
  const people = new Set(community.fitting(a));
  return community.fitting(b).some((person) => people.has(person));
}

function whyTwo(community: Community, { a, b }: Selectors): string {
  const [one] = community.fitting(a);
  const [other] = community.fitting(b);
  const why = one && other && community.whyApart(one, other);
  return why ?? "something else keeps them apart";
}

/** Whether a decision says that these two people are not one person. */
function separates({ kind, a, b }: IdentityDecisionRecord, one: Person, other: Person): boolean {
  const [left, right] = [parseSelector(a), parseSelector(b)];
  if (kind === "same" || !left || !right) return false;
  const has = (person: Person, selector: Selector) =>
    person.identities.some((identity) => matchesSelector(selector, identity));
  return (has(one, left) && has(other, right)) || (has(one, right) && has(other, left));
}

/** Finds the joins that connect the author identities of the two selectors. */
function pathBetween({ identities, joins }: Person, { a, b }: Selectors): readonly IdentityJoin[] {
  const start = identities.find((identity) => matchesSelector(a, identity));
  if (!start) return [];
  const previous = new Map<
    AuthorIdentity,
    { readonly from: AuthorIdentity; readonly join: IdentityJoin }
  >();
  const queue = [start];
  for (let at = queue.shift(); at; at = queue.shift()) {
    if (matchesSelector(b, at)) {
      const path: IdentityJoin[] = [];
      for (let step = previous.get(at); step; step = previous.get(step.from)) path.push(step.join);
      return path;
    }
    for (const join of joins) {
      const [left, right] = join.spellings;
      const next = left === at ? right : right === at ? left : undefined;
      if (!next || next === start || previous.has(next)) continue;
      previous.set(next, { from: at, join });
      queue.push(next);
    }
  }
  return [];
}

function whyOne({ person, login }: NamedPerson): string {
  const kinds = new Set(person.joins.map(({ kind }) => kind));
  const [first] = person.identities;
  return kinds.size > 0
    ? `they are one already, ${login}, by ${[...kinds].join(", ")}`
    : `they are one spelling, ${first ? formatAuthorIdentity(first) : login}`;
}
