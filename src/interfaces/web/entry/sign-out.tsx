import { Type } from "../../../contract/schema.ts";
import { Form } from "../look/form-parts.tsx";
import { EmailAddress } from "../look/parts.tsx";
import { defineAction, definePublicPage } from "../page.ts";

/** Whoever opens the address is asked: following a link signs nobody out. */
export const signOutPage = definePublicPage({
  path: "/sign-out",
  show: (ask) => {
    if (!ask.visitor) return { goTo: "/sign-in" };
    const body = (
      <div class="narrow">
        <h1>Sign out?</h1>
        <p>
          You are signed in as <EmailAddress email={ask.visitor.account.email} />.
        </p>
        <Form ask={ask} act="sign-out" submit="Sign out" />
      </div>
    );
    return { title: "Sign out", body };
  },
  actions: {
    "sign-out": defineAction(Type.Object({}), async ({ modules, request }) => ({
      goTo: "/sign-in",
      cookies: await modules.signIn.signOut(request),
      notice: { text: "You are signed out." },
    })),
  },
});
