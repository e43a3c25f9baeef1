/**
 * Calls of operations on behalf of the signed-in account. They go through `perform`, like those of every other
 * interface, so they count the same. The last answers of each account stay in memory for a minute from the moment of
 * the call: a reload, going back, or the same page in several tabs at once does not count again.
 */

import type { RequestOrigin, Visitor } from "../../accounts/accounts.ts";
import type { Payload } from "../../contract/envelope.ts";
import type { SearchData } from "../../contract/people/developer.ts";
import type { FindData, FindRequest } from "../../contract/people/found-person.ts";
import type { ProfileAnalysis } from "../../contract/people/profile-analysis.ts";
import type { WhoData, WhoRequest } from "../../contract/people/who-knows.ts";
import type { Problem } from "../../contract/problem.ts";
import type { AnalyzeRequest, SearchRequest } from "../../contract/requests.ts";
import type { LookupData, LookupRequest } from "../../contract/terms.ts";
import type { CallNote } from "../../network/route.ts";
import { operations } from "../../operations/index.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { type Answer, isCounted, perform } from "../../operations/perform.ts";

/** The operations that pages call, with the types of their input and of their data. */
interface Questions {
  readonly search_developers: { readonly takes: SearchRequest; readonly gives: SearchData };
  readonly analyze_profile: { readonly takes: AnalyzeRequest; readonly gives: ProfileAnalysis };
  readonly find_people: { readonly takes: FindRequest; readonly gives: FindData };
  readonly who_knows: { readonly takes: WhoRequest; readonly gives: WhoData };
  readonly lookup_terms: { readonly takes: LookupRequest; readonly gives: LookupData };
}

export type CallAnswer<Shown> = (
  | { readonly ok: true; readonly shown: Shown }
  | { readonly ok: false; readonly problem: Problem }
) & {
  /** The calls of this month, this one included; `undefined` if they are not known. */
  readonly usage: Answer["usage"];
  /** False if the operation is free, the call was refused, or the answer was kept. */
  readonly isCounted: boolean;
};

/** The parts of a page's request that a call needs. */
interface CallingRequest {
  readonly visitor: Visitor;
  readonly requestId: string;
  readonly from: Pick<RequestOrigin, "address">;
  readonly note: (about: CallNote) => void;
  readonly now: Date;
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
    show: (data: Questions[Name]["gives"]) => Shown | Promise<Shown>,
  ): Promise<CallAnswer<Shown>>;
  /** The logins that this account compared last; empty after a restart. */
  compared(accountId: string): readonly string[];
  noteCompared(accountId: string, logins: readonly string[]): void;
}

const keptMs = 60_000;
/** A comparison needs four, and people go back a few pages. */
const keptPerAccount = 12;
const keptAccounts = 100;

interface KeptAnswer {
  readonly answer: Promise<Answer<Payload>>;
  readonly untilMs: number;
}

export function createCalls(modules: Modules, log: Log): Calls {
  const kept = createMemory();
  const compared = new Map<string, readonly string[]>();
  return {
    compared: (accountId) => compared.get(accountId) ?? [],
    noteCompared: (accountId, logins) => {
      compared.delete(accountId);
      compared.set(accountId, logins);
      trim(compared, keptAccounts);
    },
    async perform(ask, name, typed, show) {
      const operation = operations.find((one) => one.name === name) as Operation;
      const { account, sessionId } = ask.visitor;
      // An answer must not outlive a change of the pool: an erased person disappears at once.
      const states = [await modules.pool.revision(), modules.search.generation?.revision];
      const input = tidyBlanks(typed);
      const question = JSON.stringify([name, states, toCanonical(input)]);
      const nowMs = ask.now.getTime();
      // Nothing is awaited from here until the answer is kept, so of several equal requests at once only the first makes the call.
      const known = operation.isFree ? undefined : kept.find(account.id, question, nowMs);
      const showFound = async (found: Payload) => await show(found.value as never);
      if (known) {
        const answer = await known;
        if (!answer.ok) return { ...answer, isCounted: false };
        return { ...answer, shown: await showFound(answer.shown), isCounted: false };
      }
      const credential = { kind: "session", id: sessionId } as const;
      const { requestId, from } = ask;
      const who = { accountId: account.id, plan: account.plan, credential };
      ask.note({ key: sessionId, operation: name });
      const caller = { ...who, requestId, address: from.address };
      const asked = perform(operation, input, caller, modules, async (found) => {
        return { found, shown: await showFound(found) };
      });
      // Keep only the data: what a page renders depends on more than the question.
      const found = asked.then((answer) =>
        answer.ok ? { ...answer, shown: answer.shown.found } : answer,
      );
      if (!operation.isFree) {
        kept.keep(account.id, question, { answer: found, untilMs: nowMs + keptMs });
      }
      const answer = await asked;
      if (!answer.ok) logFault(log, answer.problem, requestId);
      const isCharged = answer.ok || isCounted(answer.problem, modules);
      if (!isCharged) kept.drop(account.id, question, found);
      const counted = { isCounted: isCharged && !operation.isFree };
      return answer.ok
        ? { ...answer, shown: answer.shown.shown, ...counted }
        : { ...answer, ...counted };
    },
  };
}

/** Fields whose case and blanks matter. Names of people, places, skills and repositories ignore case. */
const exactFields: readonly string[] = ["path", "package"];

/** Removes blanks around words and double blanks between them, which are typing errors. */
function tidyBlanks(input: object): object {
  const tidy = (text: unknown) =>
    typeof text === "string" ? text.trim().replace(/ {2,}/g, " ") : text;
  return mapFields(input, (value) => (Array.isArray(value) ? value.map(tidy) : tidy(value)));
}

/** One form for all spellings of a question: order and case make no difference. */
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

/** The last answers by account and question; the oldest are dropped first. */
function createMemory() {
  const accounts = new Map<string, Map<string, KeptAnswer>>();
  return {
    find(accountId: string, question: string, nowMs: number): Promise<Answer<Payload>> | undefined {
      const found = accounts.get(accountId)?.get(question);
      return found && found.untilMs > nowMs ? found.answer : undefined;
    },
    keep(accountId: string, question: string, answer: KeptAnswer): void {
      const own = accounts.get(accountId) ?? new Map<string, KeptAnswer>();
      own.delete(question);
      own.set(question, answer);
      trim(own, keptPerAccount);
      accounts.delete(accountId);
      accounts.set(accountId, own);
      trim(accounts, keptAccounts);
    },
    /** Drops the answer, unless another one was kept since. */
    drop(accountId: string, question: string, answer: Promise<Answer<Payload>>): void {
      const own = accounts.get(accountId);
      if (own?.get(question)?.answer === answer) own.delete(question);
    },
  };
}

/** Maps keep the order in which their entries were set. */
function trim(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
