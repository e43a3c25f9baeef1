import type { IdentityProvider } from "../../contract/identity-provider.ts";
import type { AccountRow, NewAuditEntry } from "../../control/account-records.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { SessionCookie } from "./tokens.ts";

export type SignUpMode = "open" | "invitation" | "closed";

export interface SignInOptions {
  readonly now: () => Date;
  readonly log: SignInLog;
  /** Returns the address at which callers reach Roster. The address is known only when the server listens. */
  readonly publicUrl: () => string;
  readonly signUpMode: SignUpMode;
  /** Whether assistants may register themselves (RFC 7591). */
  readonly canRegister: boolean;
  /** The most new assistants that may register from one network in an hour. */
  readonly registrationsPerHour: number;
  /** Redirect addresses with a private scheme that assistants may register. */
  readonly privateRedirects: readonly string[];
  /** Returns the providers in force. They may change. */
  readonly providers: () => readonly IdentityProvider[];
}

export interface RequestOrigin {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** The browser's request. Signing in ends the session of this request. */
  readonly request?: Request;
}

/** A success, or an expected failure with a sentence for the user. */
export type SignInOutcome<Done = object> =
  | ({ readonly ok: true } & Done)
  | {
      readonly ok: false;
      readonly field?: string;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    };

/** Values of Set-Cookie headers. */
export type CookieLines = readonly string[];

/** An account whose password was verified against `hash`. */
export interface VerifiedAccount {
  readonly account: AccountRow;
  readonly hash: string;
}

/** The dependencies that sign-in and its library share. */
export interface SignInDependencies extends SignInOptions {
  readonly control: ControlStore;
  cookie(): SessionCookie;
  /** Creates an entry of the audit log. The account is the actor and the subject of the entry. */
  entry(
    action: NewAuditEntry["action"],
    accountId: string,
    detail?: NewAuditEntry["detail"],
  ): NewAuditEntry;
}

interface SignInLog {
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}
