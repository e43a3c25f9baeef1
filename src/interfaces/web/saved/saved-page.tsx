/** The lists of people and the searches that an account has saved. Other accounts do not see them. */
import { savedLimits } from "../../../control/saved-records.ts";
import { defineOptionalText, defineText, loginField } from "../form.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount } from "../look/format.ts";
import { Field, Form } from "../look/forms.tsx";
import { Ago, Panel } from "../look/parts.tsx";
import { defineAction, defineSignedInPage } from "../page.ts";
import { addList, addSearch, describeChanges, putOnList } from "./saved-actions.ts";

const { nameLengthMax, noteLengthMax, queryLengthMax } = savedLimits;

export const savedPage = defineSignedInPage({
  path: "/saved",
  show: async (ask) => {
    const { saved } = ask.modules.control;
    const { id } = ask.visitor.account;
    const [lists, searches] = await Promise.all([saved.lists(id), saved.searches(id)]);
    const body = (
      <>
        <p class="muted">
          Only you see these. People who ask to be forgotten are removed from them.
        </p>
        <Panel title="Lists of people">
          <DataTable
            columns={[
              ["List", ({ id, name }) => <a href={`/saved/lists/${id}`}>{name}</a>],
              ["People", ({ people }) => formatCount(people), "number"],
              ["Changed", ({ changedAt }) => <Ago at={changedAt} now={ask.now} />],
            ]}
            rows={lists}
            empty={`No list yet. A developer's page has "Add to a list".`}
          />
          <Form ask={ask} act="add-list" submit="Make a list" tone="plain">
            <Field form={{ ask, act: "add-list" }} name="name" label="Name of a new list" />
          </Form>
        </Panel>
        <Panel title="Searches">
          <DataTable
            columns={[
              ["Search", ({ id, name }) => <a href={`/saved/searches/${id}`}>{name}</a>],
              ["People", ({ total }) => formatCount(total), "number"],
              ["When last run", describeChanges],
            ]}
            rows={searches}
            empty={`No search yet. "Save this search" on a page of results adds one; this page then shows who is new, gone or changed.`}
          />
        </Panel>
      </>
    );
    return { title: "Saved", body };
  },
  actions: {
    "add-list": defineAction(
      { name: defineText("Name of a new list", nameLengthMax) },
      async (ask, { name }) => {
        const made = await addList(ask, name);
        if ("refusal" in made) return made;
        return { goTo: "/saved", notice: { text: `The list ${name.trim()} is made.` } };
      },
    ),
    add: defineAction(
      {
        login: loginField,
        list: defineText("List", 60),
        shown: defineOptionalText("Mark of the page", 64),
        name: defineOptionalText("Name of a new list", nameLengthMax),
        note: defineOptionalText("Note", noteLengthMax),
      },
      async (ask, { list, name, ...person }) => {
        if (list !== "new") return putOnList(ask, list, person);
        if (name === undefined) {
          return { refusal: "A new list needs a name, so no one was added.", field: "name" };
        }
        const made = await addList(ask, name);
        return "refusal" in made ? made : putOnList(ask, made.id, person);
      },
    ),
    "save-search": defineAction(
      { name: defineText("Name", nameLengthMax), query: defineText("Search", queryLengthMax) },
      addSearch,
    ),
  },
});
