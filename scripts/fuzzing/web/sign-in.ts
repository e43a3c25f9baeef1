/** How the people of the campaign come back in, whatever was done to their accounts. */
import type { Server } from "../program.ts";
import { type Browser, openBrowser } from "./browser.ts";

export const password = "brave-heron-sails-71";

export interface Person {
  readonly email: string;
  browser: Browser;
}

/** By a link that sets the password anew: that always works, whatever was done to the account. */
export async function signIn(server: Server, person: Person): Promise<void> {
  await server.command("account", "enable", person.email);
  const { link } = await server.command("account", "reset", person.email);
  const { search } = new URL(link);
  person.browser = openBrowser(server.address);
  const page = await person.browser.ask(`/reset-password${search}`);
  const form = page.forms.find(({ fields }) => fields.some(({ name }) => name === "password"));
  const given = (form?.fields ?? []).map(({ name, value }) => [
    name,
    name === "password" ? password : value,
  ]);
  const body = new URLSearchParams(given as [string, string][]);
  const done = await person.browser.ask(`/reset-password${search}`, { method: "POST", body });
  if (done.status !== 303) throw new Error(`${person.email} could not sign in: ${done.status}`);
}
