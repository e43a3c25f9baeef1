/** The page that adds people to a list. Forms on other pages send to this page, and the tray of selected people leads to it. */
import { savedLimits } from "../../../control/saved-records.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { formatPeople } from "../look/format.ts";
import { Field, Form } from "../look/forms.tsx";
import { Panel } from "../look/parts.tsx";
import { defineAction, defineSignedInPage, type SignedInRequest } from "../page.ts";
import { readNames } from "../search/pick-tray.tsx";
import { splitLogins } from "../search/search-query.ts";
import { AddFields, readKnownLists } from "./save-forms.tsx";
import { openList, putOnList } from "./saved-actions.ts";

const { nameLengthMax, noteLengthMax } = savedLimits;
const loginsLengthMax = 10_000;

export const addPage = defineSignedInPage({
  path: "/saved/add",
  show: async (ask) => {
    const { lists } = await readKnownLists(ask, []);
    const form = { ask, act: "add" };
    const { shown, back, login } = ask.refused?.given ?? {};
    const logins = splitLogins(login ? [login] : ask.url.searchParams.getAll("login"));
    const title = logins.length > 1 ? `Add ${formatPeople(logins.length)}` : "Add a person";
    const body = (
      <Panel title="List and note">
        <Form
          {...form}
          submit="Add"
          hidden={{ ...(shown && { shown }), ...(back && { back }), ...hideLogins(ask, logins) }}
        >
          {logins.length > 1 ? (
            <p>{logins.map(await readNames(ask, logins)).join(", ")}</p>
          ) : (
            <Field
              form={form}
              name="login"
              label="Login"
              value={logins[0] ?? ""}
              hint="Looking up a login that no page has shown uses one call."
            />
          )}
          <AddFields form={form} lists={lists} />
        </Form>
      </Panel>
    );
    const linked = { to: "/saved", label: "All lists and searches" };
    return { title: `${title} to a list`, back: linked, body };
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

/** Hides several logins in the form. If pages have shown all of them, a mark proves it, so that adding them costs no call. */
function hideLogins({ calls, visitor, markShown }: SignedInRequest, logins: readonly string[]) {
  if (logins.length < 2) return {};
  const login = logins.join(" ");
  const isShown = logins.every((one) => calls.wasShown(visitor.account.id, one));
  return { login, ...(isShown && { shown: markShown(login) }) };
}
