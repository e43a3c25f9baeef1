import type { IdentityProvider } from "../../contract/identity-provider.ts";
import type { AccountRow, ControlStore, NewAuditEntry } from "../../control/control-store.ts";
import type { Library, SignInLog } from "./library.ts";
import { describeSessionCookie, type SessionCookie } from "./session-cookie.ts";

export type SignUpMode = "open" | "invitation" | "closed";

export interface SignInOptions {
  readonly now: () => Date;
  readonly log: SignInLog;
  /** Where callers reach this; known for good once the interface listens. */
  readonly publicUrl: () => string;
  readonly signUpMode: SignUpMode;
  /** Whether assistants may register by themselves (RFC 7591). */
  readonly allowRegistration: boolean;
  /** By how many new assistants of one network; those that are known do not count. */
  readonly registrationsPerHour: number;
  /** Where answers to assistants may go beside https and this machine. */
  readonly privateRedirects: readonly string[];
  /** Single sign-on. */
  readonly providers: readonly IdentityProvider[];
}

/** Where a request comes. */
export interface RequestOrigin {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** The session it shows ends when another is opened in its place. */
  readonly request?: Request;
}

/** What may go wrong in ordinary ways is returned, in a sentence for the person in front of it. */
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

/** What every part of sign-in shares. */
export interface SignInContext extends SignInOptions {
  readonly control: ControlStore;
  /** Loads the library at its first use. */
  library(): Promise<Library>;
  cookie(): SessionCookie;
  /** Removes, by the hour, what is of no more use. */
  prune(): Promise<void>;
  /** For the audit log; by default the account itself acts. */
  entry(action: string, accountId: string, detail?: NewAuditEntry["detail"]): NewAuditEntry;
  /** @returns `undefined` when the account was disabled, or its password changed, while this one was looked at. */
  openSession(verified: VerifiedAccount, from: RequestOrigin): Promise<CookieLines | undefined>;
}

/** Whose password was right, and what it was held against. */
export interface VerifiedAccount {
  readonly account: AccountRow;
  readonly hash: string;
}

const pruneEveryMs = 3_600_000;

export function createSignInContext(control: ControlStore, options: SignInOptions): SignInContext {
  const { now, publicUrl } = options;
  let loading: Promise<Library> | undefined;
  let prunedMs = 0;
  // Whatever adds rows comes through the library, so what is of no more use goes by the hour.
  const prune = async () => {
    const at = now();
    if (Math.abs(at.getTime() - prunedMs) < pruneEveryMs) return;
    prunedMs = at.getTime();
    await control.signIn.prune(at);
  };
  const cookie = () => describeSessionCookie(publicUrl());
  const entry: SignInContext["entry"] = (action, accountId, detail = {}) => {
    return { at: now(), actor: accountId, action, subject: accountId, detail };
  };
  const library = async (): Promise<Library> => {
    await prune();
    loading ??= load({ ...options, control, cookie, entry }).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    ...options,
    control,
    library,
    cookie,
    prune,
    entry,
    async openSession({ account, hash }, { address, userAgent }) {
      await control.signIn.ensureUser(account, now());
      const { api } = await library();
      const body = { accountId: account.id, address, userAgent };
      const { headers, response } = await api.openSession({ body, returnHeaders: true });
      const { id } = response;
      if (id === undefined) return undefined;
      // Looked at after the session is there: a change before this is seen here, one after it ends the session itself.
      if ((await control.signIn.findPassword(account.id)) !== hash) {
        await control.signIn.endSessions(account.id, { id }, entry("session.ended", account.id));
        return undefined;
      }
      const detail = { session: id, address: address ?? null };
      await control.record(entry("session.opened", account.id, detail));
      return headers.getSetCookie();
    },
  };
}

async function load(context: Omit<SignInContext, "library" | "prune" | "openSession">) {
  const { openLibrary } = await import("./library.ts");
  const { providers, publicUrl } = context;
  if (providers.length === 0) return openLibrary(context, []);
  const { createSingleSignOn } = await import("../providers/single-sign-on.ts");
  return openLibrary(context, [createSingleSignOn(providers, publicUrl())]);
}
