/** The page of one list of people. Opening the page costs no call. */
import type { Card } from "../../../contract/people/developer.ts";
import {
  type ListEntry,
  type ListSummary,
  type PeopleList,
  savedLimits,
} from "../../../control/saved-records.ts";
import { createCsvDownload, toCsvFileName } from "../download.ts";
import { defineOptionalText, loginField, loginsField } from "../form.ts";
import { formatCounted } from "../look/format.ts";
import { Field, Form, isRefused } from "../look/forms.tsx";
import { PageLinks, readPage } from "../look/lists.tsx";
import { Ago, Copyable, EmptyState, Popup } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineButton,
  defineSignedInPage,
  requireOwn,
  type SignedInRequest,
} from "../page.ts";
import { listCells, peopleColumns } from "../search/people-downloads.tsx";
import { comparedMax, formatLogins, splitLogins } from "../search/search-query.ts";
import { getPersonId, ListChoice, NoteField } from "./save-forms.tsx";
import { createSavedEntry, getId, putOnList, putOnOtherList } from "./saved-actions.ts";
import { readRowFigures, SavedActions, SavedPerson } from "./saved-person.tsx";

const noteField = defineOptionalText("Note", savedLimits.noteLengthMax);

const pageSize = 50;

export const listPage = defineSignedInPage({
  path: "/saved/lists/:id",
  show: async (ask) => {
    const list = await getList(ask);
    const total = list.entries.length;
    if (ask.url.searchParams.get("format") === "csv") {
      const people = await readPeople(ask, list, { from: 0, most: total });
      return exportList(list, keepChosen(people, ask.url.searchParams.getAll("login")));
    }
    const page = readPage(ask.url, pageSize, total);
    const people = await readPeople(ask, list, { from: (page - 1) * pageSize, most: pageSize });
    const figures = await readRowFigures(
      ask,
      people.map(({ entry }) => entry.login),
    );
    const lists = await ask.modules.control.saved.lists(ask.visitor.account.id);
    const body =
      total === 0 ? (
        <EmptyState>
          No one is on this list yet. <a href="/">Search</a>, select people, then choose Add to
          list.
        </EmptyState>
      ) : (
        <>
          <section aria-label="People">
            {renderOrders(ask, total)}
            <ol class="people">
              {people.map(({ entry, card }) => (
                <SavedPerson
                  {...{ login: entry.login, card, figures, score: card?.score }}
                  pickedBy="selected"
                >
                  {renderNote(ask, entry)}
                  <span class="small muted saved-state">
                    added <Ago at={entry.addedAt} now={ask.now} />
                  </span>
                </SavedPerson>
              ))}
            </ol>
          </section>
          <PageLinks label="Pages of the list" url={ask.url} size={pageSize} {...{ page, total }} />
          {renderSelected(
            ask,
            lists.filter(({ id }) => id !== list.id),
          )}
        </>
      );
    const back = { to: "/saved", label: "All lists and searches" };
    return { title: list.name, actions: renderActions(ask, people), back, body };
  },
  actions: {
    add: defineAction({ login: loginField, note: noteField }, (ask, person) =>
      putOnList(ask, getId(ask), person),
    ),
    note: defineAction(
      { login: loginField, note: noteField },
      async (ask, { login, note = "" }) => {
        const { saved } = ask.modules.control;
        await getList(ask);
        const change = { login, note: note.trim(), at: ask.now };
        if (!(await saved.changeNote(ask.visitor.account.id, getId(ask), change))) {
          return { refusal: "This person is no longer on the list, so there is no note." };
        }
        const at = encodeURIComponent(getPersonId(login));
        const notice = { text: "Note saved.", person: login };
        return { goTo: `${ask.url.pathname}${ask.url.search}#${at}`, notice };
      },
    ),
    compare: defineForSelected(
      (_, logins) => ({ goTo: `/compare?${formatLogins(logins)}` }),
      comparedMax,
    ),
    export: defineForSelected(({ url }, logins) => {
      return { goTo: `${url.pathname}?format=csv&${formatLogins(logins)}` };
    }),
    move: defineForSelected(putOnOtherList),
    remove: defineForSelected(async (ask, logins) => {
      const { saved } = ask.modules.control;
      const { id } = ask.visitor.account;
      for (const login of logins) await saved.removeEntry(id, getId(ask), login, ask.now);
      const who = logins.length === 1 ? logins[0] : `${logins.length} people`;
      return { goTo: ask.url.pathname, notice: { text: `Removed ${who} from the list.` } };
    }),
    "remove-list": defineButton(async (ask) => {
      const by = createSavedEntry(ask, "list.removed", getId(ask));
      const { saved } = ask.modules.control;
      requireOwn(await saved.removeList(ask.visitor.account.id, getId(ask), by), "list");
      return { goTo: "/saved", notice: { text: "The list is deleted." } };
    }),
  },
});

/**
 * Defines an action about the people whose boxes are ticked.
 * @param otherwise how many people of the list are meant if no box is ticked. Default: none, so the action is refused.
 */
function defineForSelected(
  run: (
    ask: SignedInRequest,
    logins: readonly string[],
    list: string | undefined,
  ) => ActionOutcome | Promise<ActionOutcome>,
  otherwise = 0,
) {
  const fields = { login: loginsField, list: defineOptionalText("List", 60) };
  return defineAction(fields, async (ask: SignedInRequest, { login = "", list }) => {
    const people = await getList(ask);
    const ticked = splitLogins([login]);
    const isAsked = ticked.length > 0 || otherwise === 0;
    const first = isAsked ? [] : await readPeople(ask, people, { from: 0, most: otherwise });
    const logins = [...ticked, ...first.map(({ entry }) => entry.login)];
    if (logins.length === 0) return { refusal: "Select at least one person first." };
    return run(ask, logins, list);
  });
}

async function getList(ask: SignedInRequest): Promise<PeopleList> {
  const { saved } = ask.modules.control;
  return requireOwn(await saved.findList(ask.visitor.account.id, getId(ask)), "list");
}

interface PersonOnList {
  readonly entry: ListEntry;
  /** The card of the person; `undefined` if the person is no longer in the pool. */
  readonly card: Card | undefined;
}

function keepChosen(people: readonly PersonOnList[], logins: readonly string[]) {
  const chosen = new Set(splitLogins(logins).map((login) => login.toLowerCase()));
  return people.filter(({ entry }) => chosen.size === 0 || chosen.has(entry.login.toLowerCase()));
}

const names = new Intl.Collator("en", { sensitivity: "base" });

const getName = ({ entry, card }: PersonOnList) => card?.name ?? entry.login;

type Compare = (a: PersonOnList, b: PersonOnList) => number;
const orders: Readonly<Record<string, readonly [label: string, compare: Compare]>> = {
  added: ["Last added", () => 0],
  name: ["Name", (a, b) => names.compare(getName(a), getName(b))],
  score: ["Score", (a, b) => (b.card?.score ?? -1) - (a.card?.score ?? -1)],
};

function findOrder({ url }: SignedInRequest): string {
  const order = url.searchParams.get("sort") ?? "";
  return Object.hasOwn(orders, order) ? order : "added";
}

/** Reads a part of the list. Reading many people is throttled. */
async function readPeople(
  ask: SignedInRequest,
  { entries }: PeopleList,
  { from, most }: { readonly from: number; readonly most: number },
) {
  const order = findOrder(ask);
  const isByKey = order !== "added";
  const read = async () => {
    const wanted = isByKey ? entries : entries.slice(from, from + most);
    const cards = await ask.modules.pool.findCards(wanted.map(({ login }) => login));
    const people = wanted.map((entry, at) => ({ entry, card: cards[at] }));
    return isByKey ? people.sort(orders[order]?.[1]).slice(from, from + most) : people;
  };
  if (entries.length <= pageSize || (!isByKey && most <= pageSize)) return read();
  const answer = await ask.calls.compute(ask, read);
  if (!answer.ok) throw answer.problem;
  return answer.shown;
}

function renderActions(ask: SignedInRequest, people: readonly PersonOnList[]) {
  const form = { ask, act: "add" };
  const lines = people.map((person) => {
    const { login, note } = person.entry;
    return `${getName(person)} (${login})${note && `: ${note}`}`;
  });
  const file = people.length > 0 ? `${ask.url.pathname}?sort=${findOrder(ask)}&format=csv` : "";
  const loss = "This deletes the list and its notes. The people stay in Roster.";
  return (
    <SavedActions {...{ ask, file, loss }} what="list">
      <Popup label="Add a person" tone="plain" isOpen={isRefused(form)}>
        <Form {...form} submit="Add">
          <Field form={form} name="login" label="Login" hint="Looking up a login uses one call." />
          <NoteField form={form} optional />
        </Form>
      </Popup>
      {file && (
        <Popup label="Share" tone="plain">
          <Copyable id="as-text" label="As text" text={lines.join("\n")} />
        </Popup>
      )}
    </SavedActions>
  );
}

function renderOrders(ask: SignedInRequest, total: number) {
  const current = findOrder(ask);
  return (
    <div class="list-facts">
      <h2>{formatCounted(total, "person", "people")}</h2>
      <span class="small muted">
        Sort by{" "}
        {Object.entries(orders).map(([order, [label]], at) => [
          at > 0 && " · ",
          order === current ? (
            <strong aria-current="true">{label}</strong>
          ) : (
            <a href={`${ask.url.pathname}?sort=${order}`}>{label}</a>
          ),
        ])}
      </span>
    </div>
  );
}

/** The note on a person. A click on it opens the form that changes it. */
function renderNote(ask: SignedInRequest, { login, note }: ListEntry) {
  const form = { ask, act: "note", person: login };
  const isDone = ask.notice?.person?.toLowerCase() === login.toLowerCase();
  return (
    <div class="listed-note small">
      <details open={isRefused(form)}>
        <summary>
          <span class={note === "" ? "note-edit" : "note-text"}>{note || "Add note"}</span>
          <span class="unseen">
            {note && " Edit the note"} on {login}
          </span>
          {isDone && <span role="status"> {ask.notice?.text}</span>}
        </summary>
        <Form {...form} submit="Save">
          <NoteField form={form} value={note} />
        </Form>
      </details>
    </div>
  );
}

function renderSelected(ask: SignedInRequest, others: readonly ListSummary[]) {
  const { pathname, search } = ask.url;
  const acts = { compare: "Compare", export: "Export", remove: "Remove" };
  return (
    <form method="post" id="selected" class="selected" action={pathname + search}>
      <input type="hidden" name="token" value={ask.token} />
      <p class="small muted">Select people, or compare the first {comparedMax}.</p>
      <div class="actions">
        {Object.entries(acts).map(([act, label]) => (
          <button type="submit" name="act" value={act} class="plain small-button">
            {label}
          </button>
        ))}
        {others.length > 0 && (
          <Popup label="Move to" tone="plain">
            <div class="stack">
              <ListChoice form={{ ask, act: "move" }} lists={others} />
              <button type="submit" name="act" value="move">
                Move
              </button>
            </div>
          </Popup>
        )}
      </div>
    </form>
  );
}

/** Creates a CSV file. The columns are those of a search's CSV file, and then the note and the day when the person was added. */
function exportList({ name }: PeopleList, people: readonly PersonOnList[]) {
  const heading = [...peopleColumns.map((column) => column.heading), "note", "added"];
  const rows = people.map(({ entry: { login, note, addedAt }, card }) => {
    return [...listCells(login, card), note, addedAt.slice(0, 10)];
  });
  return createCsvDownload(toCsvFileName(name), [heading, ...rows]);
}
