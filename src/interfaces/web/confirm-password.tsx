/** Asks for the password again before dangerous actions (ASVS 7.5.1), so that an unattended browser is not enough. */
import type { CookieLines } from "../../accounts/accounts.ts";
import { Type } from "../../contract/schema.ts";
import { defineOptionalText } from "./form.ts";
import { type ActionRefusal, type SignedInRequest, toRefusal } from "./page.ts";

/** The form field of actions that ask for the password again. */
export const passwordIfAsked = { password: defineOptionalText("Password", 1000) };
export const onlyPasswordIfAsked = Type.Object(passwordIfAsked);

/**
 * Verifies the password, unless the sign-in is recent enough.
 *
 * @param isSure whether the sign-in is enough without the password; default: whether it is recent.
 * @returns the cookies of the session that replaces this one, if the password was verified; or a refusal.
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
