/** The page of one list of people. Opening the page costs no call. */
import type { Card } from "../../../contract/people/developer.ts";
import { type ListEntry, type PeopleList, savedLimits } from "../../../control/saved-records.ts";
import { createCsvDownload, toCsvFileName } from "../download.ts";
import { defineOptionalText, loginField } from "../form.ts";
import { formatPeople } from "../look/format.ts";
import { Disclosure, Field, Form, GuardedForm, isRefused } from "../look/forms.tsx";
import { PageLinks, readPage } from "../look/lists.tsx";
import { Ago, Badge, EmptyState } from "../look/parts.tsx";
import { Avatar, PersonHeading } from "../look/people.tsx";
import {
  type Download,
  defineAction,
  defineButton,
  defineSignedInPage,
  requireOwn,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { peopleColumns } from "../search/people-downloads.ts";
import { PersonPick, PickTray } from "../search/pick-tray.tsx";
import { getPersonId, NoteField } from "./save-forms.tsx";
import { createSavedEntry, getId, putOnList } from "./saved-actions.ts";

const noteField = defineOptionalText("Note", savedLimits.noteLengthMax);

const pageSize = 50;

export const listPage = defineSignedInPage({
  path: "/saved/lists/:id",
  show: async (ask) => {
    const list = await getList(ask);
    const { length: total } = list.entries;
    if (ask.url.searchParams.get("format") === "csv") {
      return exportList(list, await readPeople(ask, list, { from: 0, most: total }));
    }
    const page = readPage(ask.url, pageSize, total);
    const people = await readPeople(ask, list, { from: (page - 1) * pageSize, most: pageSize });
    const body = (
      <>
        {total === 0 ? (
          <EmptyState>
            No one is on the list yet. "Add to list" stands beside each person in a{" "}
            <a href="/">search</a>.
          </EmptyState>
        ) : (
          <section class="results" aria-labelledby="people">
            <div class="heading">
              <h2 id="people">{formatPeople(total)}</h2>
              <Orders ask={ask} />
            </div>
            <form method="get" action="/compare" id="picks" />
            <ol class="people">
              {people.map((person) => (
                <ListedCard ask={ask} {...person} />
              ))}
            </ol>
            <PageLinks
              label="Pages of the list"
              {...{ page, total }}
              size={pageSize}
              toPage={(number) => `${ask.url.pathname}?sort=${findOrder(ask)}&page=${number}`}
            />
            <PickTray form="picks" picked={[]} />
          </section>
        )}
        <Disclosure label="Add a person by login" form={{ ask, act: "add" }}>
          <Form ask={ask} act="add" submit="Add to the list" tone="plain">
            <Field
              form={{ ask, act: "add" }}
              name="login"
              label="Login"
              hint="Looking up a login counts as one call; adding a person whom a page shows does not."
            />
            <NoteField form={{ ask, act: "add" }} optional />
          </Form>
        </Disclosure>
        <GuardedForm ask={ask} act="remove-list" label="Remove the list" submit="Remove the list">
          <p>The list and its notes are gone for good; the people stay where they are.</p>
        </GuardedForm>
      </>
    );
    const back = { to: "/saved", label: "All lists and searches" };
    return { title: list.name, back, body, picks: true };
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
        return returnTo(ask, login, "The note is saved.");
      },
    ),
    remove: defineAction({ login: loginField }, async (ask, { login }) => {
      const { saved } = ask.modules.control;
      await getList(ask);
      await saved.removeEntry(ask.visitor.account.id, getId(ask), login, ask.now);
      const goTo = ask.url.pathname + ask.url.search;
      return { goTo, notice: { text: `${login} is off the list.` } };
    }),
    "remove-list": defineButton(async (ask) => {
      const by = createSavedEntry(ask, "list.removed", getId(ask));
      const { saved } = ask.modules.control;
      requireOwn(await saved.removeList(ask.visitor.account.id, getId(ask), by), "list");
      return { goTo: "/saved", notice: { text: "The list is removed." } };
    }),
  },
});

async function getList(ask: SignedInRequest): Promise<PeopleList> {
  const { saved } = ask.modules.control;
  return requireOwn(await saved.findList(ask.visitor.account.id, getId(ask)), "list");
}

/** Redirects to the entry of a person on the list, where the notice is shown. */
function returnTo({ url }: SignedInRequest, person: string, text: string) {
  const at = encodeURIComponent(getPersonId(person));
  return { goTo: `${url.pathname}${url.search}#${at}`, notice: { text, person } };
}

interface PersonOnList {
  readonly entry: ListEntry;
  /** The card of the person; `undefined` if the person is no longer in the pool. */
  readonly card: Card | undefined;
}

const names = new Intl.Collator("en", { sensitivity: "base" });

const getName = ({ entry, card }: PersonOnList) => card?.name ?? entry.login;

type Compare = (a: PersonOnList, b: PersonOnList) => number;
const orders: Readonly<Record<string, readonly [label: string, compare: Compare]>> = {
  added: ["last added", () => 0],
  name: ["name", (a, b) => names.compare(getName(a), getName(b))],
  score: ["score", (a, b) => (b.card?.score ?? -1) - (a.card?.score ?? -1)],
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
): Promise<readonly PersonOnList[]> {
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

/** Links to the list in other orders, and to a CSV file in the current order. */
function Orders({ ask }: SignedInProperties) {
  const current = findOrder(ask);
  const { pathname } = ask.url;
  return (
    <p class="small muted result-facts">
      <span>
        by{" "}
        {Object.entries(orders).map(([order, [label]], at) => [
          at > 0 && " · ",
          order === current ? (
            <strong aria-current="true">{label}</strong>
          ) : (
            <a href={`${pathname}?sort=${order}`}>{label}</a>
          ),
        ])}
      </span>
      <a href={`${pathname}?sort=${current}&format=csv`}>CSV</a>
    </p>
  );
}

function ListedCard({ ask, entry, card }: SignedInProperties & PersonOnList) {
  const { login, addedAt } = entry;
  const facts = [findRoleName(ask, card), card?.location];
  return (
    <li class="person listed" id={getPersonId(login)}>
      {card ? (
        <PersonHeading login={login} name={card.name} heading="h3" />
      ) : (
        <>
          <Avatar login={login} />
          <div class="person-who">
            <h3>{login}</h3>
            <Badge tone="warn">no longer in the pool</Badge>
          </div>
        </>
      )}
      <p class="person-facts small">{facts.filter(Boolean).join(" · ")}</p>
      {card && (
        <p class="person-score number" title="Overall score of 100, for the person's best role">
          <span class="small muted">overall</span> {card.score.toFixed(1)}
          <span class="unseen"> of 100</span>
        </p>
      )}
      <div class="person-foot">
        <Note ask={ask} entry={entry} />
        <div class="person-actions small">
          <span class="muted">
            added <Ago at={addedAt} now={ask.now} />
          </span>
          <Form ask={ask} act="remove" submit="Remove" tone="plain" inline person={login} />
          {card && <PersonPick form="picks" login={login} name={card.name} />}
        </div>
      </div>
    </li>
  );
}

/** Finds the name of a person's best role, which is the first role of the card. */
function findRoleName({ modules }: SignedInRequest, card: Card | undefined): string | undefined {
  const [best] = Object.keys(card?.roleKeywords ?? {});
  return modules.index.roles.find(({ id }) => id === best)?.name;
}

/** Shows the note on a person, and a form that changes the note. */
function Note({ ask, entry: { login, note } }: SignedInProperties & { readonly entry: ListEntry }) {
  const form = { ask, act: "note", person: login };
  const { notice } = ask;
  const isDone = notice?.person?.toLowerCase() === login.toLowerCase();
  return (
    <div class="listed-note">
      <details open={isRefused(form)}>
        <summary>
          {note !== "" && <span class="free note-text">{note}</span>}{" "}
          <span class="note-edit">
            {note === "" ? "Add a note" : "Edit the note"}
            <span class="unseen"> on {login}</span>
          </span>
        </summary>
        <Form {...form} submit="Save the note">
          <NoteField form={form} value={note} />
        </Form>
      </details>
      {isDone && (
        <p class="small adder-done" role="status">
          {notice?.text}
        </p>
      )}
    </div>
  );
}

/** Creates a CSV file. The columns are those of a search's CSV file, and then the note and the day when the person was added. */
function exportList({ name }: PeopleList, people: readonly PersonOnList[]): Download {
  const heading = [...peopleColumns.map((column) => column.heading), "note", "added"];
  const rows = people.map(({ entry: { login, note, addedAt }, card }) => {
    const person = card && { ...card, matching_keywords: card.keywords.join(", ") };
    const known = peopleColumns.map(({ field }) => person?.[field]);
    return [login, ...known.slice(1), note, addedAt.slice(0, 10)];
  });
  return createCsvDownload(toCsvFileName(name), [heading, ...rows]);
}
