/**
 * The page of the account's API key. Roster shows the key only once, when it is made. Before that, Roster asks for the password
 * or another sign-in, because somebody else may use an unattended browser.
 */
import { formatExampleCall } from "../../../operations/example-call.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { Disclosure, Form } from "../look/forms.tsx";
import { Ago, Copyable, EmptyState, FactList, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineSignedInPage,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { createProviderAction, ProviderForms } from "../sign-in/sign-in-pages.tsx";

const path = "/account/api";

export const apiPage = defineSignedInPage({
  path,
  show: (ask) => {
    const { keyHint } = ask.visitor.account;
    const curl = formatExampleCall(ask.modules.publicUrl(), "$ROSTER_API_KEY");
    const body = (
      <>
        <Panel title="Key">{keyHint ? <Key ask={ask} /> : <NoKey ask={ask} />}</Panel>
        <Panel title="Try it">
          <p>
            Put the key in the environment as <code>ROSTER_API_KEY</code>, then:
          </p>
          <Copyable id="curl" label="Example" text={curl.join(" \\\n  ")} />
          <p>
            <a href="/docs">All operations, to read and to try</a>
          </p>
        </Panel>
      </>
    );
    return { title: "API key", body };
  },
  actions: {
    create: defineAction(passwordIfAsked, (ask, { password }) =>
      ask.visitor.account.keyHint
        ? { refusal: "There is a key already. To replace it, make a new one below." }
        : makeKey(ask, password, "Your API key is made."),
    ),
    regenerate: defineAction(passwordIfAsked, (ask, { password }) =>
      makeKey(ask, password, "The new key works now. The old key no longer works."),
    ),
    provider: createProviderAction(() => path, "again"),
  },
});

function makeKey(
  ask: SignedInRequest,
  password: string | undefined,
  text: string,
): Promise<ActionOutcome> {
  const { modules, visitor } = ask;
  const { account, isFresh } = visitor;
  const make = async () => {
    const key = await modules.actingAs(account.id).regenerateKey(account.email);
    const secret = { label: "API key, shown this once", text: key };
    return { goTo: path, notice: { text: `${text} ${keepAdvice}`, secret } };
  };
  // Asks for the password even after a recent sign-in, because a new key breaks every program that uses the old key.
  return runConfirmed(ask, password, make, isFresh && account.keyHint === undefined);
}

const keepAdvice =
  "Copy it now: it is shown this once. Keep it on servers, never in a page or in source control.";

function Key({ ask }: SignedInProperties) {
  const { visitor, now } = ask;
  const { keyHint, keyLastUsedAt } = visitor.account;
  const form = { ask, act: "regenerate" };
  return (
    <>
      <FactList
        facts={[
          ["Key", <code>{keyHint}</code>],
          ["Last used", <Ago at={keyLastUsedAt} now={now} />],
        ]}
      />
      <Disclosure form={form} label="Make a new key">
        <p>
          <strong>The old key stops working at once</strong>, everywhere it is used. The new one is
          shown once.
        </p>
        {mustSignInAgain(ask) ? (
          <SignInAgain ask={ask} />
        ) : (
          <Form {...form} submit="Replace the key" tone="danger">
            <PasswordIfAsked form={form} isSure={false} />
          </Form>
        )}
      </Disclosure>
    </>
  );
}

function NoKey({ ask }: SignedInProperties) {
  const form = { ask, act: "create" };
  return (
    <>
      <EmptyState>No key yet. Programs need one to call this Roster; assistants do not.</EmptyState>
      {mustSignInAgain(ask) ? (
        <SignInAgain ask={ask} />
      ) : (
        <Form {...form} submit="Make the key">
          <PasswordIfAsked form={form} />
        </Form>
      )}
    </>
  );
}

const mustSignInAgain = ({ visitor }: SignedInRequest) => !visitor.hasPassword && !visitor.isFresh;

/** Asks users without a password to sign in again before they make a key. */
function SignInAgain({ ask }: SignedInProperties) {
  return (
    <>
      <p>
        A key needs a sign-in of the last ten minutes, so that no one else at this browser can make
        one.
        {ask.modules.signIn.providers().length === 0 &&
          " Ask an administrator for a link that sets a password."}
      </p>
      <ProviderForms ask={ask} label="Sign in again with" />
    </>
  );
}
