/**
 * Calls of operations on behalf of the signed-in account. They go through `perform`, like those of every other
 * interface, so they count the same. The last answers of each account stay in memory. For a minute after the call, a
 * reload, going back, or the same page in several tabs does not count again. A page that is shown again after an action on
 * it, such as putting a person on a list, or to show more of it, never counts again.
 *
 * Pages get the modules that compute only here, to render an answer or for work that is throttled (`Calls`).
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
import type { AnalyzeRequest, SearchRequest } from "../../contract/requests.ts";
import { createObject } from "../../contract/schema.ts";
import type { LookupData, LookupRequest } from "../../contract/terms.ts";
import type { CallNote } from "../../network/route.ts";
import { operations, pageOperations } from "../../operations/index.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { type Answer, perform } from "../../operations/perform.ts";

/** The operations that pages call, with the types of their input and of their data. */
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
  // The usage includes this call; a cached answer is not counted.
  Pick<Answer, "usage" | "isCounted">;

export type ComputingModules = Pick<Modules, "pool" | "search" | "knowledge">;

/** The parts of a page's request that a call needs. */
interface CallingRequest {
  readonly visitor: Visitor;
  readonly requestId: string;
  readonly from: Pick<RequestOrigin, "address">;
  readonly note: (about: CallNote) => void;
  readonly now: Date;
  /** Set when the page is shown again after an action. */
  readonly notice?: object | undefined;
  readonly refused?: object | undefined;
  /** Asks for more of an answer that was shown: while that is cached, it does not count again. */
  readonly isMore?: boolean;
}

export interface Calls {
  /**
   * @param input may be anything; the operation checks it. @param show renders the data before the call counts, so
   *   that an answer that cannot be shown costs nothing.
   */
  perform<Name extends keyof Questions, Shown>(
    ask: CallingRequest,
    name: Name,
    input: Questions[Name]["takes"],
    show: (data: Questions[Name]["gives"], computing: ComputingModules) => Shown | Promise<Shown>,
  ): Promise<CallAnswer<Shown>>;
  /** Runs work for a page that costs no call. It is throttled like a look-up, and refused if the account has no calls left. */
  compute<Shown>(
    ask: CallingRequest,
    work: (computing: ComputingModules) => Shown | Promise<Shown>,
  ): Promise<CallAnswer<Shown>>;
  /** Makes one call of any operation, with the given caller's identity. */
  attempt(operation: Operation, input: unknown, caller: Caller): Promise<Answer<Payload>>;
  /** The logins that this account compared last; empty after a restart. */
  compared(accountId: string): readonly string[];
  noteCompared(accountId: string, logins: readonly string[]): void;
  /** Whether pages have shown this person to this account lately; false after a restart. */
  wasShown(accountId: string, login: string): boolean;
  noteShown(accountId: string, logins: readonly string[]): void;
}

const cachedMs = 60_000;
/** The number of cached answers: a comparison needs four, and users go back a few pages. */
const answersPerAccount = 12;
const accountsMax = 100;
const shownPerAccount = 200;

interface CachedAnswer {
  readonly answer: Promise<Answer<Payload>>;
  readonly untilMs: number;
}

export function createCalls(given: Modules, log: Log): Calls {
  // Malformed input costs nothing on a page, whatever the setting is for programs.
  const modules = { ...given, quota: { ...given.quota, countsInvalid: false } };
  const cached = new Map<string, Map<string, CachedAnswer>>();
  const compared = new Map<string, readonly string[]>();
  const shown = new Map<string, Map<string, true>>();
  return {
    compared: (accountId) => compared.get(accountId) ?? [],
    noteCompared: (accountId, logins) => putNewest(compared, accountId, logins, accountsMax),
    wasShown: (accountId, login) => shown.get(accountId)?.has(login.toLowerCase()) ?? false,
    noteShown: (accountId, logins) => {
      const own = shown.get(accountId) ?? new Map<string, true>();
      for (const login of logins) putNewest(own, login.toLowerCase(), true, shownPerAccount);
      putNewest(shown, accountId, own, accountsMax);
    },
    async perform(ask, name, typed, show) {
      const called = callable.find((one) => one.name === name) as Operation;
      const { account } = ask.visitor;
      // An answer must not outlive a change of the pool: an erased person disappears at once.
      const states = [await modules.pool.revision(), modules.search.generation?.revision];
      const input = tidyBlanks(typed);
      const operation = { ...called, isUncounted: findSlips(name, input, modules) };
      const question = JSON.stringify([name, states, toCanonical(input)]);
      const nowMs = ask.now.getTime();
      const isShown = ask.notice || ask.refused || ask.isMore;
      const freshAtMs = isShown ? Number.NEGATIVE_INFINITY : nowMs;
      const own = cached.get(account.id) ?? new Map<string, CachedAnswer>();
      // Nothing is awaited from here until the answer is cached, so of several equal requests at once only the first makes the call.
      const known = operation.isFree ? undefined : own.get(question);
      const showFound = async (found: Payload) => await show(found.value as never, modules);
      const caller = toCaller(ask);
      if (known && known.untilMs > freshAtMs) {
        const answer = await known.answer;
        if (!answer.ok) return { ...answer, isCounted: false };
        const again = { ...operation, run: async () => answer.shown };
        // Computing more of an answer is refused to an account without calls left; repeating an answer is not.
        const free = ask.isMore ? { isUncounted: () => true } : { isFree: true as const };
        const showing = { ...again, isUncounted: undefined, ...free };
        return perform(showing, input, caller, modules, showFound);
      }
      ask.note({ key: ask.visitor.sessionId, operation: name });
      const performed = perform(operation, input, caller, modules, async (found) => {
        return { found, shown: await showFound(found) };
      });
      // Only the data is cached, because the rendered page depends on more than the question.
      const found = performed.then((answer) =>
        answer.ok ? { ...answer, shown: answer.shown.found } : answer,
      );
      if (!operation.isFree) {
        const entry = { answer: found, untilMs: nowMs + cachedMs };
        putNewest(own, question, entry, answersPerAccount);
        putNewest(cached, account.id, own, accountsMax);
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

/** An operation without an answer, for what pages compute beside their calls. */
const pageWork = {
  ...(operations[0] as Operation),
  ...{ name: "page_work", input: createObject({}), run: async () => ({}) },
  isUncounted: () => true,
} satisfies Operation;

/**
 * A typing error costs no call on a page: a name of a place, repository, path or package that does not exist, or an unknown
 * login in who knows. Whether somebody is in the pool is an answer elsewhere, so it counts (decisions 62 and 64).
 *
 * @returns whether an outcome comes from a typing error; undefined for operations that cannot have one.
 */
function findSlips(
  name: keyof Questions,
  input: object,
  { places }: Modules,
): Operation["isUncounted"] {
  if (name === "who_knows") return (outcome) => outcome instanceof Problem;
  if (name !== "search_developers") return undefined;
  return (outcome) =>
    !(outcome instanceof Problem) &&
    (outcome.value as SearchData).locationSuggestions !== undefined &&
    places.find((input as SearchRequest).location).length === 0;
}

/** Fields whose case and blanks matter. Names of people, places, skills and repositories ignore case. */
const exactFields: readonly string[] = ["path", "package"];

/** Removes blanks around words and double blanks between them, which are typing errors. */
function tidyBlanks(input: object): object {
  const tidy = (text: unknown) =>
    typeof text === "string" ? text.trim().replace(/ {2,}/g, " ") : text;
  return mapFields(input, (value) => (Array.isArray(value) ? value.map(tidy) : tidy(value)));
}

/** Gives all spellings of a question one form: order and case make no difference. */
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

/** Puts an entry last; beyond the limit, the entries that were put first go. */
function putNewest<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) return;
    map.delete(oldest);
  }
}
