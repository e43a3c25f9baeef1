/** What is dangerous asks for the password again (ASVS 7.5.1), so that a browser left open gives nobody an account. */
import type { CookieLines } from "../../accounts/accounts.ts";
import { Type } from "../../contract/schema.ts";
import { defineOptionalText } from "./form.ts";
import { type ActionRefusal, type SignedInRequest, toRefusal } from "./page.ts";

/** For the fields of an act that asks. */
export const passwordIfAsked = { password: defineOptionalText("Password", 1000) };
export const onlyPasswordIfAsked = Type.Object(passwordIfAsked);

/**
 * @param isSure when a sign-in is enough without the password; default: one of the last minutes.
 * @returns the cookies of the session that takes the place of this one, if the password was asked for.
 */
export async function confirmPassword(
  { modules, visitor, from }: SignedInRequest,
  password: string | undefined,
  isSure = visitor.isFresh,
): Promise<ActionRefusal | { readonly cookies: CookieLines }> {
  if (isSure || (!visitor.hasPassword && visitor.isFresh)) return { cookies: [] };
  if (!visitor.hasPassword) {
    return { refusal: "This needs a sign-in of the last ten minutes. Sign in again first." };
  }
  if (password === undefined) return { refusal: "Password is missing.", field: "password" };
  const outcome = await modules.signIn.confirm(visitor, password, from);
  if (!outcome.ok) return { field: "password", ...toRefusal(outcome) };
  return { cookies: outcome.cookies };
}
