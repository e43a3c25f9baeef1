/** Mail about new people in saved searches, to accounts that want it and have confirmed their address by a link in a mail. */
import { createHmac } from "node:crypto";
import type { ControlStore } from "../control/control-store.ts";
import { createWindowCounts } from "../control/window-counts.ts";
import { isSameSecret } from "../network/same-secret.ts";
import type { Mail } from "./send-mail.ts";

export interface SearchMailParts {
  readonly control: Pick<ControlStore, "saved" | "signIn" | "findAccount">;
  readonly now: () => Date;
  readonly live: () => { readonly mail: { readonly server: string | undefined } };
  readonly publicUrl: () => string;
}

type Owner = Readonly<Record<"id" | "email", string>>;
type Written = Omit<Mail, "id"> | undefined;

/** The most mails in an hour that ask an account for its address. */
const confirmationsMax = 3;

export type SearchMail = ReturnType<typeof createSearchMail>;

export function createSearchMail({ control, now, live, publicUrl }: SearchMailParts) {
  const { saved } = control;
  const asked = createWindowCounts(now, 3600);
  /** The token of the link, which a search keeps when the link was used. With another address, it is another one. */
  const derive = async ({ id, email }: Owner) => {
    const hmac = createHmac("sha256", await control.signIn.secret());
    return hmac.update(`mail ${id} ${email.toLowerCase()}`).digest("hex");
  };
  const writeNews = async (id: string): Promise<Written> => {
    const { account, search, people } = await saved.takeMail(id, now());
    if (!account || !search || account.disabled || people === 0) return undefined;
    if (search.mailTo !== (await derive(account))) return undefined;
    const count = people === 1 ? "1 new person" : `${people} new people`;
    const link = `${publicUrl()}/saved/searches/${id}`;
    const text = `Your saved search "${search.name}" has ${count}.\n\n${link}\n\nTo end these mails, open the page and choose Turn off.\n`;
    return { to: account.email, subject: `Roster: ${count} in ${search.name}`, text };
  };
  const writeQuestion = async (id: string): Promise<Written> => {
    const account = await control.findAccount(id);
    if (!account || account.disabled) return undefined;
    const link = `${publicUrl()}/saved/mail/${await derive(account)}`;
    const text = `You asked for mail about new people in a saved search.\nConfirm that this address is yours:\n\n${link}\n\nIf you did not ask, ignore this mail. Nothing else comes.\n`;
    return { to: account.email, subject: "Roster: confirm your address", text };
  };
  return {
    /** Whether the operator has set up mail. */
    isOn: () => live().mail.server !== undefined,
    /** Whether this is the token of the account with its present address. */
    isOwn: async (owner: Owner, token: string) => isSameSecret(token, await derive(owner)),
    confirm: async (owner: Owner) => saved.setMail(owner.id, await derive(owner)),
    turnOff: (owner: Owner, search: string) => saved.setMail(owner.id, null, search),
    /** Turns mail on. If the address is not confirmed, a mail asks for it. @returns undefined for an unknown search. */
    async turnOn(owner: Owner, search: string) {
      const own = await derive(owner);
      const isKnown = (await saved.searches(owner.id)).some(({ mailTo }) => mailTo === own);
      if (!(await saved.setMail(owner.id, isKnown ? own : "", search))) return undefined;
      if (isKnown) return "confirmed";
      if (asked.add(owner.id, 1).count > confirmationsMax) return "asked too often";
      await saved.askToConfirm(owner.id, now());
      return "asked";
    },
    /** Writes the mail that waits. @returns undefined if nobody wants it any more. */
    write(body: string): Promise<Written> {
      const about = JSON.parse(body) as { readonly search?: string; readonly account: string };
      return about.search === undefined ? writeQuestion(about.account) : writeNews(about.search);
    },
  };
}
