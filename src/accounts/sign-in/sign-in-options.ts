import type { IdentityProvider } from "../../contract/identity-provider.ts";
import type { AccountRow, NewAuditEntry } from "../../control/account-records.ts";
import type { ControlStore } from "../../control/control-store.ts";
import type { SessionCookie } from "./tokens.ts";

export type SignUpMode = "open" | "invitation" | "closed";

export interface SignInOptions {
  readonly now: () => Date;
  readonly log: SignInLog;
  /** Where callers reach Roster; final once the interface listens. */
  readonly publicUrl: () => string;
  readonly signUpMode: SignUpMode;
  /** Whether assistants may register themselves (RFC 7591). */
  readonly canRegister: boolean;
  /** New assistants per network; known ones do not count. */
  readonly registrationsPerHour: number;
  /** Redirect addresses allowed besides https and this machine. */
  readonly privateRedirects: readonly string[];
  /** Single sign-on. */
  readonly providers: readonly IdentityProvider[];
}

/** Where a request came from. */
export interface RequestOrigin {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** Its session ends when another is opened in its place. */
  readonly request?: Request;
}

/** Expected failures are returned, with a sentence for the user. */
export type SignInOutcome<Done = object> =
  | ({ readonly ok: true } & Done)
  | {
      readonly ok: false;
      readonly field?: string;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    };

/** Set-Cookie lines, to be sent as they are. */
export type CookieLines = readonly string[];

/** An account, and the hash that its password was verified against. */
export interface VerifiedAccount {
  readonly account: AccountRow;
  readonly hash: string;
}

/** Dependencies shared by sign-in and its library. */
export interface SignInDependencies extends SignInOptions {
  readonly control: ControlStore;
  cookie(): SessionCookie;
  /** For the audit log; by default the account itself acts. */
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
