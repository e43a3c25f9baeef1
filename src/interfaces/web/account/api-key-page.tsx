/**
 * The page of the account's API key. Roster shows the key only once, when it is made. Before that, Roster asks for the password
 * or another sign-in, because somebody else may use an unattended browser.
 */
import { formatCall } from "../../../operations/example-call.ts";
import { operations } from "../../../operations/index.ts";
import { Disclosure, Form } from "../look/forms.tsx";
import { Ago, Copyable, EmptyState, FactList, Panel } from "../look/parts.tsx";
import { defineConfirmed, defineSignedInPage, type SignedInRequest } from "../page.ts";
import { createProviderAction, ProviderForms } from "../sign-in/sign-in-pages.tsx";

const path = "/account/api";

const exampleLabels: Readonly<Record<string, string>> = {
  search_developers: "Search people",
  get_developer: "One person",
  who_knows: "Who knows a folder",
};

export const apiPage = defineSignedInPage({
  path,
  show: (ask) => {
    const access = { address: ask.modules.publicUrl(), key: "$ROSTER_API_KEY" };
    const body = (
      <div class="columns">
        <Panel title="Key">{renderKey(ask)}</Panel>
        <Panel title="Examples" actions={<a href="/docs">All operations</a>}>
          <p>
            Put the key in the environment variable <code>ROSTER_API_KEY</code>, then run:
          </p>
          {operations.flatMap((operation) => {
            const label = exampleLabels[operation.name];
            const call = formatCall(operation, operation.example, access).join(" \\\n  ");
            return label ? [<Copyable id={operation.name} label={label} text={call} />] : [];
          })}
        </Panel>
      </div>
    );
    return { title: "API key", body };
  },
  actions: {
    create: defineConfirmed({}, (ask) =>
      ask.visitor.account.keyHint
        ? { refusal: "You have a key already. Replace it below." }
        : makeKey(ask, "Your API key is ready."),
    ),
    // Always asks for the password, because a new key breaks every program that uses the old key.
    regenerate: defineConfirmed(
      {},
      (ask) => makeKey(ask, "The new key works now. The old key has stopped working."),
      "always",
    ),
    provider: createProviderAction(() => path, "again"),
  },
});

async function makeKey({ modules, visitor: { account } }: SignedInRequest, text: string) {
  const key = await modules.actingAs(account.id).regenerateKey(account.email);
  const secret = { label: "API key", text: key };
  return { goTo: path, notice: { text: `${text} ${keepAdvice}`, secret } };
}

const keepAdvice =
  "Copy it now: Roster shows it only once. Keep it on servers, never in a page or in source control.";

/** Shows the key and the form that makes one. Users without a password must sign in again first. */
function renderKey(ask: SignedInRequest) {
  const { hasPassword, isFresh, account } = ask.visitor;
  const { keyHint, keyLastUsedAt } = account;
  const form = { ask, act: keyHint ? "regenerate" : "create" };
  const making =
    hasPassword || isFresh ? (
      <Form
        {...form}
        {...(keyHint
          ? { submit: "Replace", tone: "danger", password: "always" }
          : { submit: "Create a key", password: "unless recent" })}
      />
    ) : (
      <>
        <p>
          Sign in again first. A key needs a sign-in of the last ten minutes.
          {ask.modules.signIn.providers().length === 0 &&
            " Ask an administrator for a link that sets a password."}
        </p>
        <ProviderForms ask={ask} label="Sign in again with" />
      </>
    );
  if (!keyHint) {
    return [<EmptyState>No key yet. Programs need one. Assistants do not.</EmptyState>, making];
  }
  return (
    <>
      <FactList
        facts={[
          ["Key", <code>{keyHint}</code>],
          ["Last used", <Ago at={keyLastUsedAt} now={ask.now} />],
        ]}
      />
      <Disclosure form={form} label="Replace the key">
        <p>The old key stops working at once, everywhere. Roster shows the new key only once.</p>
        {making}
      </Disclosure>
    </>
  );
}
