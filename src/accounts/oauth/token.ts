/** The token endpoint and the revocation endpoint, as clients of the specifications expect them. */
import type { RefreshToken } from "../../control/sign-in-store.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { digestToken, lifetimes } from "../sign-in/tokens.ts";
import { openTurns } from "../turns.ts";
import { createOAuthError, forwardToLibrary } from "./answers.ts";
import { refreshTokenPrefix, toAudience } from "./oauth.ts";

type Answer = (request: Request, body: string) => Promise<Response>;

export function createTokenEndpoint(context: SignInContext): Answer {
  const inTurn = openTurns();
  return async (request, body) => {
    const form = new URLSearchParams(body);
    const refused = await refusalOf(context, form);
    if (refused) return refused;
    for (const [at, resource] of form.getAll("resource").entries()) {
      if (at === 0) form.delete("resource");
      form.append("resource", toAudience(context.publicUrl(), resource));
    }
    const ask = async () =>
      inGrantsWords(await forwardToLibrary(context, request, { body: form.toString() }));
    const digest = digestIn(form, "refresh_token");
    if (form.get("grant_type") !== "refresh_token" || !digest) return ask();
    // Of several that come at once with one token the first rotates it, and the others get what it got.
    return inTurn(digest, () => refreshed(context, form, ask));
  };
}

/** Whoever asks twice for one thing could be heard differently here and by the library. */
async function refusalOf(
  { control }: SignInContext,
  form: URLSearchParams,
): Promise<Response | undefined> {
  const names = [...form.keys()].filter((name) => name !== "resource");
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) return createOAuthError(400, "invalid_request", `${twice} must be given once`);
  const clientId = form.get("client_id");
  if (!clientId || (await control.signIn.findClient(clientId))) return undefined;
  const description = "no client is registered here with this client_id; register again";
  return createOAuthError(401, "invalid_client", description);
}

/** What is wrong with a code or its proof is one error to clients (RFC 6749, 5.2; RFC 7636, 4.6). */
async function inGrantsWords(response: Response): Promise<Response> {
  if (response.status !== 400 && response.status !== 401) return response;
  const said = (await response.clone().json()) as Record<string, string>;
  const { error = "", error_description: description = "" } = said;
  const isGrants =
    error === "invalid_user" ||
    (response.status === 401 && error === "invalid_request") ||
    ["session no longer exists", "user not found"].includes(description);
  return isGrants ? createOAuthError(400, "invalid_grant", description) : response;
}

/**
 * An answer can be lost on its way: asked again within a moment, the same answer is given again, as long as nothing
 * has followed on it. Later, whoever shows a spent token has it from somewhere, and all that came of it ends
 * (RFC 9700, 4.14.2).
 */
async function refreshed(
  context: SignInContext,
  form: URLSearchParams,
  ask: () => Promise<Response>,
): Promise<Response> {
  const store = context.control.signIn;
  const digest = digestIn(form, "refresh_token") as string;
  const token = await store.findRefreshToken(digest);
  if (!token || token.clientId !== form.get("client_id")) return ask();
  const secret = form.get("refresh_token") as string;
  if (token.isSpent) {
    const answer = await answerAgain(context, token, secret);
    if (answer !== undefined) return answered(answer);
    await endFamily(context, token, "a refresh token was used twice");
    return createOAuthError(400, "invalid_grant", "this refresh token has been used before");
  }
  const response = await ask();
  if (!response.ok) return response;
  const text = await response.text();
  const untilMs = context.now().getTime() + lifetimes.graceSeconds * 1000;
  await store.keepAnswer(token.id, { sealed: await seal(text, secret), untilMs });
  return answered(text);
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

function answered(text: string): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(text, { headers });
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

/** A token that is unknown, or dead already, is revoked as well as can be (RFC 7009, 2.2); the library says 400. */
export async function revokeToken(
  context: SignInContext,
  request: Request,
  body: string,
): Promise<Response> {
  const form = new URLSearchParams(body);
  const digest = digestIn(form, "token");
  const token = digest && (await context.control.signIn.findRefreshToken(digest));
  if (token) {
    // A refresh token takes along what came of the same consent, and nothing else of its holder's.
    if (token.clientId === form.get("client_id"))
      await endFamily(context, token, "asked by the assistant");
    return new Response(null, { status: 200 });
  }
  const response = await forwardToLibrary(context, request, { body });
  const isWellFormed = form.get("token") && form.get("client_id");
  return response.status === 400 && isWellFormed ? new Response(null, { status: 200 }) : response;
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
