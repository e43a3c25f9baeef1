import { signInPagePaths } from "../../../accounts/accounts.ts";
import { Type } from "../../../contract/schema.ts";
import { Field, Form, Problems } from "../look/form-parts.tsx";
import { NoticeBox } from "../look/parts.tsx";
import { defineAction, definePublicPage, type PageRequest, toRefusal } from "../page.ts";
import { defineText } from "../request/form.ts";
import { createProviderAction, ProviderForms } from "./provider-forms.tsx";

/** Also where an assistant's authorization sends the browser first; its query then says where to go on. */
export const signInPage = definePublicPage({
  path: signInPagePaths.signIn,
  show: (ask) => {
    const { visitor, modules, url } = ask;
    const isAssistants = modules.signIn.continueAfterSignIn(url.search.slice(1)) !== undefined;
    // An authorization that asks again means it, and a provider that refused to has to be heard: then there is a
    // form whoever is signed in.
    const isAnswer = isAssistants || ask.refused || url.searchParams.has("error");
    if (visitor && !isAnswer) return { goTo: nextOf(ask) };
    const form = { ask, act: "sign-in" };
    const body = (
      <div class="narrow">
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
        <ProviderProblem ask={ask} />
        <h1>Sign in</h1>
        {isAssistants && (
          <p>An assistant asks to use your account. Sign in first; then you decide.</p>
        )}
        <Form {...form} submit="Sign in">
          <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" />
          <Field
            form={form}
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
          />
        </Form>
        <Providers ask={ask} />
        <p class="muted">
          {signUpWords[modules.signIn.signUpMode]()} No password yet, or lost? An administrator can
          make you a link that sets one; on the machine that runs this Roster{" "}
          <code>roster account reset EMAIL</code> prints it.
        </p>
      </div>
    );
    return { title: "Sign in", body };
  },
  actions: {
    "sign-in": defineAction(
      Type.Object({ email: defineText("E-mail", 254), password: defineText("Password", 1000) }),
      async (ask, given) => {
        const outcome = await ask.modules.signIn.signIn(given, ask.from);
        if (!outcome.ok) return toRefusal(outcome);
        return { goTo: nextOf(ask), cookies: outcome.cookies };
      },
    ),
    provider: createProviderAction(nextOf),
  },
});

const signUpWords = {
  open: () => (
    <>
      No account yet? <a href="/sign-up">Create one</a>.
    </>
  ),
  invitation: () => <>Accounts are by invitation.</>,
  closed: () => <>New accounts are made by an administrator.</>,
};

function Providers({ ask }: { readonly ask: PageRequest }) {
  if (ask.modules.signIn.providers().length === 0) return undefined;
  return (
    <section class="stack" aria-labelledby="providers">
      <h2 id="providers">Or with your organisation</h2>
      <ProviderForms ask={ask} label="Sign in with" />
    </section>
  );
}

/**
 * Why a provider's sign-in came to nothing. In our own words by its code: whatever else stands in the address may have
 * been written by anybody who made the link.
 */
function ProviderProblem({ ask: { url, refused, visitor } }: { readonly ask: PageRequest }) {
  const code = url.searchParams.get("error");
  if (code === null || refused) return undefined;
  const words = Object.hasOwn(problemWords, code) ? problemWords[code] : undefined;
  return (
    <div class="notice wrong-notice" role="alert" tabindex={-1} autofocus>
      <h2>{visitor ? "You did not sign in again" : "You are not signed in"}</h2>
      <p>
        {words ??
          "Your organisation's sign-in was not completed. Try again, or ask an administrator."}
      </p>
    </div>
  );
}

const problemWords: Readonly<Record<string, string>> = {
  access_denied: "Your organisation's sign-in was cancelled.",
  account_disabled: "This account is disabled here; ask an administrator.",
  administrator: "Administrators sign in with their password here.",
  email_not_verified:
    "Your organisation has not verified your e-mail, so it counts for nothing here.",
  email_not_allowed: "Your organisation may not sign in this e-mail here.",
  no_email:
    "Your organisation's sign-in sent no e-mail that can be used; this server's log says what it sent.",
  nonce_mismatch: "That answer belonged to another sign-in. Try again.",
  weak_signature:
    "Your organisation signs with an algorithm that is not taken here; this server's log names it.",
  provider_unreachable: "Your organisation's sign-in cannot be reached at the moment.",
};

/**
 * Where to after signing in: back to the assistant's authorization, to the page that asked for it, or to the account.
 * Only a path of our own: an address elsewhere would make this page a way to lead people astray.
 */
function nextOf({ modules, url }: PageRequest): string {
  const onward = modules.signIn.continueAfterSignIn(url.search.slice(1));
  if (onward !== undefined) return onward;
  const next = url.searchParams.get("next") ?? "";
  return /^\/(?:account|admin)(?:\/[\w%-]+)*$/.test(next) ? next : "/account";
}
