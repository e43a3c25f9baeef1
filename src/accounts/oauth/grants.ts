/** Redeems, refreshes and revokes the tokens of a grant. */
import type { RefreshToken } from "../../control/sign-in-store.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { digestToken, lifetimes } from "../sign-in/tokens.ts";
import { type OAuthRefusal, refreshTokenPrefix, toAudience } from "./oauth.ts";
import { createTurns } from "./turns.ts";

/** The library's response, the text of a response that may be repeated, or why there is none. */
type TokenAnswer = Response | { readonly ok: true; readonly text: string } | OAuthRefusal;

export function createGrants(context: SignInContext) {
  const store = context.control.signIn;
  const inTurn = createTurns();
  return {
    isClient: async (clientId: string) => (await store.findClient(clientId)) !== undefined,
    /** @param ask calls the library with the form, after its resources were replaced by ours. */
    redeemGrant: async (
      form: URLSearchParams,
      ask: () => Promise<Response>,
    ): Promise<TokenAnswer> => {
      for (const [at, resource] of form.getAll("resource").entries()) {
        if (at === 0) form.delete("resource");
        form.append("resource", toAudience(context.publicUrl(), resource));
      }
      const digest = findDigest(form, "refresh_token");
      if (form.get("grant_type") !== "refresh_token" || !digest) return ask();
      // Of several requests at once with one token, the first rotates it, and the others get the same response.
      return inTurn(digest, () => refresh(context, form, { digest, ask }));
    },
    /** Revokes a refresh token of ours. @returns false for any other token; the library revokes access tokens. */
    revokeToken: async (form: URLSearchParams) => {
      const digest = findDigest(form, "token");
      const token = digest && (await store.findRefreshToken(digest));
      if (!token) return false;
      // A refresh token ends with all tokens of its family, and no others of the account.
      if (token.clientId === form.get("client_id")) {
        await endFamily(context, token, "asked by the assistant");
      }
      return true;
    },
  };
}

/**
 * A response can be lost on its way: a repeated request gets the same response for a short time, as long as the new
 * refresh token is unused. After that, a spent token counts as stolen, and its family ends (RFC 9700, 4.14.2).
 */
async function refresh(
  context: SignInContext,
  form: URLSearchParams,
  { digest, ask }: { readonly digest: string; readonly ask: () => Promise<Response> },
): Promise<TokenAnswer> {
  const store = context.control.signIn;
  const token = await store.findRefreshToken(digest);
  if (!token || token.clientId !== form.get("client_id")) return ask();
  const secret = form.get("refresh_token") as string;
  if (token.isSpent) {
    const answer = await repeatAnswer(context, token, secret);
    if (answer !== undefined) return { ok: true, text: answer };
    await endFamily(context, token, "a refresh token was used twice");
    const description = "this refresh token has been used before";
    return { ok: false, error: "invalid_grant", description };
  }
  const response = await ask();
  if (!response.ok) return response;
  const text = await response.text();
  const untilMs = context.now().getTime() + lifetimes.graceSeconds * 1000;
  await store.storeAnswer(token.id, { sealed: await seal(text, secret), untilMs });
  return { ok: true, text };
}

async function repeatAnswer(
  { control, now }: SignInContext,
  { answer, family }: RefreshToken,
  secret: string,
): Promise<string | undefined> {
  if (!answer || answer.untilMs < now().getTime()) return undefined;
  const text = await unseal(answer.sealed, secret);
  const { refresh_token: next = "" } = JSON.parse(text) as { refresh_token?: string };
  const following = await control.signIn.findRefreshToken(digestRefreshToken(next));
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

/** The digest of the refresh token in a field of the form, if there is one. */
function findDigest(form: URLSearchParams, name: string): string | undefined {
  const token = form.get(name);
  return token?.startsWith(refreshTokenPrefix) ? digestRefreshToken(token) : undefined;
}

const digestRefreshToken = (token: string) => digestToken(token.slice(refreshTokenPrefix.length));

/**
 * A response is sealed with the token it replaces: the holder of that token can open it, a reader of the file cannot.
 * The key is not the token itself, since a digest of the token is stored.
 */
const deriveSealKey = (token: string) => `the answer that followed on ${token}`;

async function seal(data: string, token: string): Promise<string> {
  const { symmetricEncrypt } = await import("better-auth/crypto");
  return symmetricEncrypt({ key: deriveSealKey(token), data });
}

async function unseal(data: string, token: string): Promise<string> {
  const { symmetricDecrypt } = await import("better-auth/crypto");
  return symmetricDecrypt({ key: deriveSealKey(token), data });
}
