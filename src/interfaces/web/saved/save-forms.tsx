/**
 * Forms that save what a page shows: a person on a list, or a search. Any page may embed them; they post to the saved
 * pages.
 */
import { savedLimits } from "../../../control/saved-records.ts";
import { Choice, Disclosure, Field, Form } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import type { SignedInProperties, SignedInRequest } from "../page.ts";

/** The form "Add to a list" on the page of one person. */
export async function renderAddToList(ask: SignedInRequest, login: string): Promise<Html> {
  const lists = await ask.modules.control.saved.lists(ask.visitor.account.id);
  const known = lists.map(({ id, name, people }) => ({ value: id, label: `${name} (${people})` }));
  const form = { ask, act: "add" };
  return (
    <Disclosure label="Add to a list">
      <Form
        {...form}
        submit="Add to the list"
        tone="plain"
        to="/saved"
        hidden={{ login, shown: ask.markShown(login) }}
      >
        <Choice
          form={form}
          name="list"
          label="List"
          options={[...known, { value: "new", label: "A new list" }]}
          value={known[0]?.value ?? "new"}
        />
        <Field
          form={form}
          name="name"
          label="Name of a new list"
          maxlength={savedLimits.nameLengthMax}
          optional
        />
        <Field
          form={form}
          name="note"
          label="Note"
          maxlength={savedLimits.noteLengthMax}
          optional
        />
      </Form>
    </Disclosure>
  );
}

interface SaveSearchProperties extends SignedInProperties {
  /** The query of the search's address, without a question mark. */
  readonly query: string;
  /** A suggested name. */
  readonly name: string;
}

/** The form "Save this search" on the page of its results. */
export function SaveSearch({ ask, query, name }: SaveSearchProperties) {
  const form = { ask, act: "save-search" };
  return (
    <Disclosure label="Save this search">
      <Form {...form} submit="Save the search" tone="plain" to="/saved" hidden={{ query }}>
        <Field
          form={form}
          name="name"
          label="Name"
          hint={`Saving runs it once, for the first ${savedLimits.foundMax} people, which counts as one call.`}
          value={name.slice(0, savedLimits.nameLengthMax)}
          maxlength={savedLimits.nameLengthMax}
        />
      </Form>
    </Disclosure>
  );
}
