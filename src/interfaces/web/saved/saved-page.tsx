/** The page with the lists of people and the searches that an account has saved. Other accounts do not see them. */
import { savedLimits } from "../../../control/saved-records.ts";
import { defineText } from "../form.ts";
import { formatCounted } from "../look/format.ts";
import { Field, Form } from "../look/forms.tsx";
import { Ago, Badge, ButtonLink, Panel, Popup, Rows } from "../look/parts.tsx";
import { defineAction, defineSignedInPage } from "../page.ts";
import { addList, addSearch, describeChanges } from "./saved-actions.ts";

const { nameLengthMax, queryLengthMax } = savedLimits;

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
