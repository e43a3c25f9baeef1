/** Forms of people whose sign-in was over when they sent them: filled in again once their account has signed in. */
import { Problem } from "../../contract/problem.ts";
import { readForm } from "./form.ts";
import { type Forms, isSameSecret } from "./form-tokens.ts";
import type { Notices } from "./notices.ts";
import type { PageAnswer, PageRequest, RefusedAction } from "./page.ts";

/** A form that was sent without a sign-in, for its page to show again. */
export interface UnsentForm {
  readonly act: string;
  /** Proves whose form it is. */
  readonly token: string;
  /** What was typed, without passwords. */
  readonly given: Readonly<Record<string, string>>;
  readonly secret?: undefined;
}

interface UnsentForms {
  readonly forms: Pick<Forms, "refuseForeign">;
  readonly unsent: Notices<UnsentForm>;
}

interface SentRequest {
  readonly ask: PageRequest;
  readonly browserId: string;
}

/**
 * Keeps a form that was sent without a sign-in.
 *
 * @returns the way to the sign-in, and from there back to the page that takes the form; otherwise the denial as it is.
 */
export async function keepUnsent(
  denial: PageAnswer,
  { ask, browserId }: SentRequest,
  { forms, unsent }: UnsentForms,
): Promise<PageAnswer> {
  const { request, url, visitor } = ask;
  if (request.method !== "POST" || visitor) return denial;
  try {
    forms.refuseForeign(request);
    const { act, token, given } = await readForm(request);
    const { pathname: path, search } = url;
    const typed = Object.entries(given).filter(([field]) => !/password/i.test(field));
    const form = { act, token, given: Object.fromEntries(typed) };
    unsent.put(form, { browserId, accountId: undefined, path });
    return { goTo: `/sign-in?${new URLSearchParams({ next: path + search })}` };
  } catch (thrown) {
    if (thrown instanceof Problem) return denial;
    throw thrown;
  }
}

/** Only for the account whose form it was. */
export function takeUnsent(
  { unsent }: Pick<UnsentForms, "unsent">,
  { ask: { visitor, url, token }, browserId }: SentRequest,
): RefusedAction | undefined {
  if (!visitor) return undefined;
  const to = { browserId, accountId: visitor.account.id, path: url.pathname };
  const form = unsent.take(to);
  if (!form || !isSameSecret(form.token, token)) return undefined;
  const { act, given } = form;
  const message =
    "You were signed out before this was sent. It is filled in again: send it once more.";
  return { act, given, message, field: undefined, retryAfterSeconds: undefined };
}
