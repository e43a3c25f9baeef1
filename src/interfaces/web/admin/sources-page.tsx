import { defineOptionalText, defineText } from "../form.ts";
import { Field, Form, type FormProps } from "../look/forms.tsx";
import { EmptyState, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { createPolling } from "./run-parts.tsx";
import { SourceRow } from "./source-row.tsx";

const path = "/admin/sources";

/** Lists what Roster reads by itself, and checks the address of a new source. */
export const sourcesPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const { sources } = ask.modules;
    const list = await sources.list();
    const known = list.length > 0 && (
      <Panel title="Your sources" {...createPolling(true, path, "sources")}>
        <ul class="rows">
          {list.map((source) => (
            <SourceRow ask={ask} source={source} />
          ))}
        </ul>
      </Panel>
    );
    const adding = sources.canChange ? (
      <Adding ask={ask} />
    ) : (
      <EmptyState>This server cannot add sources: its data is in memory or read-only.</EmptyState>
    );
    const body = (
      <>
        <p class="muted">
          Roster reads people and code from these places, and changes nothing there.
        </p>
        {known ? (
          <div class="with-side">
            {known}
            <div class="side">{adding}</div>
          </div>
        ) : (
          adding
        )}
      </>
    );
    return { title: "Sources", body, moves: true };
  },
  actions: {
    check: defineAction(
      { address: defineText("Address", 2000), secret: defineOptionalText("Token", 1000) },
      (ask: SignedInRequest, { address, secret }) => checkSource(ask, address.trim(), secret),
    ),
    refresh: defineAction({ source: defineText("Source", 200) }, async (ask, { source }) => {
      const isKnown = await ask.modules.sources.request(source, ask.visitor.account.id);
      if (!isKnown) return { refusal: `There is no source ${source}. Reload the page.` };
      return { goTo: path, notice: { text: `${source} will be read in a moment.` } };
    }),
  },
});

/**
 * Checks an address and leads to what was found. The token stays in memory, so that it is part of neither HTML nor addresses.
 * @param id the source that is changed.
 */
export async function checkSource(
  { modules, visitor }: SignedInRequest,
  address: string,
  secret: string | undefined,
  id?: string,
): Promise<ActionOutcome> {
  const token = secret?.trim();
  const finding = await modules.sources.find({ address, token }, id);
  if (!finding.ok) {
    const { field, message } = finding;
    return { refusal: message, field: field === "token" ? "secret" : id ? undefined : field };
  }
  const number = crypto.randomUUID();
  const source = { ...(id !== undefined && { id }), finding, token };
  modules.checkedSources.put(`${visitor.account.id} ${number}`, source);
  return { goTo: `${path}/add/${number}` };
}

function Adding({ ask }: SignedInProperties) {
  const form = { ask: withoutCredentials(ask), act: "check" };
  const { roots } = ask.modules.sources;
  const folders = roots.length > 0 ? `, or a folder in ${roots.join(", ")}` : "";
  return (
    <Panel title="Add a source" id="add">
      <Form {...form} submit="Check">
        <ol class="guide">
          <li>
            <Field
              {...{ form, name: "address", label: "Address", inputmode: "url", maxlength: 2000 }}
              hint={`A forge, an organization or one repository${folders}.`}
              placeholder="https://github.com/acme"
            />
          </li>
          <li>
            <TokenField form={form} hint="Leave empty for public repositories." />
          </li>
        </ol>
      </Form>
      <p class="small muted">This check saves nothing. The next page shows what Roster found.</p>
    </Panel>
  );
}

/** The name of the field is `secret`, because `token` is in every form, against forgery. */
export function TokenField({ form, hint }: { readonly form: FormProps; readonly hint: string }) {
  const field = { form, hint, name: "secret", label: "Token", type: "password" };
  return <Field {...field} autocomplete="new-password" optional />;
}

/** Clears an address that may contain a password, so that the page does not show it again. */
function withoutCredentials(ask: SignedInRequest): SignedInRequest {
  const { address = "", ...given } = ask.refused?.given ?? {};
  const isSafe = !address.includes("@") || /^(?:ssh:\/\/)?[\w.-]+@[^@]*$/.test(address);
  return !ask.refused || isSafe ? ask : { ...ask, refused: { ...ask.refused, given } };
}
