/** Mail about new people in saved searches, to accounts that want it and have confirmed their address by a link in a mail. */
import { createHmac } from "node:crypto";
import type { ControlStore } from "../control/control-store.ts";
import type { SavedSearch } from "../control/saved-records.ts";
import { createWindowCounts } from "../control/window-counts.ts";
import { isSameSecret } from "../network/same-secret.ts";
import type { Mail } from "./send-mail.ts";

interface SearchMailParts {
  readonly control: Pick<ControlStore, "saved" | "signIn" | "findAccount">;
  readonly now: () => Date;
  /** Whether the operator has set up mail. */
  readonly isOn: () => boolean;
  readonly publicUrl: () => string;
}

interface Owner {
  readonly id: string;
  readonly email: string;
}

/** The most mails in an hour that ask an account for its address. */
const confirmationsMax = 3;

export type SearchMail = ReturnType<typeof createSearchMail>;

export function createSearchMail({ control, now, isOn, publicUrl }: SearchMailParts) {
  const { saved } = control;
  const asked = createWindowCounts(now, 3600);
  /** The token of the link, and what is stored when the link was used. With another address, it is another one. */
  const digest = async ({ id, email }: Owner) => {
    const parts = JSON.stringify(["mail", id, email.toLowerCase()]);
    return createHmac("sha256", await control.signIn.secret())
      .update(parts)
      .digest("hex");
  };
  return {
    isOn,
    isConfirmed: async (owner: Owner, { mailTo }: SavedSearch) => mailTo === (await digest(owner)),
    /** Whether the link is for this account and its present address. */
    isOwn: async (owner: Owner, token: string) => isSameSecret(token, await digest(owner)),
    confirm: async (owner: Owner) => saved.confirmMail(owner.id, await digest(owner)),
    turnOff: (owner: Owner, search: string) => saved.setMail(owner.id, search, null),
    /** Turns mail on. If the address is not confirmed, a mail asks for it. @returns undefined for an unknown search. */
    async turnOn(owner: Owner, search: string) {
      const own = await digest(owner);
      const isKnown = (await saved.searches(owner.id)).some(({ mailTo }) => mailTo === own);
      if (!(await saved.setMail(owner.id, search, isKnown ? own : ""))) return undefined;
      if (isKnown) return "confirmed";
      if (asked.add(owner.id, 1).count > confirmationsMax) return "asked too often";
      await saved.addConfirmation(owner.id, now());
      return "asked";
    },
    /** Writes the mail that waits under this id. @returns undefined if nobody wants it any more. */
    async write(body: string): Promise<Omit<Mail, "id"> | undefined> {
      const about = JSON.parse(body) as { readonly search?: string; readonly account?: string };
      if (about.account !== undefined) {
        const account = await control.findAccount(about.account);
        if (!account || account.disabled) return undefined;
        const link = `${publicUrl()}/saved/mail/${await digest(account)}`;
        return { to: account.email, subject: "Roster: confirm your address", text: askFor(link) };
      }
      const found = await saved.takeMail(about.search ?? "", now());
      if (!found || found.account.disabled || found.new === 0) return undefined;
      if (found.mailTo !== (await digest(found.account))) return undefined;
      const people = found.new === 1 ? "1 new person" : `${found.new} new people`;
      const link = `${publicUrl()}/saved/searches/${about.search}`;
      const text = `Your saved search "${found.name}" has ${people}.\n\n${link}\n\n${ending}\n`;
      return { to: found.account.email, subject: `Roster: ${people} in ${found.name}`, text };
    },
  };
}

const ending = "To end these mails, open the page and choose Turn off.";

const askFor = (link: string) =>
  `You asked for mail about new people in a saved search.\nConfirm that this address is yours:\n\n${link}\n\nIf you did not ask, ignore this mail. Nothing else comes.\n`;
