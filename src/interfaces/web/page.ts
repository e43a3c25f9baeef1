/**
 * One record for each page: its path, who may open it, what it shows, and the actions that its forms can send. The
 * dispatcher reads all of it from these records, so no page can forget to check who is signed in.
 */
import type {
  Accounts,
  CookieLines,
  RequestOrigin,
  SignIn,
  Visitor,
} from "../../accounts/accounts.ts";
import type { composeSource } from "../../config/config.ts";
import { Problem } from "../../contract/problem.ts";
import { type Static, type TObject, Type } from "../../contract/schema.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { Quota } from "../../control/quota.ts";
import type { CallNote } from "../../network/route.ts";
import type { Modules } from "../../operations/operation.ts";
import type { Administration, SourceStatus } from "./admin/administration.ts";
import type { Calls } from "./calls.ts";
import type { Html } from "./look/jsx-runtime.ts";

export interface Page<Ask extends PageRequest = PageRequest> {
  /** The path in the router's syntax. The value of each `:word` is in `ask.params`. */
  readonly path: string;
  /** Who may open it: anyone, any signed-in user, or administrators only. */
  readonly audience: "anyone" | "visitor" | "administrator";
  /** Renders the page without changing anything: for GET, and again after an action was refused. */
  show(ask: Ask): PageAnswer | Promise<PageAnswer>;
  /** The most bytes of a large form that asks an operation. Default: enough for a few fields. */
  readonly formBytesMax?: number;
  /** Actions of the page's forms, by the name that the form sends; absent: POST is refused. */
  readonly actions?: Readonly<Record<string, PageAction<Ask>>>;
}

export interface PageAction<Ask extends PageRequest = PageRequest> {
  /** Every field is a text; a field that is not listed is refused by name. */
  readonly fields: TObject;
  run(ask: Ask, given: Readonly<Record<string, string>>): ActionOutcome | Promise<ActionOutcome>;
}

/** What the dispatcher knows about a request before its page runs. */
export interface PageRequest {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly from: RequestOrigin;
  readonly requestId: string;
  readonly visitor: Visitor | undefined;
  readonly modules: WebModules;
  /** The operations, as calls of the signed-in account. */
  readonly calls: Calls;
  /** Adds fields to the log line of the request. */
  readonly note: (about: CallNote) => void;
  readonly now: Date;
  /** The token that every form must contain. Forms without it are refused. */
  readonly token: string;
  /**
   * Marks a form about a person that the page shows. Sending a form with the mark costs no call, because the account
   * has seen the person.
   */
  readonly markShown: (login: string) => string;
  /** Whether a path with its query is a page of Roster to which signing in may return. */
  readonly isReturnPath: (path: string) => boolean;
  /** The notice that the last action left, shown once. */
  readonly notice: Notice | undefined;
  /** The refused action, when the page is shown again because of it. */
  readonly refused: RefusedAction | undefined;
  /** People whom saved searches have found since the account looked at them. Known when the page is rendered. */
  readonly newPeople: number;
}

/** The request of a page with `audience: "visitor"` or `"administrator"`: the visitor is signed in. */
export interface SignedInRequest extends PageRequest {
  readonly visitor: Visitor;
}

export interface SignedInProperties {
  readonly ask: SignedInRequest;
}

export interface WebModules {
  readonly signIn: SignIn;
  readonly accounts: Accounts;
  /** @returns the same accounts, with this account as the actor in the audit log. */
  readonly actingAs: (accountId: string) => Accounts;
  readonly quota: Pick<Quota, "usage" | "refuseIfExhausted">;
  readonly control: Pick<
    ControlStore,
    "auditEntries" | "brokenAuditEntry" | "dailyCalls" | "record" | "saved"
  >;
  readonly administration: Administration;
  /** For reading people whom a counted call has answered. */
  readonly pool: Pick<Modules["pool"], "findCards" | "findFacts" | "model" | "sources">;
  /** What the index knows without a search; searches are made by `calls` alone. */
  readonly index: Pick<Modules["search"], "generation" | "isReady" | "roles" | "understand">;
  readonly listRepositories: Modules["knowledge"]["repositories"];
  /** Counts the invented people in the pool. */
  readonly countDemoPeople: () => Promise<number>;
  /** Everything that Roster holds about a person, for JSON; `undefined` if the login does not exist. */
  readonly copyPerson: (login: string) => Promise<object | undefined>;
  readonly sources: {
    list(): readonly SourceStatus[];
    /** Requests a refresh of a source in the settings. @returns whether the source exists. */
    request(id: string): boolean;
    /** Composes the table of a forge for the settings file. */
    compose(draft: Parameters<typeof composeSource>[0]): ReturnType<typeof composeSource>;
  };
  /** The address at which people and assistants reach this Roster, without a trailing slash. */
  readonly publicUrl: () => string;
}

export interface View {
  readonly title: string;
  readonly body: Html;
  /** The heading of the page, if it differs from the title. */
  readonly heading?: Html;
  /** A link under the heading to the page that lists others of the kind. */
  readonly back?: { readonly to: string; readonly label: string };
  /**
   * The layout puts heading, refusal and notice above the body, over the whole width or in a `narrow` column. The body
   * of a `bare` page has its own heading and notice.
   */
  readonly frame?: "narrow" | "bare";
  /** Default: 200, or 400 or 429 when an action was refused. */
  readonly status?: number | undefined;
  /** The page has boxes that tick people for comparing. */
  readonly picks?: true;
  /** The page loads htmx, which updates parts of it without a reload. */
  readonly moves?: true;
}

export type PageAnswer = View | Redirect | ExternalRedirect | Download;

/** An answer that is not a page: a file to save, or data for the script of a page. */
export interface Download {
  /** A file is sent as it is read. */
  readonly content: string | Blob;
  readonly type: string;
  /** The name of the saved file; absent for data that a script shows or uses. */
  readonly fileName?: string;
  readonly cookies?: CookieLines;
}

/** A redirect to another page of this Roster. */
export interface Redirect {
  readonly goTo: string;
  readonly cookies?: CookieLines;
  readonly notice?: Notice;
}

/** A redirect to another site: a waiting assistant, or a provider of sign-in. */
interface ExternalRedirect {
  readonly leaveFor: string;
  readonly cookies?: CookieLines;
}

/** The outcome of an action. It is a page only if a reload may repeat the action and the address must not contain the input. */
export type ActionOutcome = PageAnswer | ActionRefusal;

/** A notice that is shown once, on the page to which an action redirects. It is never in a URL. */
export interface Notice {
  readonly text: string;
  /** A key or a link, which is shown only once so that the user can copy it. */
  readonly secret?: { readonly label: string; readonly text: string };
  /** The login of the person whom the notice is about. The page shows the notice next to that person. */
  readonly person?: string;
  /** The list that the person was put on. */
  readonly list?: { readonly to: string; readonly name: string };
}

export interface ActionRefusal {
  readonly refusal: string;
  readonly field?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cookies?: CookieLines;
}

interface RefusedAction extends Pick<ActionRefusal, "field" | "retryAfterSeconds"> {
  readonly act: string;
  readonly message: string;
  /** What the user typed, to fill in the form again; never shown for passwords. */
  readonly given: Readonly<Record<string, string>>;
}

export const definePublicPage = (page: Omit<Page, "audience">): Page => ({
  ...page,
  audience: "anyone",
});
export const defineSignedInPage = (
  page: Omit<Page<SignedInRequest>, "audience">,
): Page<SignedInRequest> => ({ ...page, audience: "visitor" });
export const defineAdministratorPage = (
  page: Omit<Page<SignedInRequest>, "audience">,
): Page<SignedInRequest> => ({ ...page, audience: "administrator" });

export function redirectTo(location: string, cookies: CookieLines): Redirect | ExternalRedirect {
  return location.startsWith("/") ? { goTo: location, cookies } : { leaveFor: location, cookies };
}

/** Defines an action whose `run` gets the types of its fields. */
export function defineAction<
  Fields extends TObject["properties"],
  Ask extends PageRequest = PageRequest,
>(
  fields: Fields,
  run: (ask: Ask, given: Static<TObject<Fields>>) => ActionOutcome | Promise<ActionOutcome>,
): PageAction<Ask> {
  return { fields: Type.Object(fields), run } as PageAction<Ask>;
}

export const defineButton = <Ask extends PageRequest = PageRequest>(
  run: (ask: Ask) => ActionOutcome | Promise<ActionOutcome>,
): PageAction<Ask> => defineAction({}, run);

/** Converts a module's expected refusal to the refusal of an action. */
export function toRefusal(outcome: {
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
}): ActionRefusal {
  const { message: refusal, field, retryAfterSeconds } = outcome;
  return { refusal, field, retryAfterSeconds };
}

/**
 * Returns the found item of the account. Items of other accounts, such as lists or sessions, are refused like missing ones.
 *
 * @throws Problem not_found.
 */
export function requireOwn<Found>(found: Found | false | undefined, what: string): Found {
  if (found) return found;
  throw new Problem("not_found", { message: `You have no such ${what}.` });
}

/** Capitalizes a module's message and adds its full stop. */
export function toSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
}
