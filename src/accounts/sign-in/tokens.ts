/** Lifetimes and stored forms of the secrets that sign-in issues. */
import type { LinkPurpose } from "../../control/sign-in-store.ts";
import { describeCookieScope } from "../../network/public-url.ts";
import { createRandomBase62, type RandomBytes } from "../keys.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** In seconds. */
export const lifetimes = {
  /** A session ends if it is unused for this long (ASVS 7.3.1). */
  sessionRestSeconds: 7 * day,
  /** A session ends after this time even if it is in daily use (ASVS 7.3.2). */
  sessionSeconds: 30 * day,
  /** When the sign-in is older than this, dangerous actions ask for the password again. */
  freshSeconds: 10 * minute,
  /** Time for a user to sign in and to consent, after an assistant asked for access. */
  authorizationSeconds: 30 * minute,
  /** Short, because an assistant redeems the code right after the redirect (ASVS 10.4.3). */
  codeSeconds: minute,
  accessTokenSeconds: hour,
  /** How long a repeated refresh gets the same response again, which may have been lost. */
  graceSeconds: 30,
  /** A refresh token ends if it is unused for this long. */
  refreshTokenSeconds: 30 * day,
  /** A grant ends after this time, however often it is refreshed (ASVS 10.4.8). */
  grantSeconds: 90 * day,
  /** Short, because the operator sits at the terminal that shows the link. */
  setUpLinkSeconds: 30 * minute,
  /** Long, because an invitation may wait in a mailbox over a weekend. */
  invitationLinkSeconds: 7 * day,
  /** Shorter than an invitation, because the user is waiting and the account is in use. */
  resetLinkSeconds: day,
} as const;

/** Computes the stored form of a token, the same as the sign-in library's, since both read the same column. */
export function digestToken(token: string): string {
  const digest = new Bun.CryptoHasher("sha256").update(token).digest();
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Derives OpenID Connect's `nonce` from the `state`, which is random, bound to the browser, and valid once. */
export function deriveNonce(state: string): string {
  return digestToken(`the nonce that goes with ${state}`);
}

const linkSeconds: Record<LinkPurpose, number> = {
  "set-up": lifetimes.setUpLinkSeconds,
  invitation: lifetimes.invitationLinkSeconds,
  reset: lifetimes.resetLinkSeconds,
};

/** @returns the token of a one-time link, and the row to store, which has only the token's digest. */
export function createLinkToken(
  accountId: string,
  purpose: LinkPurpose,
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
) {
  // Only letters and digits, because mail programs may cut a link at other characters.
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

export function getLinkPath(purpose: LinkPurpose, token: string): string {
  return `${linkPaths[purpose]}?${new URLSearchParams({ token })}`;
}

export interface SessionCookie {
  readonly isSecure: boolean;
  readonly path: string;
  readonly prefix: string;
  readonly name: string;
  /** The Set-Cookie line that removes the cookie. */
  readonly removal: string;
}

export function describeSessionCookie(publicUrl: string): SessionCookie {
  const scope = describeCookieScope(publicUrl);
  const prefix = `${scope.prefix}roster`;
  // The sign-in library gives its cookie this name.
  const name = `${prefix}.session_token`;
  const { isSecure, path, attributes } = scope;
  return { isSecure, path, prefix, name, removal: `${name}=; Max-Age=0; ${attributes}` };
}

/** Reads the session token from a request's cookie, without the signature that the library appends to it. */
export function readSessionToken(request: Request, { name }: SessionCookie): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  return /^[0-9A-Za-z]{16,64}(?=\.)/.exec(cookies.get(name) ?? "")?.[0];
}
