/**
 * One record for each page: its path, who may open it, what it shows, and the acts that its forms can send. The
 * dispatcher reads everything off these records, so no page can forget to ask who is there.
 */
import type {
  Accounts,
  CookieLines,
  RequestOrigin,
  SignIn,
  Visitor,
} from "../../accounts/accounts.ts";
import { Problem } from "../../contract/problem.ts";
import type { Static, TObject } from "../../contract/schema.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { Quota } from "../../control/quota.ts";
import type { Html } from "./look/jsx-runtime.ts";

/** Who may: everybody, whoever is signed in, or administrators alone. */
type PageAudience = "anyone" | "visitor" | "administrator";

export interface Page<Asked extends PageRequest = PageRequest> {
  /** In the router's form; each `:word` is in `ask.params`. */
  readonly path: string;
  readonly who: PageAudience;
  /** Changes nothing: it answers GET, and is shown again when an act was refused. */
  show(ask: Asked): PageAnswer | Promise<PageAnswer>;
  /** What the forms of this page can do, by the name that they send; absent: the page answers no POST. */
  readonly actions?: Readonly<Record<string, PageAction<Asked>>>;
}

export interface PageAction<
  Asked extends PageRequest = PageRequest,
  Fields extends TObject = TObject,
> {
  /** Every field is a text; a field that is not listed is refused by name. */
  readonly fields: Fields;
  run(ask: Asked, given: Static<Fields>): ActionOutcome | Promise<ActionOutcome>;
}

/** What the dispatcher found out before a page is asked. */
export interface PageRequest {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly from: RequestOrigin;
  readonly requestId: string;
  readonly visitor: Visitor | undefined;
  readonly modules: WebModules;
  readonly now: Date;
  /** Goes into every form; without it nothing is done. */
  readonly token: string;
  /** What the last act left to be said, this once. */
  readonly notice: Notice | undefined;
  /** The act that was refused, when the page is shown again because of it. */
  readonly refused: RefusedAction | undefined;
}

/** Behind `who: "visitor"` and `"administrator"` somebody is signed in. */
export interface SignedInRequest extends PageRequest {
  readonly visitor: Visitor;
}

/** What the pages may ask. */
export interface WebModules {
  readonly signIn: SignIn;
  readonly accounts: Accounts;
  /** The same accounts, with this account as the one who acts in the audit log. */
  readonly actingAs: (accountId: string) => Accounts;
  readonly quota: Pick<Quota, "usage">;
  readonly control: Pick<ControlStore, "auditEntries" | "brokenAuditEntry">;
  /** Where people and assistants reach this Roster; no slash at the end. */
  readonly publicUrl: () => string;
}

export interface View {
  readonly title: string;
  readonly body: Html;
  /** Default: 200, or 400 when an act was refused. */
  readonly status?: number;
  /** Loads htmx: parts of the page move without a new page. */
  readonly moves?: true;
}

export type PageAnswer = View | Redirect | ExternalRedirect;

/** Another page of ours. */
export interface Redirect {
  readonly goTo: string;
  readonly cookies?: CookieLines;
  readonly notice?: Notice;
}

/** Out of here: to an assistant that waits, or to a provider of sign-in. */
interface ExternalRedirect {
  readonly leaveFor: string;
  readonly cookies?: CookieLines;
}

export type ActionOutcome = Redirect | ExternalRedirect | ActionRefusal;

/** Said once, on the page that an act leads to; never in an address. */
export interface Notice {
  readonly text: string;
  /** Shown this once, to be copied: a key, a link. */
  readonly secret?: { readonly label: string; readonly text: string };
}

/** Why an act was not done, for the person in front of it. */
export interface ActionRefusal {
  readonly refusal: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
  readonly cookies?: CookieLines;
}

export interface RefusedAction {
  readonly act: string;
  readonly message: string;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What was typed, so that nobody types it twice; never shown for passwords. */
  readonly given: Readonly<Record<string, string>>;
}

export const definePublicPage = (page: Omit<Page, "who">): Page => ({ ...page, who: "anyone" });
export const defineSignedInPage = (
  page: Omit<Page<SignedInRequest>, "who">,
): Page<SignedInRequest> => ({
  ...page,
  who: "visitor",
});
export const defineAdministratorPage = (
  page: Omit<Page<SignedInRequest>, "who">,
): Page<SignedInRequest> => ({
  ...page,
  who: "administrator",
});

/** To an address that a module gave: within this Roster, or out of it. */
export function redirectTo(location: string, cookies: CookieLines): Redirect | ExternalRedirect {
  return location.startsWith("/") ? { goTo: location, cookies } : { leaveFor: location, cookies };
}

/** Ties the fields of a form to what reads them. */
export function defineAction<Fields extends TObject, Asked extends PageRequest = PageRequest>(
  fields: Fields,
  run: (ask: Asked, given: Static<Fields>) => ActionOutcome | Promise<ActionOutcome>,
): PageAction<Asked> {
  return { fields, run } as PageAction<Asked>;
}

/** What a module refused in an ordinary way, as the refusal of the act. */
export function toRefusal(outcome: {
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
}): ActionRefusal {
  const { field, retryAfterSeconds } = outcome;
  return {
    refusal: outcome.message,
    ...(field === undefined ? {} : { field }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/**
 * What a module refuses by throwing, as a refusal of the act that names the field at fault.
 *
 * @throws whatever is not the person's doing.
 */
export async function catchInvalidRequest(
  field: string,
  work: () => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code !== "invalid_request") throw thrown;
    return { field, refusal: toSentence(thrown.message) };
  }
}

/** A message of a module, which begins small and has no full stop. */
export function toSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
}
