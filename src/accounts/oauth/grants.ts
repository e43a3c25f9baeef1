/** Issues, refreshes and revokes the tokens of assistants. */
import { createTurns } from "../../contract/turns.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { digestToken, lifetimes } from "../sign-in/tokens.ts";
import { type OAuthRefusal, refreshTokenPrefix, toAudience } from "./oauth.ts";

/** The library's response, the text of a response, or a refusal. */
type TokenAnswer = Response | { readonly ok: true; readonly text: string } | OAuthRefusal;

type RefreshToken = NonNullable<
  Awaited<ReturnType<SignInContext["control"]["signIn"]["findRefreshToken"]>>
>;

export function createGrants(context: SignInContext) {
  const store = context.control.signIn;
  const inTurn = createTurns();
  return {
    isClient: async (clientId: string) => (await store.findClient(clientId)) !== undefined,
    /** @param ask sends the form to the library. */
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
      // Requests with the same token run one after the other. The first replaces the token, and the others get the same response.
      return inTurn(digest, () => refresh(context, form, { digest, ask }));
    },
    /** Revokes a refresh token. @returns false if the form has no known refresh token. */
    revokeToken: async (form: URLSearchParams) => {
      const digest = findDigest(form, "token");
      const token = digest && (await store.findRefreshToken(digest));
      if (!token) return false;
      // Ends all tokens that came from the same authorization as this refresh token.
      if (token.clientId === form.get("client_id")) {
        await endFamily(context, token, "asked by the assistant");
      }
      return true;
    },
  };
}

/**
 * Replaces a refresh token. For a short time, a repeated request gets the same response, because a response can be lost. Later,
 * a used token counts as stolen, and all tokens of its authorization end (RFC 9700, 4.14.2).
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

/** @returns the digest of the refresh token in a field of the form. Undefined means that the field has no refresh token. */
function findDigest(form: URLSearchParams, name: string): string | undefined {
  const token = form.get(name);
  return token?.startsWith(refreshTokenPrefix) ? digestRefreshToken(token) : undefined;
}

const digestRefreshToken = (token: string) => digestToken(token.slice(refreshTokenPrefix.length));

/**
 * Derives the key that encrypts a stored response. The token itself would not be a secret key: the library hashes the key, and
 * the database has the token's hash.
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
