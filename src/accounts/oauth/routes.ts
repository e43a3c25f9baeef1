/**
 * The authorization server's own routes: an allow-list in front of the library, which would serve some eighty.
 * A request reaches it without whatever a stranger could steer it by: forwarded headers, cookies where none are
 * needed.
 */
import { readBody } from "../../contract/http/body.ts";
import type { Method, Route } from "../../contract/http/route.ts";
import { Problem } from "../../contract/problem.ts";
import { returnPaths } from "../providers/providers.ts";
import type { Desk, From } from "../sign-in/desk.ts";
import { openThrottle, type Throttle } from "../sign-in/throttle.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "./metadata.ts";
import { addressHeader, canGrant, resourceOf, scopes } from "./oauth.ts";
import { readRegistration } from "./registration.ts";

export interface AuthorizationRoutes {
  readonly routes: readonly Route[];
  /** Answers a request to one of `routes`; errors have the form of the OAuth specifications. */
  handle(request: Request, from: From): Promise<Response>;
}

type Answer = (request: Request, from: From) => Response | Promise<Response>;

interface Served {
  readonly path: string;
  readonly methods: readonly Method[];
  /** Programs that run in a browser page may call it from anywhere: it knows no cookies. */
  readonly isOpen: boolean;
  readonly answer: Answer;
}

const httpsOnly =
  "assistants sign in over https only (or on this machine): set publicUrl to an https address, or use a key";
const formType = "application/x-www-form-urlencoded";
const bodyBytesMax = 16 * 1024;
/** A signed assertion with its certificates, in base64. */
const assertionBytesMax = 256 * 1024;
const registrationsMax = 20;
const hourSeconds = 3600;

export function openRoutes(desk: Desk): AuthorizationRoutes {
  const served = routesOf(desk);
  const byPath = new Map(served.map((one) => [one.path, one]));
  const handle: AuthorizationRoutes["handle"] = async (request, from) => {
    const route = byPath.get(new URL(request.url).pathname);
    if (!route) return refusal(404, "not_found", "there is no such endpoint");
    if (route.isOpen && !canGrant(desk.publicUrl())) return refusal(404, "not_found", httpsOnly);
    if (route.isOpen && request.method === "OPTIONS") return opened(preflight());
    const response = await answered(desk, route, request, from);
    return route.isOpen ? opened(response) : response;
  };
  const routes = served.map(({ path, methods, isOpen }): Route => {
    return {
      path,
      methods: isOpen ? [...methods, "OPTIONS"] : methods,
      handle: (request, { address }) => handle(request, { address, userAgent: undefined }),
    };
  });
  return { routes, handle };
}

function routesOf(desk: Desk): readonly Served[] {
  const { publicUrl, allowRegistration, now } = desk;
  const registrations = openThrottle({
    now,
    missesMax: registrationsMax,
    windowSeconds: hourSeconds,
  });
  const get = (path: string, answer: Answer): Served => {
    return { path, methods: ["GET"], isOpen: true, answer };
  };
  const post = (path: string, answer: Answer): Served => {
    return { path, methods: ["POST"], isOpen: true, answer };
  };
  const resource = () => json(200, protectedResourceMetadata(publicUrl()));
  const server = () => json(200, authorizationServerMetadata(publicUrl(), allowRegistration));
  const posted = (path: string, answer: (body: string, request: Request) => Promise<Response>) =>
    post(path, async (request) => {
      const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
      if (type.trim() !== formType) return refusal(415, "invalid_request", `send ${formType}`);
      return answer(await readText(request), request);
    });
  const register = post("/oauth2/register", (request, from) =>
    registered(desk, registrations, request, from),
  );
  return [
    get("/.well-known/oauth-protected-resource", resource),
    get("/.well-known/oauth-protected-resource/mcp", resource),
    get("/.well-known/oauth-authorization-server", server),
    {
      path: "/oauth2/authorize",
      methods: ["GET"],
      isOpen: false,
      answer: (request) => authorize(desk, request),
    },
    posted("/oauth2/token", (body, request) => passOn(desk, request, { body })),
    posted("/oauth2/revoke", (body, request) => revoke(desk, request, body)),
    ...(allowRegistration ? [register] : []),
    ...returnRoutes(desk),
  ];
}

/** Where browsers come back to from a provider of single sign-on. */
function returnRoutes(desk: Desk): readonly Served[] {
  const { callbacks, assertions, metadata } = returnPaths(desk);
  const isOpen = false;
  const back: Answer = (request, { address }) =>
    passOn(desk, request, { withCookie: true, address });
  // Without cookies: the browser sends none along with another site's form.
  const asserted: Answer = async (request, { address }) =>
    passOn(desk, request, { body: await readText(request, assertionBytesMax), address });
  return [
    ...callbacks.map((path): Served => ({ path, methods: ["GET"], isOpen, answer: back })),
    ...assertions.map((path): Served => ({ path, methods: ["POST"], isOpen, answer: asserted })),
    ...metadata.map((path): Served => ({ path, methods: ["GET"], isOpen, answer: back })),
  ];
}

async function answered(
  desk: Desk,
  { answer }: Served,
  request: Request,
  from: From,
): Promise<Response> {
  try {
    const response = await answer(request, from);
    if (response.status < 500) return response;
    desk.log.error({ status: response.status }, "the authorization server failed");
  } catch (err) {
    if (err instanceof Problem) return refusal(err.status, "invalid_request", err.message);
    desk.log.error({ err }, "the authorization server failed");
  }
  return refusal(500, "server_error", "the request could not be answered");
}

/**
 * Sends the request to the library under the public address.
 *
 * @param change what stands in place of the request's own.
 */
async function passOn(
  desk: Desk,
  request: Request,
  change: {
    readonly search?: string;
    readonly body?: string;
    readonly withCookie?: boolean;
    readonly address?: string | undefined;
  },
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers();
  for (const name of ["accept", "content-type", "authorization", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (change.address !== undefined) headers.set(addressHeader, change.address);
  const cookie = request.headers.get("cookie");
  if (change.withCookie && cookie !== null) headers.set("cookie", cookie);
  const { handler } = await desk.library();
  const url = `${desk.publicUrl()}${pathname}${change.search ?? search}`;
  const { body } = change;
  return handler(
    new Request(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) }),
  );
}

/** What the client left out is filled in, and one that nobody vouched for is asked about each time. */
function authorize(desk: Desk, request: Request): Promise<Response> {
  const { searchParams: query } = new URL(request.url);
  const client = desk.control.signIn.findClient(query.get("client_id") ?? "");
  query.set("prompt", promptOf(query.get("prompt"), client?.isVerified === true));
  if (query.get("prompt") === "") query.delete("prompt");
  // There is one resource; older clients do not know that it can be named.
  if (!query.has("resource")) query.set("resource", resourceOf(desk.publicUrl()));
  const asked = query.get("scope")?.split(" ").filter(Boolean) ?? [];
  const allowed = client?.scopes ?? Object.keys(scopes);
  if (asked.length === 0) query.set("scope", allowed.join(" "));
  // Or the person would have to sign in anew each hour; it is shown at the consent and can be refused there.
  else if (allowed.includes("offline_access") && !asked.includes("offline_access")) {
    query.set("scope", [...asked, "offline_access"].join(" "));
  }
  return passOn(desk, request, { search: `?${query}`, withCookie: true });
}

/** There is no page to choose among accounts, or to make one, in the middle of a grant. */
function promptOf(asked: string | null, isVerified: boolean): string {
  const prompts = asked?.split(" ") ?? [];
  if (isVerified) {
    return prompts.filter((one) => ["login", "consent", "none"].includes(one)).join(" ");
  }
  return prompts.includes("login") ? "login consent" : "consent";
}

/** A token that is unknown, or dead already, is revoked as well as can be (RFC 7009, 2.2); the library says 400. */
async function revoke(desk: Desk, request: Request, body: string): Promise<Response> {
  const response = await passOn(desk, request, { body });
  const form = new URLSearchParams(body);
  const isWellFormed = form.get("token") && form.get("client_id");
  return response.status === 400 && isWellFormed ? new Response(null, { status: 200 }) : response;
}

async function registered(
  desk: Desk,
  throttle: Throttle,
  request: Request,
  { address }: From,
): Promise<Response> {
  const waitSeconds = throttle.take(address);
  if (waitSeconds !== undefined) {
    const response = refusal(429, "temporarily_unavailable", "too many registrations");
    response.headers.set("retry-after", String(waitSeconds));
    return response;
  }
  const read = readRegistration(parsed(await readText(request)));
  if (!read.ok) return refusal(400, read.error, read.description);
  return passOn(desk, request, { body: JSON.stringify(read.metadata) });
}

async function readText(request: Request, bytesMax = bodyBytesMax): Promise<string> {
  return new TextDecoder().decode(await readBody(request, bytesMax));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, error: string, description: string): Response {
  return json(status, { error, error_description: description });
}

function json(status: number, body: object): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(body), { status, headers });
}

function preflight(): Response {
  const allowed = "authorization, content-type, mcp-protocol-version";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": allowed,
      "access-control-max-age": "600",
    },
  });
}

function opened(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  return response;
}
