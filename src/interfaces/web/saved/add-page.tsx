/** The page that adds a person to a list. Forms on other pages send to this page. */
import { savedLimits } from "../../../control/saved-records.ts";
import { defineOptionalText, loginField } from "../form.ts";
import { Field, Form } from "../look/forms.tsx";
import { Panel } from "../look/parts.tsx";
import { defineAction, defineSignedInPage } from "../page.ts";
import { AddFields, readKnownLists } from "./save-forms.tsx";
import { openList, putOnList } from "./saved-actions.ts";

const { nameLengthMax, noteLengthMax } = savedLimits;

export const addPage = defineSignedInPage({
  path: "/saved/add",
  show: async (ask) => {
    const { lists } = await readKnownLists(ask, []);
    const form = { ask, act: "add" };
    const { shown, back } = ask.refused?.given ?? {};
    const body = (
      <Panel title="Who, and on which list">
        <Form {...form} submit="Add" hidden={{ ...(shown && { shown }), ...(back && { back }) }}>
          <Field
            form={form}
            name="login"
            label="Login"
            value={ask.url.searchParams.get("login") ?? ""}
            hint="Looking up a login that no page has shown counts as one call."
          />
          <AddFields form={form} lists={lists} />
        </Form>
      </Panel>
    );
    const linked = { to: "/saved", label: "All lists and searches" };
    return { title: "Add a person to a list", back: linked, body };
  },
  actions: {
    add: defineAction(
      {
        login: loginField,
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
