/** The page with the lists of people and the searches that an account has saved. Other accounts do not see them. */
import { type SavedSearch, savedLimits } from "../../../control/saved-records.ts";
import { defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Field, Form } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Ago, Panel } from "../look/parts.tsx";
import { defineAction, defineSignedInPage } from "../page.ts";
import { addList, addSearch, describeChanges } from "./saved-actions.ts";

const { nameLengthMax, queryLengthMax } = savedLimits;

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
            empty={`No list yet. "Add to list" stands beside each person in a search, on their page, in who knows and in compare.`}
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
              ["What changed", formatChanges],
            ]}
            rows={searches}
            empty={`No search yet. "Save this search" on a page of results adds one; it then runs by itself whenever people come or change, and this page shows who is new, gone or moved.`}
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
    "save-search": defineAction(
      { name: defineText("Name", nameLengthMax), query: defineText("Search", queryLengthMax) },
      addSearch,
    ),
  },
});

/** Describes the changes of a saved search. New people whom the account has not looked at make the text bold. */
function formatChanges(search: SavedSearch): Children {
  const text = describeChanges(search);
  return search.new > 0 && !search.isLookedAt ? <strong>{text}</strong> : text;
}
