/** Runs saved searches. Saving a search runs it once, which counts as a call. Later runs do not count. */
import { Payload } from "../../../contract/envelope.ts";
import { askedWeights, type SearchData } from "../../../contract/people/developer.ts";
import { readInput } from "../../../contract/read.ts";
import { type SearchRun, savedLimits } from "../../../control/saved-records.ts";
import { operations } from "../../../operations/index.ts";
import type { Modules, Operation } from "../../../operations/operation.ts";
import { type SignedInRequest, toRefusal } from "../page.ts";
import { readFilters, toSearchRequest } from "../search/search-query.ts";

/** Runs a search for the signed-in account, which counts as a call. @param query the query of the search's address. */
export async function runSearch(ask: SignedInRequest, query: string) {
  const request = toSavedRequest(query);
  const model = await readModel(ask.modules);
  const answer = await ask.calls.perform(ask, "search_developers", request, (data) =>
    toRun(data, ask.now, model),
  );
  return answer.ok ? answer.shown : toRefusal({ message: answer.problem.message });
}

/** Runs a saved search on schedule. @param query the query of the search's address. @throws Problem if the query is invalid. */
export async function runSearchAgain(query: string, modules: Modules, now: Date) {
  const search = operations.find(({ name }) => name === "search_developers") as Operation;
  const caller = { ...modules.accounts.operator, requestId: "saved search" };
  const model = await readModel(modules);
  const found = await search.run(readInput(search.input, toSavedRequest(query)), modules, caller);
  return toRun((found instanceof Payload ? found.value : found) as SearchData, now, model);
}

function toSavedRequest(query: string) {
  const filters = { ...readFilters(new URLSearchParams(query)), offset: 0 };
  return { ...toSearchRequest(filters), maxResults: savedLimits.foundMax };
}

/** Reads the version of the model and the weights. A change of either can change scores without a change of the people. */
async function readModel({ pool }: { pool: Pick<Modules["pool"], "model"> }): Promise<string> {
  return [await pool.model(), ...Object.values(askedWeights)].join(" ");
}

function toRun({ results, totalCount: total }: SearchData, at: Date, model: string): SearchRun {
  return { total, people: results.map(({ login, score }) => ({ login, score })), at, model };
}
