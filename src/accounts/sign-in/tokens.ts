/** Secrets that sign-in hands out, how they are kept, and how long they last. */
import type { LinkPurpose } from "../../control/sign-in-store.ts";
import { createRandomBase62, type RandomBytes } from "../keys.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** How long what is handed out lasts, in seconds. */
export const lifetimes = {
  /** A session that nobody uses ends (ASVS 7.3.1). */
  sessionRestSeconds: 7 * day,
  /** And one in daily use ends as well (ASVS 7.3.2). */
  sessionSeconds: 30 * day,
  /** After it a dangerous act asks for the password again. */
  freshSeconds: 10 * minute,
  /** Time for a person to sign in and decide, from the first step at the authorization endpoint on. */
  authorizationSeconds: 30 * minute,
  /** A code goes from one redirect into the next request of a program (ASVS 10.4.3). */
  codeSeconds: minute,
  accessTokenSeconds: hour,
  /** An answer that was lost on its way is given again. */
  graceSeconds: 30,
  /** A refresh token that is not used ends. */
  refreshTokenSeconds: 30 * day,
  /** And what one consent granted ends as well, however often it is refreshed (ASVS 10.4.8). */
  grantSeconds: 90 * day,
  /** Somebody sits before the terminal that shows it. */
  setUpLinkSeconds: 30 * minute,
  /** It goes by mail or messenger, over a weekend. */
  invitationLinkSeconds: 7 * day,
  /** Asked for by somebody who wants in now; it opens an account that has something in it. */
  resetLinkSeconds: day,
} as const;

/** SHA-256 in base64url: the sign-in library's own form, so that both read the same column. */
export function digestToken(token: string): string {
  const digest = new Bun.CryptoHasher("sha256").update(token).digest();
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** For OpenID Connect: the state is random, works once and is bound to the browser; what goes beside it follows from it. */
export function deriveNonce(state: string): string {
  return digestToken(`the nonce that goes with ${state}`);
}

const linkSeconds: Record<LinkPurpose, number> = {
  "set-up": lifetimes.setUpLinkSeconds,
  invitation: lifetimes.invitationLinkSeconds,
  reset: lifetimes.resetLinkSeconds,
};

/** A one-time link: the token to hand out, of 256 random bits, and what is kept of it. */
export function createLinkToken(
  accountId: string,
  purpose: LinkPurpose,
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
) {
  // Letters and digits only: a mail program breaks a link at anything else.
  const token = createRandomBase62(43, random);
  const createdMs = now.getTime();
  const expiresMs = createdMs + linkSeconds[purpose] * 1000;
  return { token, link: { accountId, purpose, digest: digestToken(token), createdMs, expiresMs } };
}

export const linkPaths = {
  "set-up": "/set-up",
  invitation: "/invitation",
  reset: "/reset-password",
} as const satisfies Record<LinkPurpose, string>;

/** The page that a one-time link leads to: whoever shows a link and whoever serves it agree here. */
export function getLinkPath(purpose: LinkPurpose, token: string): string {
  return `${linkPaths[purpose]}?${new URLSearchParams({ token })}`;
}

/**
 * The session's cookie. Under https its name begins with `__Host-`, so that no other host and no plain http can
 * set it; on plain http browsers refuse that prefix, so there it has none.
 */
export interface SessionCookie {
  readonly isSecure: boolean;
  readonly prefix: string;
  readonly name: string;
  /** Tells the browser to forget it. */
  readonly removal: string;
}

export function describeSessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith("https:");
  const prefix = isSecure ? "__Host-roster" : "roster";
  // The library's own pattern of names.
  const name = `${prefix}.session_token`;
  const removal = `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return { isSecure, prefix, name, removal };
}

/** The token in a request's cookie; the signature behind it is for the library. */
export function readSessionToken(request: Request, { name }: SessionCookie): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  return /^[0-9A-Za-z]{16,64}(?=\.)/.exec(cookies.get(name) ?? "")?.[0];
}
