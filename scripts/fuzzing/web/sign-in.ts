/** Signs the people of the campaign in again, whatever was done to their accounts. */
import { signIn as takeAccount } from "../../outside/person.ts";
import type { Server } from "../program.ts";
import type { Browser } from "./browser.ts";

export const password = "brave-heron-sails-71";

export interface Person {
  readonly email: string;
  browser: Browser;
}

export async function signIn(server: Server, person: Person): Promise<void> {
  await server.command("account", "enable", person.email);
  person.browser = await takeAccount(server, person.email, password);
}
