/** What is dangerous asks for the password again (ASVS 7.5.1), so that a browser left open gives nobody an account. */
import type { Cookies } from "../../../accounts/accounts.ts";
import { Type } from "../../../contract/schema.ts";
import { asRefusal, type Refusal, type SignedIn } from "../page.ts";
import { optionalText } from "./form.ts";

/** For the fields of an act that asks. */
export const passwordIfAsked = { password: optionalText("Password", 1000) };
export const onlyPasswordIfAsked = Type.Object(passwordIfAsked);

/**
 * @param isSure when a sign-in is enough without the password; default: one of the last minutes.
 * @returns the cookies of the session that takes the place of this one, if the password was asked for.
 */
export async function confirmed(
  { rooms, visitor, from }: SignedIn,
  password: string | undefined,
  isSure = visitor.isFresh,
): Promise<Refusal | { readonly cookies: Cookies }> {
  if (isSure || (!visitor.hasPassword && visitor.isFresh)) return { cookies: [] };
  if (!visitor.hasPassword) {
    return { refusal: "This needs a sign-in of the last ten minutes. Sign in again first." };
  }
  if (password === undefined) return { refusal: "Password is missing.", field: "password" };
  const outcome = await rooms.signIn.confirm(visitor, password, from);
  if (!outcome.ok) return { field: "password", ...asRefusal(outcome) };
  return { cookies: outcome.cookies };
}
