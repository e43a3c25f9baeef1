/** The page with the lists of people and the searches that an account has saved. Other accounts do not see them. */
import { savedLimits } from "../../../control/saved-records.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { formatCounted, formatPeople } from "../look/format.ts";
import { Field, Form } from "../look/forms.tsx";
import { Ago, Badge, ButtonLink, Panel, Popup, Rows } from "../look/parts.tsx";
import { defineAction, defineSignedInPage } from "../page.ts";
import { readNames } from "../search/pick-tray.tsx";
import { splitLogins } from "../search/search-query.ts";
import { AddFields, getPersonId, readKnownLists } from "./save-forms.tsx";
import { addList, addSearch, describeChanges, openList, putOnList } from "./saved-actions.ts";

const { nameLengthMax, noteLengthMax, queryLengthMax } = savedLimits;

export const savedPage = defineSignedInPage({
  path: "/saved",
  show: async (ask) => {
    const { saved } = ask.modules.control;
    const { id } = ask.visitor.account;
    const [lists, searches] = await Promise.all([saved.lists(id), saved.searches(id)]);
    const form = { ask, act: "add-list" };
    const newList = (
      <Popup label="New list" tone="plain" isOpen={ask.refused?.act === "add-list"}>
        <Form {...form} submit="Create">
          <Field form={form} name="name" label="Name of the list" maxlength={nameLengthMax} />
        </Form>
      </Popup>
    );
    const body = (
      <>
        <div class="columns">
          <Panel title="Lists" actions={newList}>
            <Rows empty="No lists yet. Select people in a search, then choose Add to list.">
              {lists.map(({ id, name, people, changedAt }) => (
                <li class="saved-row">
                  <a href={`/saved/lists/${id}`}>{name}</a>
                  <p class="small muted">
                    {formatCounted(people, "person", "people")} · changed{" "}
                    <Ago at={changedAt} now={ask.now} />
                  </p>
                </li>
              ))}
            </Rows>
          </Panel>
          <Panel title="Searches" actions={<ButtonLink to="/" label="New search" />}>
            <Rows empty="No saved searches yet. Search, then choose Save search. This page then shows who is new.">
              {searches.map((search) => (
                <li class="saved-row">
                  <a href={`/saved/searches/${search.id}`}>{search.name}</a>
                  {search.new > 0 && !search.isLookedAt && (
                    <Badge tone="good">{search.new} new</Badge>
                  )}
                  <p class="small muted">
                    {formatCounted(search.total, "person", "people")} · {describeChanges(search)}
                  </p>
                </li>
              ))}
            </Rows>
          </Panel>
        </div>
        <p class="small muted">
          Only you see these. People who ask to be forgotten are removed from them.
        </p>
      </>
    );
    return { title: "Saved", body };
  },
  actions: {
    "add-list": defineAction({ name: defineText("Name", nameLengthMax) }, async (ask, { name }) => {
      const made = await addList(ask, name);
      if ("refusal" in made) return made;
      return { goTo: `/saved/lists/${made.id}`, notice: { text: "The list is ready." } };
    }),
    "save-search": defineAction(
      { name: defineText("Name", nameLengthMax), query: defineText("Search", queryLengthMax) },
      addSearch,
    ),
  },
});

const loginsLengthMax = 10_000;

/** Adds people to a list. Forms on other pages send to this page, and the tray of selected people leads to it. */
export const addPage = defineSignedInPage({
  path: "/saved/add",
  show: async (ask) => {
    const { lists } = await readKnownLists(ask, []);
    const form = { ask, act: "add" };
    const query = ask.url.searchParams;
    const { shown, back = query.get("back") ?? "", login } = ask.refused?.given ?? {};
    const logins = splitLogins(login ? [login] : query.getAll("login"));
    const [first = ""] = logins;
    const { calls, visitor } = ask;
    const isShown = first !== "" && logins.every((one) => calls.wasShown(visitor.account.id, one));
    const isReturning = ask.isReturnPath(back);
    const names = logins.map(await readNames(ask, logins));
    const all = logins.join(" ");
    const body = (
      <Panel title="List and note">
        <Form
          {...form}
          submit="Add"
          hidden={{
            ...(isReturning && { back }),
            ...(shown && { shown }),
            // A mark proves that pages have shown all of them, so that adding them costs no call.
            ...(isShown && { shown: ask.markShown(all) }),
            ...((isShown || logins.length > 1) && { login: all }),
          }}
        >
          {logins.length > 1 && <p>{names.join(", ")}</p>}
          {logins.length < 2 && !isShown && (
            <Field
              form={form}
              name="login"
              label="Login"
              value={first}
              hint="Looking up a login that no page has shown uses one call."
            />
          )}
          <AddFields form={form} lists={lists} isFocused={isShown && !ask.refused} />
        </Form>
      </Panel>
    );
    const who = logins.length > 1 ? formatPeople(logins.length) : isShown ? names[0] : "a person";
    const linked = isReturning
      ? { to: `${back}#${encodeURIComponent(getPersonId(first))}`, label: "Back" }
      : { to: "/saved", label: "All lists and searches" };
    return { title: `Add ${who} to a list`, back: linked, body };
  },
  actions: {
    add: defineAction(
      {
        login: defineText("Login", loginsLengthMax),
        list: defineOptionalText("List", 60),
        shown: defineOptionalText("Mark of the page", 64),
        back: defineOptionalText("Page to return to", 4000),
        name: defineOptionalText("Name of a new list", nameLengthMax),
        note: defineOptionalText("Note", noteLengthMax),
      },
      async (ask, { list, name, ...person }) => {
        if (name !== undefined) {
          const opened = await openList(ask, name);
          return "refusal" in opened ? opened : putOnList(ask, opened.id, person);
        }
        if (list !== undefined) return putOnList(ask, list, person);
        return { refusal: "A new list needs a name, so no one was added.", field: "name" };
      },
    ),
  },
});
