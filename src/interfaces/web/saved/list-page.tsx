/** One list of people that an account keeps. */
import { type ListEntry, type PeopleList, savedLimits } from "../../../control/saved-records.ts";
import { createCsvDownload, toCsvFileName } from "../download.ts";
import { defineOptionalText, loginField } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Field, Form, GuardedForm } from "../look/forms.tsx";
import { Ago, Badge, Panel, Rows } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import {
  type Download,
  defineAction,
  defineButton,
  defineSignedInPage,
  requireOwn,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { createSavedEntry, getId, putOnList } from "./saved-actions.ts";

export const listPage = defineSignedInPage({
  path: "/saved/lists/:id",
  show: async (ask) => {
    const list = await getList(ask);
    if (ask.url.searchParams.get("format") === "csv") return exportList(list);
    const cards = await ask.modules.operating.pool.findCards(
      list.entries.map(({ login }) => login),
    );
    const body = (
      <>
        <Panel title={list.people === 1 ? "1 person" : `${formatCount(list.people)} people`}>
          <Rows empty="No one is on the list yet.">
            {list.entries.map((entry, at) => (
              <EntryRow ask={ask} entry={entry} isHere={cards[at] !== undefined} />
            ))}
          </Rows>
          {list.people > 0 && (
            <p class="small">
              <a href={`${ask.url.pathname}?format=csv`}>Download as CSV</a>
            </p>
          )}
        </Panel>
        <Panel title="Add a person">
          <Form ask={ask} act="add" submit="Add to the list" tone="plain">
            <Field
              form={{ ask, act: "add" }}
              name="login"
              label="Login"
              hint="Looking up a login counts as one call; adding a person from their own page does not."
            />
            <Field form={{ ask, act: "add" }} name="note" label="Note" optional />
          </Form>
        </Panel>
        <GuardedForm ask={ask} act="remove-list" label="Remove the list" submit="Remove the list">
          <p>The list and its notes are gone for good; the people stay where they are.</p>
        </GuardedForm>
      </>
    );
    const back = { to: "/saved", label: "All lists and searches" };
    return { title: list.name, back, body };
  },
  actions: {
    add: defineAction(
      { login: loginField, note: defineOptionalText("Note", savedLimits.noteLengthMax) },
      (ask, person) => putOnList(ask, getId(ask), person),
    ),
    remove: defineAction({ login: loginField }, async (ask, { login }) => {
      const { saved } = ask.modules.control;
      await getList(ask);
      await saved.removeEntry(ask.visitor.account.id, getId(ask), login, ask.now);
      return { goTo: ask.url.pathname, notice: { text: `${login} is off the list.` } };
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

interface EntryRowProperties extends SignedInProperties {
  readonly entry: ListEntry;
  readonly isHere: boolean;
}

function EntryRow({ ask, entry: { login, note, addedAt }, isHere }: EntryRowProperties) {
  return (
    <li>
      <div class="row-head">
        <div class="free">
          {isHere ? <DeveloperLink login={login} /> : login}{" "}
          {!isHere && <Badge tone="warn">no longer in the pool</Badge>}
        </div>
        <Form ask={ask} act="remove" submit="Take off" tone="plain" inline hidden={{ login }} />
      </div>
      {note !== "" && <p class="free">{note}</p>}
      <p class="muted small">
        added <Ago at={addedAt} now={ask.now} />
      </p>
    </li>
  );
}

function exportList({ name, entries }: PeopleList): Download {
  const rows = entries.map(({ login, note, addedAt }) => [login, note, addedAt]);
  return createCsvDownload(toCsvFileName(name), [["login", "note", "added_at"], ...rows]);
}
