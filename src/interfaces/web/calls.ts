/**
 * Calls of operations for the signed-in account. The last answers of each account stay in memory. For a minute after a call, the
 * same call does not count again, for example after a reload. After an action, such as putting a person on a list, the page is
 * shown again without a counted call.
 *
 * Pages search and read people only through `Calls`, so that all this work is counted or throttled.
 */
import type { RequestOrigin, Visitor } from "../../accounts/accounts.ts";
import type { Caller } from "../../contract/caller.ts";
import type { CompletionData, CompletionRequest } from "../../contract/completion.ts";
import type { Payload } from "../../contract/envelope.ts";
import type { SearchData } from "../../contract/people/developer.ts";
import type { FindData, FindRequest } from "../../contract/people/found-person.ts";
import type { ProfileAnalysis } from "../../contract/people/profile-analysis.ts";
import type { WhoData, WhoRequest } from "../../contract/people/who-knows.ts";
import { Problem } from "../../contract/problem.ts";
import { RecentlyUsed } from "../../contract/recently-used.ts";
import type { AnalyzeRequest, SearchRequest } from "../../contract/requests.ts";
import { createObject } from "../../contract/schema.ts";
import type { LookupData, LookupRequest } from "../../contract/terms.ts";
import type { CallNote } from "../../network/route.ts";
import { operations, pageOperations } from "../../operations/index.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { type Answer, perform } from "../../operations/perform.ts";

interface Questions {
  readonly search_developers: { readonly takes: SearchRequest; readonly gives: SearchData };
  readonly analyze_profile: { readonly takes: AnalyzeRequest; readonly gives: ProfileAnalysis };
  readonly find_people: { readonly takes: FindRequest; readonly gives: FindData };
  readonly complete_people: Questions["find_people"];
  readonly who_knows: { readonly takes: WhoRequest; readonly gives: WhoData };
  readonly complete_files: { readonly takes: CompletionRequest; readonly gives: CompletionData };
  readonly lookup_terms: { readonly takes: LookupRequest; readonly gives: LookupData };
}

const callable = [...operations, ...pageOperations];

export type CallAnswer<Shown> = (
  | { readonly ok: true; readonly shown: Shown }
  | { readonly ok: false; readonly problem: Problem }
) &
  // `usage` includes this call. `isCounted` is false for a cached answer.
  Pick<Answer, "usage" | "isCounted">;

export type ComputingModules = Pick<Modules, "pool" | "search" | "knowledge">;

interface CallingRequest {
  readonly visitor: Visitor;
  readonly requestId: string;
  readonly from: Pick<RequestOrigin, "address">;
  readonly note: (about: CallNote) => void;
  readonly now: Date;
  /** Set if the page is shown again after an action. After a refused action, `refused` is set instead. */
  readonly notice?: object | undefined;
  readonly refused?: object | undefined;
  /** Whether the page shows more of an earlier answer. While that answer is cached, the call does not count. */
  readonly isMore?: boolean;
}

export interface Calls {
  /** @param show renders the data before the call is counted. An answer that cannot be shown costs nothing. */
  perform<Name extends keyof Questions, Shown>(
    ask: CallingRequest,
    name: Name,
    input: Questions[Name]["takes"],
    show: (data: Questions[Name]["gives"], computing: ComputingModules) => Shown | Promise<Shown>,
  ): Promise<CallAnswer<Shown>>;
  /** Runs work that costs no call. The work is throttled. It is refused if the account has no calls left. */
  compute<Shown>(
    ask: CallingRequest,
    work: (computing: ComputingModules) => Shown | Promise<Shown>,
  ): Promise<CallAnswer<Shown>>;
  /** Calls any operation in the name of `caller`. No answer is cached. */
  attempt(operation: Operation, input: unknown, caller: Caller): Promise<Answer<Payload>>;
  /** The logins that this account compared last; empty if nothing was compared since the server started. */
  compared(accountId: string): readonly string[];
  noteCompared(accountId: string, logins: readonly string[]): void;
  /** Whether pages have shown this person to this account. Only the last 200 people are remembered, until a restart. */
  wasShown(accountId: string, login: string): boolean;
  noteShown(accountId: string, logins: readonly string[]): void;
}

const cachedMs = 60_000;
/** The number of cached answers of an account. A comparison needs four answers. */
const answersPerAccount = 12;
const accountsMax = 100;
const shownPerAccount = 200;

interface CachedAnswer {
  readonly answer: Promise<Answer<Payload>>;
  readonly untilMs: number;
}

export function createCalls(given: Modules, log: Log): Calls {
  // Invalid input costs nothing on a page.
  const modules = { ...given, quota: { ...given.quota, countsInvalid: () => false } };
  const cached = new RecentlyUsed<RecentlyUsed<CachedAnswer>>(accountsMax);
  const compared = new RecentlyUsed<readonly string[]>(accountsMax);
  const shown = new RecentlyUsed<RecentlyUsed<true>>(accountsMax);
  return {
    compared: (accountId) => compared.get(accountId) ?? [],
    noteCompared: (accountId, logins) => compared.set(accountId, logins),
    wasShown: (accountId, login) => shown.get(accountId)?.get(login.toLowerCase()) ?? false,
    noteShown: (accountId, logins) => {
      const own = shown.get(accountId) ?? new RecentlyUsed<true>(shownPerAccount);
      for (const login of logins) own.set(login.toLowerCase(), true);
      shown.set(accountId, own);
    },
    async perform(ask, name, typed, show) {
      const called = callable.find((one) => one.name === name) as Operation;
      const { account } = ask.visitor;
      // The cache key contains the revision of the data, so that no cached answer shows an erased person.
      const states = [await modules.pool.revision(), modules.search.generation?.revision];
      const input = tidyBlanks(typed);
      const operation = { ...called, isUncounted: findSlips(name, input, modules) };
      const question = JSON.stringify([name, states, toCanonical(input)]);
      const nowMs = ask.now.getTime();
      const isShown = ask.notice || ask.refused || ask.isMore;
      const freshAtMs = isShown ? Number.NEGATIVE_INFINITY : nowMs;
      const own = cached.get(account.id) ?? new RecentlyUsed<CachedAnswer>(answersPerAccount);
      // There must be no `await` between here and the caching of the answer. Otherwise, equal requests could call twice.
      const known = operation.isFree ? undefined : own.get(question);
      const showFound = async (found: Payload) => await show(found.value as never, modules);
      const caller = toCaller(ask);
      if (known && known.untilMs > freshAtMs) {
        const answer = await known.answer;
        if (!answer.ok) return { ...answer, isCounted: false };
        const again = { ...operation, run: async () => answer.shown };
        // An account without calls left may repeat an answer, but must not compute more.
        const free = ask.isMore ? { isUncounted: () => true } : { isFree: true as const };
        const showing = { ...again, isUncounted: undefined, ...free };
        return perform(showing, input, caller, modules, showFound);
      }
      ask.note({ key: ask.visitor.sessionId, operation: name });
      const performed = perform(operation, input, caller, modules, async (found) => {
        return { found, shown: await showFound(found) };
      });
      // Caches only the data, because a rendered page depends on more than the question.
      const found = performed.then((answer) =>
        answer.ok ? { ...answer, shown: answer.shown.found } : answer,
      );
      if (!operation.isFree) {
        own.set(question, { answer: found, untilMs: nowMs + cachedMs });
        cached.set(account.id, own);
      }
      const answer = await performed;
      if (!answer.ok) logFault(log, answer.problem, ask.requestId);
      if (!answer.ok && !answer.isCounted && own.get(question)?.answer === found) {
        own.delete(question);
      }
      return answer.ok ? { ...answer, shown: answer.shown.shown } : answer;
    },
    async compute(ask, work) {
      const answer = await perform(pageWork, {}, toCaller(ask), modules, () => work(modules));
      if (!answer.ok) logFault(log, answer.problem, ask.requestId);
      return answer;
    },
    attempt: (operation, input, caller) =>
      perform(operation, input, caller, given, (found) => found),
  };
}

function toCaller({ visitor, requestId, from }: CallingRequest): Caller {
  const { id: accountId, plan } = visitor.account;
  const credential = { kind: "session", id: visitor.sessionId } as const;
  return { accountId, plan, credential, requestId, address: from.address };
}

/** A stand-in operation for work of pages that calls no operation. */
const pageWork = {
  ...(operations[0] as Operation),
  ...{ name: "page_work", input: createObject({}), run: async () => ({}) },
  isUncounted: () => true,
} satisfies Operation;

/**
 * On a page, a typing error costs no call: a question that finds nobody because of a name that nobody here has. An unknown login
 * of a developer's page counts, because its answer tells who is in the pool (decisions 62 and 64).
 * @returns a function that tells whether an outcome comes from a typing error; undefined for other operations.
 */
function findSlips(
  name: keyof Questions,
  input: object,
  { places }: Modules,
): Operation["isUncounted"] {
  if (name === "who_knows") return (outcome) => outcome instanceof Problem;
  if (name === "find_people") {
    return (outcome) =>
      !(outcome instanceof Problem) && (outcome.value as FindData).results.length === 0;
  }
  if (name !== "search_developers") return undefined;
  return (outcome) => {
    if (outcome instanceof Problem) return false;
    const { totalCount, locationSuggestions, ...unknown } = outcome.value as SearchData;
    if (totalCount > 0) return false;
    if (locationSuggestions) return places.find((input as SearchRequest).location).length === 0;
    const { unknownSkills, nearTerms, unknownRepositories } = unknown;
    return [unknownSkills, nearTerms, unknownRepositories].some((names) => names !== undefined);
  };
}

/** Fields in which case and blanks matter. */
const exactFields: readonly string[] = ["path", "package"];

function tidyBlanks(input: object): object {
  const tidy = (text: unknown) =>
    typeof text === "string" ? text.trim().replace(/ {2,}/g, " ") : text;
  return mapFields(input, (value) => (Array.isArray(value) ? value.map(tidy) : tidy(value)));
}

/** Converts equal inputs to the same value. Case, order of fields and order of lists are ignored. */
function toCanonical(input: object): unknown {
  const lower = (text: unknown) => (typeof text === "string" ? text.toLowerCase() : text);
  const folded = mapFields(input, (value) =>
    Array.isArray(value) ? [...new Set(value.map(lower))].sort() : lower(value),
  );
  return Object.entries(folded).sort(([one], [other]) => (one < other ? -1 : 1));
}

const mapFields = (input: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      exactFields.includes(name) ? value : change(value),
    ]),
  );
