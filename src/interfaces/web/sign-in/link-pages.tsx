/**
 * The pages of one-time links: for the first set-up, invitations and new passwords. A link is used up when the form is sent, not
 * when the page is opened, because mail scanners and previews open links too.
 */
import { type LinkPurpose, linkPaths } from "../../../accounts/accounts.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { EmailField, Form, HiddenUsername, NewPassword } from "../look/forms.tsx";
import { Callout, EmailAddress, FactList, Instant } from "../look/parts.tsx";
import { defineAction, definePublicPage, type PageRequest, toRefusal } from "../page.ts";

export const setUpPage = createLinkPage("set-up", {
  title: "Set up Roster",
  lead: "Choose the e-mail and password of the administrator. Roster sends no mail to it.",
  submit: "Set up and sign in",
  welcome: "You're set up.",
});
export const invitationPage = createLinkPage("invitation", {
  title: "Accept the invitation",
  lead: "Choose a password for your account.",
  submit: "Accept and sign in",
  welcome: "Welcome. Your API key and assistants are in the menu, under My account.",
});
export const resetPage = createLinkPage("reset", {
  title: "Choose a new password",
  lead: "This replaces your old password and signs you out everywhere else.",
  submit: "Set password and sign in",
  welcome: "Your new password is set.",
});

function createLinkPage(
  purpose: LinkPurpose,
  words: Readonly<Record<"title" | "lead" | "submit" | "welcome", string>>,
) {
  return definePublicPage({
    path: linkPaths[purpose],
    show: async (ask) => {
      const link = await findLinkFor(ask, purpose);
      if (!link) return renderDeadLink(purpose);
      const { title, lead, submit } = words;
      const { visitor, now } = ask;
      const form = { ask, act: "redeem" };
      const body = (
        <>
          <p>{lead}</p>
          {visitor && (
            <Callout tone="warn">
              <p>
                You are signed in as <EmailAddress email={visitor.account.email} />. This link signs
                you in to another account.
              </p>
            </Callout>
          )}
          {purpose !== "set-up" && (
            <FactList facts={[["Account", <EmailAddress email={link.email} />]]} />
          )}
          <Form {...form} submit={submit}>
            {purpose === "set-up" ? (
              <EmailField form={form} value={link.email} autofocus />
            ) : (
              <HiddenUsername email={link.email} />
            )}
            <NewPassword form={form} label="New password" autofocus={purpose !== "set-up"} />
          </Form>
          <p class="small muted">
            This link works once, until <Instant at={link.expiresAt} now={now} />.
          </p>
        </>
      );
      return { title, body, frame: "narrow" };
    },
    actions: {
      redeem: defineAction(
        { email: defineOptionalText("E-mail", 254), password: defineText("New password", 1000) },
        async (ask, { email, password }) => {
          if (!(await findLinkFor(ask, purpose))) return { goTo: ask.url.pathname };
          const given = purpose === "set-up" && email !== undefined ? { email } : {};
          const { signIn } = ask.modules;
          const outcome = await signIn.redeem(getToken(ask), { ...given, password }, ask.from);
          if (!outcome.ok) return toRefusal(outcome);
          return { goTo: "/", cookies: outcome.cookies, notice: { text: words.welcome } };
        },
      ),
    },
  });
}

const getToken = ({ url }: PageRequest) => url.searchParams.get("token") ?? "";

async function findLinkFor(ask: PageRequest, purpose: LinkPurpose) {
  const link = await ask.modules.signIn.findLink(getToken(ask));
  return link?.purpose === purpose ? link : undefined;
}

/** Renders the same page for unknown, used and expired links, so that guessing links reveals nothing. */
function renderDeadLink(purpose: LinkPurpose) {
  const body = (
    <>
      <p>The link was used, or it is too old.</p>
      <p>
        If you used it, <a href="/sign-in">sign in</a>.{" "}
        {purpose === "set-up" ? (
          <>
            For a new link, run <code>roster account reset admin@localhost</code> on the server,
            with your own e-mail if you chose one.
          </>
        ) : (
          "Otherwise, ask an administrator for a new link."
        )}
      </p>
    </>
  );
  return { title: "This link no longer works", body, frame: "narrow", status: 404 } as const;
}
