/** Lifetimes and stored forms of the secrets that sign-in issues. */
import type { LinkPurpose } from "../../control/sign-in-store.ts";
import { describeCookieScope } from "../../network/public-url.ts";
import { createRandomBase62 } from "../keys.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const lifetimes = {
  /** A session ends when it has been unused for this long (ASVS 7.3.1). */
  sessionRestSeconds: 7 * day,
  /** A session ends after this time even if it is used every day (ASVS 7.3.2). */
  sessionSeconds: 30 * day,
  /** When the sign-in is older than this, dangerous actions ask for the password again. */
  freshSeconds: 10 * minute,
  /** The user may take this long to sign in and to consent, after an assistant has asked for access. */
  authorizationSeconds: 30 * minute,
  /** The code's lifetime is short, because an assistant redeems the code right after the redirect (ASVS 10.4.3). */
  codeSeconds: minute,
  accessTokenSeconds: hour,
  /** A repeated refresh gets the same response for this long, because the first response may have been lost. */
  graceSeconds: 30,
  /** A refresh token ends when it has been unused for this long. */
  refreshTokenSeconds: 30 * day,
  /** A grant ends after this time, even if it is refreshed often (ASVS 10.4.8). */
  grantSeconds: 90 * day,
  /** A set-up link lasts for a short time, because the operator sits at the terminal that shows the link. */
  setUpLinkSeconds: 30 * minute,
  /** An invitation lasts longer, because it may wait in a mailbox over a weekend. */
  invitationLinkSeconds: 7 * day,
  resetLinkSeconds: day,
} as const;

/** Computes the stored form of a token. The sign-in library computes the same form. */
export function digestToken(token: string): string {
  const digest = new Bun.CryptoHasher("sha256").update(token).digest();
  return new Uint8Array(digest).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Derives OpenID Connect's `nonce` from the `state`, which is random, belongs to one browser, and is valid once. */
export function deriveNonce(state: string): string {
  return digestToken(`the nonce that goes with ${state}`);
}

const linkSeconds: Record<LinkPurpose, number> = {
  "set-up": lifetimes.setUpLinkSeconds,
  invitation: lifetimes.invitationLinkSeconds,
  reset: lifetimes.resetLinkSeconds,
};

/** @returns the token of a one-time link, and the row to store. The row has only a digest of the token. */
export function createLinkToken(accountId: string, purpose: LinkPurpose, now: Date) {
  // The token has only letters and digits, because mail programs may cut a link at other characters.
  const token = createRandomBase62(43);
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

export type SessionCookie = ReturnType<typeof describeSessionCookie>;

export function describeSessionCookie(publicUrl: string) {
  const scope = describeCookieScope(publicUrl);
  const prefix = `${scope.prefix}roster`;
  // The sign-in library gives its cookie this name.
  const name = `${prefix}.session_token`;
  const { isSecure, path, attributes } = scope;
  /** The line of a Set-Cookie header that removes the cookie. */
  const removal = `${name}=; Max-Age=0; ${attributes}`;
  return { isSecure, path, prefix, name, removal };
}

/** Reads the session token from a request's cookie. The signature after the token is left out. */
export function readSessionToken(request: Request, { name }: SessionCookie): string | undefined {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  return /^[0-9A-Za-z]{16,64}(?=\.)/.exec(cookies.get(name) ?? "")?.[0];
}
