import { signInPagePaths } from "../../../accounts/accounts.ts";
import { defineText, emailField } from "../form.ts";
import { CurrentPassword, EmailField, Form, NewPassword } from "../look/forms.tsx";
import { Callout, EmailAddress } from "../look/parts.tsx";
import {
  defineAction,
  defineButton,
  definePublicPage,
  type PageAction,
  type PageRequest,
  redirectTo,
  toRefusal,
  type View,
} from "../page.ts";

const passwordField = defineText("Password", 1000);

/** The sign-in page. The authorization of an assistant starts here too. */
export const signInPage = definePublicPage({
  path: signInPagePaths.signIn,
  show: (ask) => {
    const { visitor, modules, url } = ask;
    const isAuthorizing = modules.signIn.continueAfterSignIn(url.search.slice(1)) !== undefined;
    // Signed-in users see the form too if an authorization requires another sign-in, or if a sign-in has just failed.
    const needsForm = isAuthorizing || ask.refused || url.searchParams.has("error");
    if (visitor && !needsForm) return { goTo: findNextPath(ask) };
    const form = { ask, act: "sign-in" };
    const body = (
      <>
        {renderProblem(ask)}
        {isAuthorizing && <p>An assistant asks to use your account. Sign in, then decide.</p>}
        <Form {...form} submit="Sign in">
          <EmailField form={form} autofocus={!url.searchParams.has("error")} />
          <CurrentPassword form={form} label="Password" />
        </Form>
        {modules.signIn.providers().length > 0 && (
          <section class="stack" aria-labelledby="providers">
            <h2 id="providers">Or with your organization</h2>
            <ProviderForms ask={ask} label="Sign in with" />
          </section>
        )}
        <p class="small muted">
          {signUpWords[modules.signIn.signUpMode]} No password? Ask an administrator for a link. On
          the server, <code>roster account reset EMAIL</code> prints it.
        </p>
      </>
    );
    return { title: "Sign in", body, frame: "narrow" };
  },
  actions: {
    "sign-in": defineAction({ email: emailField, password: passwordField }, async (ask, given) => {
      const outcome = await ask.modules.signIn.signIn(given, ask.from);
      if (!outcome.ok) return toRefusal(outcome);
      return { goTo: findNextPath(ask), cookies: outcome.cookies };
    }),
    provider: createProviderAction(findNextPath),
  },
});

const signUpWords = {
  open: (
    <>
      No account yet? <a href="/sign-up">Create one</a>.
    </>
  ),
  invitation: "New here? Ask an administrator to invite you.",
  closed: "New here? Ask an administrator for an account.",
};

/** Shows why the sign-in of a provider failed. The URL has only a code, because anybody could put other words into a link. */
function renderProblem({ url, refused, visitor }: PageRequest) {
  const code = url.searchParams.get("error");
  if (code === null || refused) return undefined;
  const title = visitor ? "You did not sign in again" : "You are not signed in";
  return (
    <Callout tone="wrong" title={title} role="alert" isFocused>
      <p>{Object.hasOwn(problemWords, code) ? problemWords[code] : problemWords["other"]}</p>
    </Callout>
  );
}

const problemWords: Readonly<Record<string, string>> = {
  access_denied: "The sign-in was cancelled at your organization.",
  account_disabled: "This account is disabled. Ask an administrator.",
  answer_expired: "The answer of your organization came too late. Try again.",
  administrator: "Administrators sign in with their password.",
  email_not_verified: "Your organization has not verified your e-mail address.",
  email_not_allowed: "Your organization may not sign in this e-mail address.",
  no_email: "Your organization sent no usable e-mail address. The server's log has details.",
  nonce_mismatch: "That answer belonged to another sign-in. Try again.",
  weak_signature:
    "Your organization signs with an algorithm that Roster refuses. The log names it.",
  other: "The sign-in of your organization did not finish. Try again, or ask an administrator.",
  provider_unreachable: "Your organization cannot be reached now. Try again later.",
};

/** Finds the page after sign-in: the authorization of an assistant, the page that required sign-in, or the search. */
function findNextPath({ modules, url, isReturnPath }: PageRequest): string {
  const onward = modules.signIn.continueAfterSignIn(url.search.slice(1));
  if (onward !== undefined) return onward;
  const next = url.searchParams.get("next") ?? "";
  return isReturnPath(next) ? next : "/";
}

export const signUpPage = definePublicPage({
  path: "/sign-up",
  show: (ask) => {
    if (ask.visitor) return { goTo: "/" };
    const { signUpMode } = ask.modules.signIn;
    if (signUpMode !== "open") return renderNoSignUp(signUpMode);
    const form = { ask, act: "sign-up" };
    const body = (
      <>
        <p>You start on the free plan.</p>
        <Form {...form} submit="Create account">
          <EmailField form={form} autofocus />
          <NewPassword form={form} label="Password" />
        </Form>
        <p class="muted">
          Have an account? <a href="/sign-in">Sign in</a>.
        </p>
      </>
    );
    return { title: "Create an account", body, frame: "narrow" };
  },
  actions: {
    "sign-up": defineAction({ email: emailField, password: passwordField }, async (ask, given) => {
      const outcome = await ask.modules.signIn.signUp(given, ask.from);
      if (!outcome.ok) return toRefusal(outcome);
      const notice = { text: "Welcome. You are on the free plan. Create your API key here." };
      return { goTo: "/account/api", cookies: outcome.cookies, notice };
    }),
  },
});

function renderNoSignUp(signUpMode: "invitation" | "closed"): View {
  const isByInvitation = signUpMode === "invitation";
  const body = (
    <p>
      Ask an administrator {isByInvitation ? "to invite you" : "to create your account"}. Have an
      account? <a href="/sign-in">Sign in</a>.
    </p>
  );
  const title = isByInvitation ? "Accounts are by invitation" : "No sign-up here";
  return { title, body, frame: "narrow" };
}

/** Asks the user before signing out, because a link of another site may have led here. */
export const signOutPage = definePublicPage({
  path: "/sign-out",
  show: (ask) => {
    if (!ask.visitor) return { goTo: "/sign-in" };
    const body = (
      <>
        <p>
          You are signed in as <EmailAddress email={ask.visitor.account.email} />.
        </p>
        <Form ask={ask} act="sign-out" submit="Sign out" />
      </>
    );
    return { title: "Sign out", heading: <h1>Sign out?</h1>, body, frame: "narrow" };
  },
  actions: {
    "sign-out": defineButton(async ({ modules, request }) => ({
      goTo: "/sign-in",
      cookies: await modules.signIn.signOut(request),
      notice: { text: "You are signed out." },
    })),
  },
});

/** A button for each provider of sign-in. The page needs an action `provider` from `createProviderAction`. */
export function ProviderForms({ ask, label }: { readonly ask: PageRequest; label: string }) {
  const form = { ask, act: "provider" };
  return (
    <>
      {ask.modules.signIn.providers().map(({ id, name }) => (
        <Form {...form} submit={`${label} ${name}`} tone="plain" hidden={{ provider: id }} />
      ))}
    </>
  );
}

/** @param again if given, the provider asks for a new sign-in even if the user is signed in there. */
export function createProviderAction<Ask extends PageRequest = PageRequest>(
  returnTo: (ask: Ask) => string,
  again?: "again",
): PageAction<Ask> {
  return defineAction({ provider: defineText("Provider", 100) }, async (ask: Ask, { provider }) => {
    const { signIn } = ask.modules;
    if (!signIn.providers().some(({ id }) => id === provider)) {
      return { refusal: "This sign-in is no longer offered. Use another one." };
    }
    const { location, cookies } = await signIn.startProvider(provider, returnTo(ask), again);
    return redirectTo(location, cookies);
  });
}
