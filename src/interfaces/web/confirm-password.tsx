/** Asks for the password again before dangerous actions (ASVS 7.5.1), so that an unattended browser is not enough. */
import { defineOptionalText } from "./form.ts";
import { Field, type FormProps, HiddenUsername } from "./look/forms.tsx";
import { type ActionOutcome, type SignedInRequest, toRefusal } from "./page.ts";

export const passwordIfAsked = { password: defineOptionalText("Password", 1000) };

interface PasswordIfAskedProperties {
  readonly form: FormProps & { readonly ask: SignedInRequest };
  /** Whether the sign-in is enough without the password; default: whether it is recent. */
  readonly isSure?: boolean;
}

/** The field for the password, unless the sign-in is recent enough. */
export function PasswordIfAsked({ form, isSure }: PasswordIfAskedProperties) {
  const { account, hasPassword, isFresh } = form.ask.visitor;
  if (!hasPassword || (isSure ?? isFresh)) return undefined;
  return (
    <>
      <HiddenUsername email={account.email} />
      <Field
        form={form}
        name="password"
        label="Your password"
        type="password"
        hint="Asked again, so that no one else at this browser can do this."
        autocomplete="current-password"
      />
    </>
  );
}

/**
 * Runs an action once the password is verified, or the sign-in is recent enough.
 *
 * @param isSure whether the sign-in is enough without the password; default: whether it is recent.
 * @returns the outcome, with the cookies of the session that replaces this one if the password was verified.
 */
export async function runConfirmed(
  { modules, visitor, from }: SignedInRequest,
  password: string | undefined,
  run: () => Promise<ActionOutcome>,
  isSure = visitor.isFresh,
): Promise<ActionOutcome> {
  if (isSure || (!visitor.hasPassword && visitor.isFresh)) return await run();
  if (!visitor.hasPassword) {
    return { refusal: "This needs a sign-in of the last ten minutes. Sign in again first." };
  }
  if (password === undefined) return { refusal: "Password is missing.", field: "password" };
  const verified = await modules.signIn.confirm(visitor, password, from);
  if (!verified.ok) return { ...toRefusal(verified), field: verified.field ?? "password" };
  return { ...(await run()), cookies: verified.cookies };
}
