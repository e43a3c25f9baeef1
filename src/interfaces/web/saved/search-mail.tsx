/** Turns mail about new people in a saved search on and off. An account confirms its address by a link in the first mail. */
import type { SavedSearch } from "../../../control/saved-records.ts";
import { Form } from "../look/forms.tsx";
import type { SignedInRequest } from "../page.ts";
import { defineButton, defineSignedInPage, requireFound, requireOwn } from "../page.ts";
import { getId } from "./saved-actions.ts";

/** Shows whether a search sends mail. Without mail on this Roster, it shows nothing. */
export async function renderSearchMail(ask: SignedInRequest, { mailTo }: SavedSearch) {
  const { searchMail } = ask.modules;
  const { account } = ask.visitor;
  if (!searchMail.isOn()) return undefined;
  const button = { ask, tone: "plain", inline: true } as const;
  if (mailTo === null) return <Form {...button} act="mail-on" submit="Mail me about new people" />;
  const isConfirmed = await searchMail.isOwn(account, mailTo);
  return (
    <div class="search-mail">
      <p class="small">
        {isConfirmed ? "New people are mailed to " : "Open the link that was mailed to "}
        <strong>{account.email}</strong>
        {isConfirmed ? ", at most once a day." : ". Then Roster mails you about new people."}
      </p>
      {!isConfirmed && <Form {...button} act="mail-on" submit="Send again" />}
      <Form {...button} act="mail-off" submit="Turn off" />
    </div>
  );
}

/** The actions of the page of a saved search. */
export const searchMailActions = {
  "mail-on": defineButton(async (ask: SignedInRequest) => {
    const { account } = ask.visitor;
    const turned = await ask.modules.searchMail.turnOn(account, getId(ask));
    const outcome = requireOwn(turned, "saved search");
    if (outcome === "asked too often")
      return { refusal: "Roster sent this mail three times. Try again in an hour." };
    const asked = `A mail is on its way to ${account.email}.`;
    const text = outcome === "asked" ? asked : "Roster mails you about new people.";
    return { goTo: ask.url.pathname, notice: { text } };
  }),
  "mail-off": defineButton(async (ask: SignedInRequest) => {
    const isOff = await ask.modules.searchMail.turnOff(ask.visitor.account, getId(ask));
    requireOwn(isOff, "saved search");
    return { goTo: ask.url.pathname, notice: { text: "Mail about this search is off." } };
  }),
};

/** Opens from a mail. Only its button confirms, because programs that check mail for dangers open links too. */
export const confirmMailPage = defineSignedInPage({
  path: "/saved/mail/:token",
  show: async (ask) => {
    const body = (
      <Form ask={ask} act="confirm" submit="Confirm">
        <p>
          Roster will mail <strong>{(await requireOwnLink(ask)).email}</strong> about new people in
          your saved searches.
        </p>
      </Form>
    );
    return { title: "Confirm your address", body, frame: "narrow" };
  },
  actions: {
    confirm: defineButton(async (ask: SignedInRequest) => {
      await ask.modules.searchMail.confirm(await requireOwnLink(ask));
      const text = "Your address is confirmed. Roster mails you about new people.";
      return { goTo: "/saved", notice: { text } };
    }),
  },
});

async function requireOwnLink({ modules, visitor: { account }, params }: SignedInRequest) {
  const isOwn = await modules.searchMail.isOwn(account, params["token"] ?? "");
  const what = "This link is for another account or an earlier address.";
  requireFound(isOwn, `${what} Open your saved search and turn on mail again.`);
  return account;
}
