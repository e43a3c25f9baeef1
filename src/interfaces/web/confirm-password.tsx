/** Asks for the password again before dangerous actions, because somebody else may use an unattended browser (ASVS 7.5.1). */
import { defineOptionalText } from "./form.ts";
import { CurrentPassword, type FormProps, HiddenUsername } from "./look/forms.tsx";
import { type ActionOutcome, type SignedInRequest, toRefusal } from "./page.ts";

export const passwordIfAsked = { password: defineOptionalText("Password", 1000) };

interface PasswordIfAskedProperties {
  readonly form: FormProps & { readonly ask: SignedInRequest };
  /** Whether no password is needed. Default: true after a recent sign-in. */
  readonly isSure?: boolean;
}

export function PasswordIfAsked({ form, isSure }: PasswordIfAskedProperties) {
  const { account, hasPassword, isFresh } = form.ask.visitor;
  if (!hasPassword || (isSure ?? isFresh)) return undefined;
  return (
    <>
      <HiddenUsername email={account.email} />
      <CurrentPassword
        form={form}
        label="Your password"
        hint="Asked again, so that no one else at this browser can do this."
      />
    </>
  );
}

/**
 * Runs an action if the password is right or the sign-in is recent.
 * @param isSure whether no password is needed. Default: true after a recent sign-in.
 * @returns the outcome. After a verified password, it has the cookies of a new session.
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
