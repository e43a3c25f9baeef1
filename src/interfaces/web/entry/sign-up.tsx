import { Type } from "../../../contract/schema.ts";
import { Field, Form, NewPassword, Problems } from "../look/form-parts.tsx";
import { defineAction, definePublicPage, type PageRequest, toRefusal } from "../page.ts";
import { defineText } from "../request/form.ts";

/** By the setting: a form, or a page that says how else an account comes to be. */
export const signUpPage = definePublicPage({
  path: "/sign-up",
  show: (ask) => {
    if (ask.visitor) return { goTo: "/account" };
    const isOpen = ask.modules.signIn.signUpMode === "open";
    return {
      title: isOpen ? "Create an account" : "No sign-up here",
      body: <div class="narrow">{isOpen ? <SignUp ask={ask} /> : <NoSignUp ask={ask} />}</div>,
    };
  },
  actions: {
    "sign-up": defineAction(
      Type.Object({ email: defineText("E-mail", 254), password: defineText("Password", 1000) }),
      async (ask, given) => {
        const outcome = await ask.modules.signIn.signUp(given, ask.from);
        if (!outcome.ok) return toRefusal(outcome);
        const notice = { text: "Welcome. Your account is on the free plan; make its key next." };
        return { goTo: "/account/api", cookies: outcome.cookies, notice };
      },
    ),
  },
});

function SignUp({ ask }: { readonly ask: PageRequest }) {
  const form = { ask, act: "sign-up" };
  return (
    <>
      <Problems ask={ask} />
      <h1>Create an account</h1>
      <p>It starts on the free plan.</p>
      <Form {...form} submit="Create the account">
        <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" />
        <NewPassword form={form} label="Password" />
      </Form>
      <p class="muted">
        Have one already? <a href="/sign-in">Sign in</a>.
      </p>
    </>
  );
}

function NoSignUp({ ask }: { readonly ask: PageRequest }) {
  const isByInvitation = ask.modules.signIn.signUpMode === "invitation";
  return (
    <>
      <Problems ask={ask} />
      <h1>{isByInvitation ? "Accounts are by invitation" : "No sign-up here"}</h1>
      <p>
        {isByInvitation
          ? "Ask an administrator of this Roster for an invitation: a link that works once, on which you choose your password."
          : "Who runs this Roster makes the accounts. Ask an administrator for one."}
      </p>
      <p>
        <a href="/sign-in">Sign in</a> if you have an account.
      </p>
    </>
  );
}
