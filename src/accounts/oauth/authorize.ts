/** The authorization endpoint, where an assistant sends its person's browser. */

import { findBrowserSession } from "../sign-in/sessions.ts";
import type { SignInContext } from "../sign-in/sign-in-context.ts";
import { createOAuthError, forwardToLibrary } from "./answers.ts";
import {
  canIssueTokens,
  errorPath,
  getResourceUrl,
  httpsOnly,
  scopes,
  toAudience,
} from "./oauth.ts";
import { describeDestination } from "./redirects.ts";

/** What the client left out is filled in, and one that nobody vouched for is asked about each time. */
export async function answerAuthorize(context: SignInContext, request: Request): Promise<Response> {
  const publicUrl = context.publicUrl();
  if (!canIssueTokens(publicUrl)) return createOAuthError(404, "not_found", httpsOnly);
  const { searchParams: query } = new URL(request.url);
  const clientId = query.get("client_id") ?? "";
  const client = await context.control.signIn.findClient(clientId);
  if (clientId && !client) return deadEnd({ error: "invalid_client", error_description: unknown });
  query.set("prompt", promptOf(query.get("prompt"), client?.isVerified === true));
  if (query.get("prompt") === "") query.delete("prompt");
  const resources = query.getAll("resource").map((one) => toAudience(publicUrl, one));
  query.delete("resource");
  // There is one resource; older clients do not know that it can be named.
  if (resources.length === 0) resources.push(getResourceUrl(publicUrl));
  for (const resource of resources) query.append("resource", resource);
  const asked = query.get("scope")?.split(" ").filter(Boolean) ?? [];
  const allowed = client?.scopes ?? Object.keys(scopes);
  if (asked.length === 0) query.set("scope", allowed.join(" "));
  // Or the person would have to sign in anew each hour; it is shown at the consent and can be refused there.
  else if (allowed.includes("offline_access") && !asked.includes("offline_access")) {
    query.set("scope", [...asked, "offline_access"].join(" "));
  }
  const response = await forwardToLibrary(context, request, {
    search: `?${query}`,
    withCookie: true,
  });
  const location = response.headers.get("location");
  if (location === null || isOurs(location, publicUrl)) return response;
  const isTrusted = client?.isVerified || (await hasConsented(context, request, clientId));
  return isTrusted ? response : heldBack(location);
}

const unknown =
  "no assistant is registered here with this client_id: take the server out where you added it, and add it anew";

const isOurs = (location: string, publicUrl: string) =>
  new URL(location, publicUrl).origin === new URL(publicUrl).origin;

async function hasConsented(
  context: SignInContext,
  request: Request,
  clientId: string,
): Promise<boolean> {
  const session = await findBrowserSession(context, request);
  return (
    session !== undefined && (await context.control.signIn.hasConsent(session.account.id, clientId))
  );
}

/**
 * An error of a client that nobody approved is told here and not to the client: whoever can register an address
 * could else send people there under our name (RFC 9700, 4.11.2).
 */
function heldBack(location: string): Response {
  const { searchParams: said } = new URL(location);
  const words = (name: string) => said.get(name) ?? "";
  return deadEnd({
    error: words("error"),
    error_description: words("error_description"),
    destination: describeDestination(location),
  });
}

function deadEnd(words: Record<string, string>): Response {
  const location = `${errorPath}?${new URLSearchParams(words)}`;
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

/** There is no page to choose among accounts, or to make one, in the middle of a grant. */
function promptOf(asked: string | null, isVerified: boolean): string {
  const prompts = asked?.split(" ") ?? [];
  if (isVerified) {
    return prompts.filter((one) => ["login", "consent", "none"].includes(one)).join(" ");
  }
  return prompts.includes("login") ? "login consent" : "consent";
}
