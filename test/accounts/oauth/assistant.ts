/** An assistant in front of an appliance: registers, sends its person through, redeems, calls. */
import { createHash, randomBytes } from "node:crypto";
import type { TestAppliance } from "../../appliance.ts";
import type { Browser } from "../sign-in/browser.ts";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

export const redirectUri = "http://127.0.0.1:43117/callback";
export const resource = (roster: TestAppliance) => `${roster.config.publicUrl}/mcp`;

export async function post(
  roster: TestAppliance,
  path: string,
  form: Record<string, string>,
): Promise<Response> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(form).toString();
  return roster.handle(
    new Request(`${roster.config.publicUrl}${path}`, { method: "POST", headers, body }),
  );
}

export async function register(roster: TestAppliance, metadata: object = {}): Promise<Response> {
  return roster.handle(
    new Request(`${roster.config.publicUrl}/oauth2/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "Test Assistant",
        redirect_uris: [redirectUri],
        ...metadata,
      }),
    }),
  );
}

export async function newClient(roster: TestAppliance, metadata: object = {}): Promise<string> {
  const response = await register(roster, metadata);
  const body = (await response.json()) as { client_id?: string };
  if (!body.client_id) throw new Error(JSON.stringify(body));
  return body.client_id;
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** The query of an authorization request; a field set to undefined is left out. */
export function authorizationQuery(
  roster: TestAppliance,
  clientId: string,
  challenge: string,
  changes: Record<string, string | undefined> = {},
): string {
  const fields: Record<string, string | undefined> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "search profile offline_access",
    state: "the-state",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: resource(roster),
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) query.set(name, value);
  return query.toString();
}

/** Opens the authorization endpoint. @returns where the browser is sent. */
export async function authorize(
  roster: TestAppliance,
  browser: Browser,
  query: string,
): Promise<URL> {
  const response = await roster.handle(browser.request(`/oauth2/authorize?${query}`));
  const location = response.headers.get("location");
  if (!location) throw new Error(`${response.status} ${await response.text()}`);
  return new URL(location, roster.config.publicUrl);
}

/** Authorizes with the person's consent. @returns the address that the assistant gets, with the code. */
export async function consented(
  roster: TestAppliance,
  browser: Browser,
  clientId: string,
  { challenge }: Pkce,
  changes: Record<string, string | undefined> = {},
): Promise<URL> {
  const page = await authorize(
    roster,
    browser,
    authorizationQuery(roster, clientId, challenge, changes),
  );
  if (page.pathname !== "/consent") return page;
  const { location } = await roster.signIn.decide(
    browser.request(`/consent${page.search}`),
    page.search.slice(1),
    true,
  );
  return new URL(location, roster.config.publicUrl);
}

export function redeem(
  roster: TestAppliance,
  clientId: string,
  callback: URL,
  { verifier }: Pkce,
  changes: Record<string, string> = {},
): Promise<Response> {
  return post(roster, "/oauth2/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: resource(roster),
    ...changes,
  });
}

export function refresh(roster: TestAppliance, clientId: string, token = ""): Promise<Response> {
  const form = { grant_type: "refresh_token", client_id: clientId, refresh_token: token };
  return post(roster, "/oauth2/token", form);
}

/** Registers a client and takes it to its tokens. */
export async function connected(
  roster: TestAppliance,
  browser: Browser,
): Promise<{ clientId: string; tokens: Tokens }> {
  const clientId = await newClient(roster);
  const proof = pkce();
  const callback = await consented(roster, browser, clientId, proof);
  const response = await redeem(roster, clientId, callback, proof);
  const tokens = (await response.json()) as Tokens;
  if (!response.ok) throw new Error(JSON.stringify(tokens));
  return { clientId, tokens };
}
