/**
 * The types of page records. A record has the path of a page, who may open it, what it shows, and the actions of its forms. The
 * dispatcher checks sign-in for all pages by these records.
 */
import type {
  Accounts,
  CookieLines,
  RequestOrigin,
  SignIn,
  Visitor,
} from "../../accounts/accounts.ts";
import { Problem } from "../../contract/problem.ts";
import { type Static, type TObject, Type } from "../../contract/schema.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { Quota } from "../../control/quota.ts";
import type { SearchMail, Webhooks } from "../../delivery/delivery.ts";
import type { CallNote } from "../../network/route.ts";
import type { Modules } from "../../operations/operation.ts";
import type { Administration, CheckedSource, Sources } from "./admin/administration.ts";
import type { Calls } from "./calls.ts";
import { defineOptionalText } from "./form.ts";
import type { KeptValues } from "./kept-values.ts";
import type { Html } from "./look/jsx-runtime.ts";

export interface Page<Ask extends PageRequest = PageRequest> {
  /** The path in the router's syntax. The value of each `:word` is in `ask.params`. */
  readonly path: string;
  /** Who may open the page: anyone, any signed-in user, or only administrators. */
  readonly audience: "anyone" | "visitor" | "administrator";
  /** Renders the page and changes nothing. Called for GET, and again after an action was refused. */
  show(ask: Ask): PageAnswer | Promise<PageAnswer>;
  /** The most bytes of a form of this page. Set only for a form that costs a call. Default: 16 KiB. */
  readonly formBytesMax?: number;
  /** The actions of the page's forms, by the name that a form sends. If absent, POST is refused. */
  readonly actions?: Readonly<Record<string, PageAction<Ask>>>;
}

export interface PageAction<Ask extends PageRequest = PageRequest> {
  /** The fields of the form, all of them texts. A form with any other field is refused. */
  readonly fields: TObject;
  run(ask: Ask, given: Readonly<Record<string, string>>): ActionOutcome | Promise<ActionOutcome>;
}

export interface PageRequest {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly from: RequestOrigin;
  readonly requestId: string;
  readonly visitor: Visitor | undefined;
  readonly modules: WebModules;
  readonly calls: Calls;
  /** Adds fields to the log line of the request. */
  readonly note: (about: CallNote) => void;
  readonly now: Date;
  /** The token that every form must contain. Forms without it are refused. */
  readonly token: string;
  /** Creates a mark for a form about a person whom the page shows. With the mark, sending the form costs no call. */
  readonly markShown: (login: string) => string;
  /** Whether sign-in and forms may redirect to a path with its query. */
  readonly isReturnPath: (path: string) => boolean;
  readonly notice: Notice | undefined;
  readonly refused: RefusedAction | undefined;
  /** The number of new people in saved searches since the account last looked. Until the document is rendered, it is 0. */
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
  /** @returns the module for changes by this account. The audit log names the account as the actor. */
  readonly actingAs: (accountId: string) => Accounts;
  readonly quota: Pick<Quota, "usage" | "refuseIfExhausted">;
  readonly control: Pick<
    ControlStore,
    "auditEntries" | "brokenAuditEntry" | "dailyCalls" | "record" | "saved"
  >;
  readonly administration: Administration;
  /** The pool. Pages may read only people whom a call of the account has already shown. */
  readonly pool: Pick<Modules["pool"], "findCards" | "findFacts" | "model" | "sources">;
  /** The parts of the index that need no search. Pages search only through `calls`. */
  readonly index: Pick<Modules["search"], "generation" | "roles" | "understand">;
  readonly listRepositories: Modules["knowledge"]["repositories"];
  readonly countDemoPeople: () => Promise<number>;
  /** Returns everything that Roster holds about a person, for JSON; `undefined` if the login does not exist. */
  readonly copyPerson: (login: string) => Promise<object | undefined>;
  readonly sources: Sources;
  readonly webhooks: Webhooks;
  readonly searchMail: SearchMail;
  readonly checkedSources: KeptValues<CheckedSource>;
  /** The address at which people and assistants reach this Roster, without a trailing slash. */
  readonly publicUrl: () => string;
}

export interface View {
  readonly title: string;
  readonly body: Html;
  readonly heading?: Html;
  readonly actions?: Html;
  /** A link under the heading, such as from a list to all lists. */
  readonly back?: { readonly to: string; readonly label: string };
  /** `narrow` puts the page into a narrow column. The body of a `bare` page has its own heading, refusal and notice. */
  readonly frame?: "narrow" | "bare";
  readonly status?: number | undefined;
  /** Whether the page needs the script for the boxes that select people for a comparison. */
  readonly picks?: true;
  /** Whether the page needs htmx, which updates parts of the page without a reload. */
  readonly moves?: true;
}

export type PageAnswer = View | Redirect | ExternalRedirect | Download;

/** An answer that is not a page: a file to save, or data for the script of a page. */
export interface Download {
  /** The data. A Blob is sent while it is read. */
  readonly content: string | Blob;
  readonly type: string;
  /** The name of the saved file; absent for data that a script shows or uses. */
  readonly fileName?: string;
  readonly cookies?: CookieLines;
}

export interface Redirect {
  readonly goTo: string;
  readonly cookies?: CookieLines;
  readonly notice?: Notice;
}

/** A redirect to another site: to an assistant that waits for an answer, or to a provider of sign-in. */
interface ExternalRedirect {
  readonly leaveFor: string;
  readonly cookies?: CookieLines;
}

/** The outcome of an action. An action that must not be repeated by a reload answers with a redirect. */
export type ActionOutcome = PageAnswer | ActionRefusal;

/** A notice that is shown once, on the page to which an action redirects. */
export interface Notice {
  readonly text: string;
  /** A key or a link for the user to copy. It is shown only once. */
  readonly secret?: { readonly label: string; readonly text: string };
  /** The login of the person whom the notice is about. The page shows the notice next to that person. */
  readonly person?: string;
  readonly list?: { readonly to: string; readonly name: string };
}

export interface ActionRefusal {
  readonly refusal: string;
  readonly field?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cookies?: CookieLines;
}

export interface RefusedAction extends Pick<ActionRefusal, "field" | "retryAfterSeconds"> {
  readonly act: string;
  readonly message: string;
  /** What the user typed. The page shows these values in the form again, except for passwords. */
  readonly given: Readonly<Record<string, string>>;
}

const defineFor =
  <Ask extends PageRequest>(audience: Page["audience"]) =>
  (page: Omit<Page<Ask>, "audience">): Page<Ask> => ({ ...page, audience });

export const definePublicPage = defineFor<PageRequest>("anyone");
export const defineSignedInPage = defineFor<SignedInRequest>("visitor");
export const defineAdministratorPage = defineFor<SignedInRequest>("administrator");

export const redirectTo = (location: string, cookies: CookieLines): Redirect | ExternalRedirect =>
  location.startsWith("/") ? { goTo: location, cookies } : { leaveFor: location, cookies };

/** Defines an action. The values that `run` gets have the types of `fields`. */
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

const passwordField = defineOptionalText("Password", 1000);

/**
 * Defines an action that asks for the password again, unless the sign-in is recent, because somebody else may use an unattended
 * browser (ASVS 7.5.1). After a verified password, the outcome has the cookies of a new session.
 * @param always if given, the password is asked for even after a recent sign-in.
 */
export const defineConfirmed = <Fields extends TObject["properties"]>(
  fields: Fields,
  run: (
    ask: SignedInRequest,
    given: Static<TObject<Fields>>,
  ) => ActionOutcome | Promise<ActionOutcome>,
  always?: "always",
): PageAction<SignedInRequest> => ({
  fields: Type.Object<TObject["properties"]>({ ...fields, password: passwordField }),
  run: async (ask, { password, ...given }) => {
    const { modules, visitor, from } = ask;
    const confirmed = () => run(ask, given as Static<TObject<Fields>>);
    if (visitor.isFresh && !(always && visitor.hasPassword)) return confirmed();
    if (!visitor.hasPassword) {
      return { refusal: "This needs a sign-in of the last ten minutes. Sign in again first." };
    }
    if (password === undefined) return { refusal: "Password is missing.", field: "password" };
    const verified = await modules.signIn.confirm(visitor, password, from);
    if (!verified.ok) return { ...toRefusal(verified), field: verified.field ?? "password" };
    return { ...(await confirmed()), cookies: verified.cookies };
  },
});

/** Converts the refusal that a module returns to the refusal of an action. */
export function toRefusal({
  message: refusal,
  ...more
}: Omit<ActionRefusal, "refusal" | "cookies"> & { readonly message: string }): ActionRefusal {
  return { refusal, field: more.field, retryAfterSeconds: more.retryAfterSeconds };
}

/** Returns what was looked up. @throws Problem `not_found` with this message if there is nothing. */
export function requireFound<Found>(found: Found | false | undefined, message: string): Found {
  if (found) return found;
  throw new Problem("not_found", { message });
}

/** Requires what was looked up for an account, such as a list or a session. */
export const requireOwn = <Found>(found: Found | false | undefined, what: string): Found =>
  requireFound(found, `You have no such ${what}.`);

/** Capitalizes a module's message and adds its full stop. */
export const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
