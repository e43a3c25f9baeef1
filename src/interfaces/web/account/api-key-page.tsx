/**
 * The API tab, with the account's one key. The key is shown once, after it was made. Making a new one asks for the
 * password again, so that an unattended browser gives nobody a key; users without a password sign in again.
 */
import { formatExampleCall } from "../../../operations/example-call.ts";
import { confirmPassword, onlyPasswordIfAsked } from "../confirm-password.tsx";
import { Form, PasswordAgain, PasswordProtected, Problems } from "../look/forms.tsx";
import { Ago, Copyable, EmptyState, FactList, NoticeBox, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineSignedInPage,
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
        <h1>API key</h1>
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
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
    create: defineAction(onlyPasswordIfAsked, (ask: SignedInRequest, { password }) =>
      ask.visitor.account.keyHint
        ? { refusal: "There is a key already. To replace it, make a new one below." }
        : makeKey(ask, password, "Your API key is made."),
    ),
    regenerate: defineAction(onlyPasswordIfAsked, (ask: SignedInRequest, { password }) =>
      makeKey(ask, password, "The new key works now. The old one is dead from this moment on."),
    ),
    provider: createProviderAction(() => path, "again"),
  },
});

async function makeKey(
  ask: SignedInRequest,
  password: string | undefined,
  text: string,
): Promise<ActionOutcome> {
  const { modules, visitor } = ask;
  const { account, isFresh } = visitor;
  // Replacing a key breaks every program that uses it, so the password is asked however recent the sign-in is.
  const proof = await confirmPassword(ask, password, isFresh && account.keyHint === undefined);
  if ("refusal" in proof) return proof;
  const key = await modules.actingAs(account.id).regenerateKey(account.email);
  const secret = { label: "API key, shown this once", text: key };
  const notice = { text: `${text} ${keepAdvice}`, secret };
  return { goTo: path, cookies: proof.cookies, notice };
}

const keepAdvice =
  "Copy it now: it is shown this once. Keep it on servers, never in a page or in source control.";

function Key({ ask }: { readonly ask: SignedInRequest }) {
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
      <PasswordProtected {...form} label="Make a new key">
        <p>
          <strong>The old key stops working at once</strong>, everywhere it is used. The new one is
          shown once.
        </p>
        {mustSignInAgain(ask) ? (
          <SignInAgain ask={ask} />
        ) : (
          <Form {...form} submit="Replace the key" tone="danger">
            {visitor.hasPassword && <PasswordAgain form={form} />}
          </Form>
        )}
      </PasswordProtected>
    </>
  );
}

function NoKey({ ask }: { readonly ask: SignedInRequest }) {
  const form = { ask, act: "create" };
  const { hasPassword, isFresh } = ask.visitor;
  return (
    <>
      <EmptyState>No key yet. Programs need one to call this Roster; assistants do not.</EmptyState>
      {mustSignInAgain(ask) ? (
        <SignInAgain ask={ask} />
      ) : (
        <Form {...form} submit="Make the key">
          {hasPassword && !isFresh && <PasswordAgain form={form} />}
        </Form>
      )}
    </>
  );
}

const mustSignInAgain = ({ visitor }: SignedInRequest) => !visitor.hasPassword && !visitor.isFresh;

/** For users without a password. */
function SignInAgain({ ask }: { readonly ask: SignedInRequest }) {
  return (
    <>
      <p>
        A key needs a sign-in of the last ten minutes, so that nobody else at this browser can make
        one.
        {ask.modules.signIn.providers().length === 0 &&
          " Ask an administrator for a link that sets a password."}
      </p>
      <ProviderForms ask={ask} label="Sign in again with" />
    </>
  );
}
