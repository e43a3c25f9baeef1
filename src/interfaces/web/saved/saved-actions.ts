import { Payload } from "../../../contract/envelope.ts";
import { askedWeights, type SearchData } from "../../../contract/people/developer.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { readInput } from "../../../contract/read.ts";
import type { AuditAction } from "../../../control/account-records.ts";
import {
  type SavedRefusal,
  type SavedSearch,
  type SearchRun,
  savedLimits,
} from "../../../control/saved-records.ts";
import { isSameSecret } from "../../../network/same-secret.ts";
import { operations } from "../../../operations/index.ts";
import type { Modules, Operation } from "../../../operations/operation.ts";
import { formatCount, formatDate, formatPeople } from "../look/format.ts";
import {
  type ActionOutcome,
  type ActionRefusal,
  requireOwn,
  type SignedInRequest,
  toRefusal,
  toSentence,
} from "../page.ts";
import { readFilters, splitLogins, toSearchRequest } from "../search/search-query.ts";
import { getPersonId } from "./save-forms.tsx";

/** Describes the changes of a saved search: `3 new, 1 gone since 14 Nov 2026`, `no changes since 14 Nov 2026`. */
export function describeChanges({ seenAt, ...search }: SavedSearch): string {
  const kinds = { new: "new", gone: "gone", moved: "with another score" };
  const parts = (["new", "gone", "moved"] as const)
    .filter((kind) => search[kind] > 0)
    .map((kind) => `${formatCount(search[kind])} ${kinds[kind]}`);
  return `${parts.join(", ") || "no changes"} since ${formatDate(seenAt)}`;
}

export const getId = ({ params }: SignedInRequest) => params["id"] ?? "";

export function createSavedEntry(
  { visitor, now }: SignedInRequest,
  action: AuditAction,
  id: string,
) {
  return { at: now, actor: visitor.account.id, action, subject: id, detail: {} };
}

const createId = (prefix: string) =>
  `${prefix}_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;

type Made = ActionRefusal | { readonly id: string };

export async function addList(ask: SignedInRequest, typed: string): Promise<Made> {
  const [name, id] = [typed.trim(), createId("lst")];
  const by = createSavedEntry(ask, "list.added", id);
  const { saved } = ask.modules.control;
  const refused = await saved.addList(ask.visitor.account.id, { id, name }, by);
  return refused ? describeRefusal(refused, "list", savedLimits.listsMax) : { id };
}

interface PeopleToList {
  /** The logins of the people, with blanks between. They can be former logins; the list stores the current logins. */
  readonly login: string;
  readonly note?: string | undefined;
  /** A mark from `markShown` for `login`, which proves that pages have shown these people. */
  readonly shown?: string | undefined;
  /** The address to return to, if it is a page of Roster. Default: the list. */
  readonly back?: string | undefined;
}

export async function putOnList(
  ask: SignedInRequest,
  listId: string,
  { login: typed, note = "", shown = "", back = "" }: PeopleToList,
): Promise<ActionOutcome> {
  const { saved } = ask.modules.control;
  const { id } = ask.visitor.account;
  const { entries, name } = requireOwn(await saved.findList(id, listId), "list");
  const isShown = isSameSecret(shown, ask.markShown(typed.trim()));
  const added: string[] = [];
  for (const login of splitLogins([typed])) {
    const known = entries.find(isAbout(login));
    const person = known || isShown ? await findPerson(ask, login) : await askForPerson(ask, login);
    if ("refusal" in person) return person;
    // Adding a person again without a note keeps the note.
    const entry = { login: person.login, note: note.trim() || (known?.note ?? ""), at: ask.now };
    const refused = await saved.putEntry(id, listId, entry);
    if (refused) return describeRefusal(refused, "list", savedLimits.entriesMax, "people on it");
    added.push(person.login);
  }
  const [first = ""] = added;
  const to = `/saved/lists/${listId}`;
  if (!ask.isReturnPath(back)) {
    const text = added.length > 1 ? `Added ${formatPeople(added.length)}.` : `Added ${first}.`;
    return { goTo: to, notice: { text } };
  }
  const notice = { text: "Added to", person: first, list: { to, name } };
  return { goTo: `${back}#${encodeURIComponent(getPersonId(typed.trim()))}`, notice };
}

const isAbout = (login: string) => (one: { readonly login: string }) =>
  one.login.toLowerCase() === login.toLowerCase();

/** Moves people from the list of the page to another list of the account. Their notes move too. */
export async function putOnOtherList(
  ask: SignedInRequest,
  logins: readonly string[],
  to = "",
): Promise<ActionOutcome> {
  const { saved } = ask.modules.control;
  const { id } = ask.visitor.account;
  const from = await saved.findList(id, getId(ask));
  const { entries, name } = requireOwn(await saved.findList(id, to), "list");
  for (const login of logins) {
    const entry = from?.entries.find(isAbout(login));
    if (!entry) continue;
    const note = entry.note || (entries.find(isAbout(login))?.note ?? "");
    const refused = await saved.putEntry(id, to, { login: entry.login, note, at: ask.now });
    if (refused) return describeRefusal(refused, "list", savedLimits.entriesMax, "people on it");
    await saved.removeEntry(id, getId(ask), login, ask.now);
  }
  return { goTo: `/saved/lists/${to}`, notice: { text: `Moved to ${name}.` } };
}

export async function openList(ask: SignedInRequest, name: string): Promise<Made> {
  const lists = await ask.modules.control.saved.lists(ask.visitor.account.id);
  const known = lists.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  return known ?? addList(ask, name);
}

type FoundLogin = ActionRefusal | { readonly login: string };

const refuseUnknown = (login: string) => ({
  ...{ refusal: `No one here has the login ${login}.`, field: "login" },
});

async function findPerson({ modules }: SignedInRequest, login: string): Promise<FoundLogin> {
  const [card] = await modules.pool.findCards([login]);
  return card ? { login: card.login } : refuseUnknown(login);
}

/** Finds out by a call whether a login exists. */
async function askForPerson(ask: SignedInRequest, username: string): Promise<FoundLogin> {
  const show = ({ profile }: ProfileAnalysis) => profile.login;
  const answer = await ask.calls.perform(ask, "analyze_profile", { username }, show);
  if (answer.ok) return { login: answer.shown };
  const { status, message } = answer.problem;
  return status === 404
    ? refuseUnknown(username)
    : { refusal: toSentence(message), field: "login" };
}

function describeRefusal(
  refusal: SavedRefusal,
  what: "list" | "search",
  max: number,
  of = what === "list" ? "lists" : "searches",
): ActionRefusal {
  const words: Record<SavedRefusal, string> = {
    "too many": `There can be at most ${max} ${of}. Remove one first.`,
    "name taken": `You have a ${what} of this name already. Choose another.`,
    unknown: `You have no such ${what}.`,
  };
  return { refusal: words[refusal], field: refusal === "name taken" ? "name" : undefined };
}

export async function addSearch(
  ask: SignedInRequest,
  { name, query }: { readonly name: string; readonly query: string },
): Promise<ActionOutcome> {
  const run = await runSearch(ask, query);
  if ("refusal" in run) return run;
  const id = createId("sea");
  const by = createSavedEntry(ask, "search.added", id);
  const search = { id, name: name.trim(), query };
  const { saved } = ask.modules.control;
  const refused = await saved.addSearch(ask.visitor.account.id, search, run, by);
  if (refused) return describeRefusal(refused, "search", savedLimits.searchesMax);
  return { goTo: `/saved/searches/${id}`, notice: { text: `The search ${search.name} is saved.` } };
}

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
