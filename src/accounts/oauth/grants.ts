/** What becomes of the tokens that a grant gave: redeemed, refreshed, revoked. */
import type { RefreshToken } from "../../control/sign-in-store.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { digestToken, lifetimes } from "../sign-in/tokens.ts";
import { openTurns } from "../turns.ts";
import { type OAuthRefusal, refreshTokenPrefix, toAudience } from "./oauth.ts";

/** The library's own answer; or the text of one that is given again; or why there is none. */
type TokenAnswer = Response | { readonly ok: true; readonly text: string } | OAuthRefusal;

export interface Grants {
  isClient(clientId: string): Promise<boolean>;
  /** @param ask asks the library with the form, whose resources are ours by then. */
  redeemGrant(form: URLSearchParams, ask: () => Promise<Response>): Promise<TokenAnswer>;
  /** @returns whether it was a refresh token of ours; any other is for the library to revoke. */
  revokeToken(form: URLSearchParams): Promise<boolean>;
}

export function createGrants(context: SignInContext): Grants {
  const store = context.control.signIn;
  const inTurn = openTurns();
  return {
    isClient: async (clientId) => (await store.findClient(clientId)) !== undefined,
    redeemGrant: async (form, ask) => {
      for (const [at, resource] of form.getAll("resource").entries()) {
        if (at === 0) form.delete("resource");
        form.append("resource", toAudience(context.publicUrl(), resource));
      }
      const digest = digestIn(form, "refresh_token");
      if (form.get("grant_type") !== "refresh_token" || !digest) return ask();
      // Of several that come at once with one token the first rotates it, and the others get what it got.
      return inTurn(digest, () => refreshed(context, form, { digest, ask }));
    },
    revokeToken: async (form) => {
      const digest = digestIn(form, "token");
      const token = digest && (await store.findRefreshToken(digest));
      if (!token) return false;
      // A refresh token takes along what came of the same consent, and nothing else of its holder's.
      if (token.clientId === form.get("client_id")) {
        await endFamily(context, token, "asked by the assistant");
      }
      return true;
    },
  };
}

/**
 * An answer can be lost on its way: asked again within a moment, the same answer is given again, as long as nothing
 * has followed on it. Later, whoever shows a spent token has it from somewhere, and all that came of it ends
 * (RFC 9700, 4.14.2).
 */
async function refreshed(
  context: SignInContext,
  form: URLSearchParams,
  { digest, ask }: { readonly digest: string; readonly ask: () => Promise<Response> },
): Promise<TokenAnswer> {
  const store = context.control.signIn;
  const token = await store.findRefreshToken(digest);
  if (!token || token.clientId !== form.get("client_id")) return ask();
  const secret = form.get("refresh_token") as string;
  if (token.isSpent) {
    const answer = await answerAgain(context, token, secret);
    if (answer !== undefined) return { ok: true, text: answer };
    await endFamily(context, token, "a refresh token was used twice");
    const description = "this refresh token has been used before";
    return { ok: false, error: "invalid_grant", description };
  }
  const response = await ask();
  if (!response.ok) return response;
  const text = await response.text();
  const untilMs = context.now().getTime() + lifetimes.graceSeconds * 1000;
  await store.keepAnswer(token.id, { sealed: await seal(text, secret), untilMs });
  return { ok: true, text };
}

async function answerAgain(
  { control, now }: SignInContext,
  { answer, family }: RefreshToken,
  secret: string,
): Promise<string | undefined> {
  if (!answer || answer.untilMs < now().getTime()) return undefined;
  const text = await unseal(answer.sealed, secret);
  const { refresh_token: next = "" } = JSON.parse(text) as { refresh_token?: string };
  const following = await control.signIn.findRefreshToken(digestOf(next));
  return following?.family === family && !following.isSpent ? text : undefined;
}

async function endFamily(
  { control, entry }: SignInContext,
  token: RefreshToken,
  why: string,
): Promise<void> {
  const { accountId, clientId, family } = token;
  const by = entry("grant.revoked", accountId, { client: clientId, why });
  await control.signIn.endFamily(family, by);
}

/** Of the refresh token in a field of the form, if one is there. */
function digestIn(form: URLSearchParams, name: string): string | undefined {
  const token = form.get(name);
  return token?.startsWith(refreshTokenPrefix) ? digestOf(token) : undefined;
}

const digestOf = (token: string) => digestToken(token.slice(refreshTokenPrefix.length));

/**
 * Sealed with the token that is given up: whoever still holds it can open it, and whoever reads the file cannot.
 * The key is another text than the one whose digest is stored.
 */
const keyOf = (token: string) => `the answer that followed on ${token}`;

async function seal(data: string, token: string): Promise<string> {
  const { symmetricEncrypt } = await import("better-auth/crypto");
  return symmetricEncrypt({ key: keyOf(token), data });
}

async function unseal(data: string, token: string): Promise<string> {
  const { symmetricDecrypt } = await import("better-auth/crypto");
  return symmetricDecrypt({ key: keyOf(token), data });
}
