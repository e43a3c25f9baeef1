/** Secrets that sign-in issues: how they are stored, and how long they last. */
import type { LinkPurpose } from "../../control/sign-in-store.ts";
import { describeCookieScope } from "../../network/public-url.ts";
import { createRandomBase62, type RandomBytes } from "../keys.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Lifetimes of what sign-in issues, in seconds. */
export const lifetimes = {
  /** An unused session ends (ASVS 7.3.1). */
  sessionRestSeconds: 7 * day,
  /** A session in daily use ends as well (ASVS 7.3.2). */
  sessionSeconds: 30 * day,
  /** After this a dangerous action asks for the password again. */
  freshSeconds: 10 * minute,
  /** Time for a user to sign in and decide, from the first step at the authorization endpoint. */
  authorizationSeconds: 30 * minute,
  /** A program redeems the code right after the redirect (ASVS 10.4.3). */
  codeSeconds: minute,
  accessTokenSeconds: hour,
  /** How long a response that was lost on its way can be repeated. */
  graceSeconds: 30,
  /** An unused refresh token ends. */
  refreshTokenSeconds: 30 * day,
  /** A grant ends as well, however often it is refreshed (ASVS 10.4.8). */
  grantSeconds: 90 * day,
  /** The operator is at the terminal that shows it. */
  setUpLinkSeconds: 30 * minute,
  /** It is sent by mail or messenger, perhaps over a weekend. */
  invitationLinkSeconds: 7 * day,
  /** Requested by a user who wants to sign in now; it opens an account that is in use. */
  resetLinkSeconds: day,
} as const;

/** SHA-256 in base64url: the sign-in library's own form, so that both read the same column. */
export function digestToken(token: string): string {
  const digest = new Bun.CryptoHasher("sha256").update(token).digest();
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** OpenID Connect's nonce, derived from the state, which is random, bound to the browser and valid once. */
export function deriveNonce(state: string): string {
  return digestToken(`the nonce that goes with ${state}`);
}

const linkSeconds: Record<LinkPurpose, number> = {
  "set-up": lifetimes.setUpLinkSeconds,
  invitation: lifetimes.invitationLinkSeconds,
  reset: lifetimes.resetLinkSeconds,
};

/** A one-time link: the token to hand out, of 256 random bits, and the row to store. */
export function createLinkToken(
  accountId: string,
  purpose: LinkPurpose,
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
) {
  // Letters and digits only: mail programs may break a link at anything else.
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

/** The page of a one-time link, for those that show links and those that serve them. */
export function getLinkPath(purpose: LinkPurpose, token: string): string {
  return `${linkPaths[purpose]}?${new URLSearchParams({ token })}`;
}

/** The session's cookie: see `describeCookieScope`. */
export interface SessionCookie {
  readonly isSecure: boolean;
  readonly path: string;
  readonly prefix: string;
  readonly name: string;
  /** The Set-Cookie line that removes it. */
  readonly removal: string;
}

export function describeSessionCookie(publicUrl: string): SessionCookie {
  const scope = describeCookieScope(publicUrl);
  const prefix = `${scope.prefix}roster`;
  // The library's own pattern of names.
  const name = `${prefix}.session_token`;
  const { isSecure, path, attributes } = scope;
  return { isSecure, path, prefix, name, removal: `${name}=; Max-Age=0; ${attributes}` };
}

/** The token in a request's cookie, without the library's signature behind it. */
export function readSessionToken(request: Request, { name }: SessionCookie): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  return /^[0-9A-Za-z]{16,64}(?=\.)/.exec(cookies.get(name) ?? "")?.[0];
}
