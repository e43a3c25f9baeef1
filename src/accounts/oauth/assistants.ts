import type { Plan } from "../../contract/limits.ts";
import type { Identity } from "../account-fields.ts";
import { findBrowserSession } from "../sign-in/sessions.ts";
import { callLibrary, type SignInContext } from "../sign-in/sign-in-context.ts";
import { digestToken } from "../sign-in/tokens.ts";
import {
  accessTokenPrefix,
  describeDestination,
  errorPath,
  getResourceUrl,
  isScope,
} from "./oauth.ts";

export function createAssistants(context: SignInContext) {
  const { control, now, entry } = context;
  const store = control.signIn;
  return {
    /** Lists the assistants that the user has connected, oldest first. */
    assistants: async (accountId: string) =>
      (await store.listAssistants(accountId, now())).map(
        ({ connectedMs, lastUsedMs, ...assistant }) => ({
          id: assistant.id,
          name: assistant.name ?? unnamed,
          /** The hosts that get the assistant's authorization responses. An address with a private scheme is given in full. */
          destinations: [...new Set(assistant.redirectUris.map(describeDestination))],
          scopes: assistant.scopes,
          connectedAt: new Date(connectedMs),
          /** The time of the last use, rounded down to the minute. */
          lastUsedAt: lastUsedMs === undefined ? undefined : new Date(lastUsedMs),
        }),
      ),
    /**
     * Ends the assistant's access. No process accepts its tokens afterwards. @returns false if the assistant was not connected.
     */
    disconnect: (accountId: string, assistantId: string) => {
      const detail = { assistant: assistantId };
      return store.endAssistant(accountId, assistantId, entry("grant.revoked", accountId, detail));
    },
    /** Reads the signed query of the consent page. @returns undefined if the query is not valid. */
    consentRequest: (request: Request) => consentRequest(context, request),
    /** @param query the signed query of the consent page. */
    decide: (request: Request, query: string, isAccepted: boolean) =>
      decide(context, request, query, isAccepted),
    /** @returns where the browser continues an assistant's request after the sign-in. Undefined means that no request waits. */
    continueAfterSignIn: (query: string): string | undefined => {
      const params = new URLSearchParams(query);
      if (!params.has("client_id") || !params.has("sig")) return undefined;
      for (const name of signatureParams) params.delete(name);
      // The user has just signed in, so the request must not ask for another sign-in.
      const prompts = params.get("prompt")?.split(" ") ?? [];
      params.set("prompt", prompts.filter((one) => one !== "login").join(" "));
      params.delete("max_age");
      return `/oauth2/authorize?${params}`;
    },
    /** @param resource address of the MCP endpoint. @returns undefined if the token is not valid for this resource. */
    authenticateToken: async (token: string, resource: string): Promise<Identity | undefined> => {
      if (!token.startsWith(accessTokenPrefix)) return undefined;
      const digest = digestToken(token.slice(accessTokenPrefix.length));
      const grant = await store.findGrant(digest, now());
      if (!grant?.resources.includes(resource)) return undefined;
      const { accountId, id, plan } = grant;
      return {
        accountId,
        plan: plan as Plan,
        credential: { kind: "grant", id },
        scopes: grant.scopes.filter(isScope),
      };
    },
  };
}

const unnamed = "An assistant without a name";
/** The parameters that the library adds to a query when it signs the query. */
const signatureParams = ["sig", "exp", "ba_iat", "ba_param", "ba_pl"];

async function consentRequest(context: SignInContext, request: Request) {
  const { search, searchParams: query } = new URL(request.url);
  const clientId = query.get("client_id");
  if (!clientId || !query.has("sig")) return undefined;
  const body = { client_id: clientId, oauth_query: search.slice(1) };
  const { ok } = await callLibrary(context, "/oauth2/public-client-prelogin", body);
  const client = ok ? await context.control.signIn.findClient(clientId) : undefined;
  if (!client) return undefined;
  return {
    clientName: client.name ?? unnamed,
    clientUri: client.uri,
    destination: describeDestination(query.get("redirect_uri") ?? ""),
    scopes: (query.get("scope") ?? "").split(" ").filter(isScope),
    /** Whether the operator registered the assistant. Only then can users trust its name. */
    isVerified: client.isVerified,
  };
}

async function decide(
  context: SignInContext,
  request: Request,
  query: string,
  isAccepted: boolean,
) {
  const session = await findBrowserSession(context, request);
  const refused = { location: `${errorPath}?error=access_denied` };
  if (!session) return refused;
  const params = new URLSearchParams(query);
  const client = params.get("client_id") ?? "";
  const cookie = request.headers.get("cookie") ?? "";
  const body = { accept: isAccepted, oauth_query: query.replace(/^\?/, "") };
  const response = await callLibrary(context, "/oauth2/consent", body, cookie);
  const answer = (await response.json().catch(() => ({}))) as { url?: unknown };
  if (!response.ok || typeof answer.url !== "string") return refused;
  const action = isAccepted ? "grant.made" : "grant.refused";
  const detail = {
    client,
    scope: params.get("scope"),
    resource: getResourceUrl(context.publicUrl()),
  };
  await context.control.record(context.entry(action, session.account.id, detail));
  return { location: answer.url };
}
