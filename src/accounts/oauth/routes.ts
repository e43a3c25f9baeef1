/** The authorization server's own routes: an allow-list in front of the library, which would serve some eighty. */

import { Problem } from "../../contract/problem.ts";
import type { Method, Route } from "../../network/route.ts";
import { listReturnPaths, takeSamlAnswer } from "../sign-in/providers.ts";
import type { RequestOrigin, SignInContext } from "../sign-in/sign-in-context.ts";
import {
  createJsonAnswer,
  createOAuthError,
  type EndpointAnswer,
  forwardToLibrary,
  readFormText,
} from "./answers.ts";
import { answerAuthorize } from "./authorize.ts";
import { describeAuthorizationServer, describeProtectedResource } from "./metadata.ts";
import { canIssueTokens, getAddressAsked, httpsOnly } from "./oauth.ts";
import { createRegistration } from "./register.ts";
import { createTokenEndpoint, revokeToken } from "./token.ts";

export interface AuthorizationRoutes {
  readonly routes: readonly Route[];
  /** Answers a request to one of `routes`; errors have the form of the OAuth specifications. */
  handle(request: Request, from: RequestOrigin): Promise<Response>;
}

interface Served {
  readonly path: string;
  readonly methods: readonly Method[];
  /** Programs that run in a browser page may call it from anywhere: it knows no cookies. */
  readonly isOpen: boolean;
  readonly answer: EndpointAnswer;
}

const formType = "application/x-www-form-urlencoded";
/** A signed assertion with its certificates, in base64. */
const assertionBytesMax = 256 * 1024;

export function createAuthorizationRoutes(context: SignInContext): AuthorizationRoutes {
  const served = routesOf(context);
  const byPath = new Map(served.map((one) => [one.path, one]));
  const handle: AuthorizationRoutes["handle"] = async (request, from) => {
    const route = byPath.get(new URL(request.url).pathname);
    if (!route) return createOAuthError(404, "not_found", "there is no such endpoint");
    if (route.isOpen && !canIssueTokens(context.publicUrl()))
      return createOAuthError(404, "not_found", httpsOnly);
    if (route.isOpen && request.method === "OPTIONS") return opened(preflight());
    const response = await answered(context, route, request, from);
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

function routesOf(context: SignInContext): readonly Served[] {
  const { publicUrl, allowRegistration } = context;
  const get = (path: string, answer: EndpointAnswer): Served => {
    return { path, methods: ["GET"], isOpen: true, answer };
  };
  const post = (path: string, answer: EndpointAnswer): Served => {
    return { path, methods: ["POST"], isOpen: true, answer };
  };
  const resource = (request: Request) =>
    createJsonAnswer(
      200,
      describeProtectedResource(publicUrl(), getAddressAsked(publicUrl(), request)),
    );
  const server = () =>
    createJsonAnswer(200, describeAuthorizationServer(publicUrl(), allowRegistration));
  const posted = (path: string, answer: (request: Request, body: string) => Promise<Response>) =>
    post(path, async (request) => {
      const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
      if (type.trim() !== formType)
        return createOAuthError(415, "invalid_request", `send ${formType}`);
      return answer(request, await readFormText(request));
    });
  return [
    get("/.well-known/oauth-protected-resource", resource),
    get("/.well-known/oauth-protected-resource/mcp", resource),
    get("/.well-known/oauth-authorization-server", server),
    {
      path: "/oauth2/authorize",
      methods: ["GET"],
      isOpen: false,
      answer: (request) => answerAuthorize(context, request),
    },
    posted("/oauth2/token", createTokenEndpoint(context)),
    posted("/oauth2/revoke", (request, body) => revokeToken(context, request, body)),
    ...(allowRegistration ? [post("/oauth2/register", createRegistration(context))] : []),
    ...returnRoutes(context),
  ];
}

/** Where browsers come back to from a provider of single sign-on. */
function returnRoutes(context: SignInContext): readonly Served[] {
  const { callbacks, assertions, metadata } = listReturnPaths(context);
  const isOpen = false;
  const back: EndpointAnswer = (request, { address }) =>
    forwardToLibrary(context, request, { withCookie: true, address });
  // Without cookies: the browser sends none along with another site's form.
  const asserted: EndpointAnswer = async (request, { address }) => {
    const body = await readFormText(request, assertionBytesMax);
    return takeSamlAnswer(context, request, body, () =>
      forwardToLibrary(context, request, { body, address }),
    );
  };
  return [
    ...callbacks.map((path): Served => ({ path, methods: ["GET"], isOpen, answer: back })),
    ...assertions.map((path): Served => ({ path, methods: ["POST"], isOpen, answer: asserted })),
    ...metadata.map((path): Served => ({ path, methods: ["GET"], isOpen, answer: back })),
  ];
}

async function answered(
  context: SignInContext,
  { answer }: Served,
  request: Request,
  from: RequestOrigin,
): Promise<Response> {
  try {
    const response = await answer(request, from);
    if (response.status < 500) return response;
    context.log.error({ status: response.status }, "the authorization server failed");
  } catch (err) {
    if (err instanceof Problem) return createOAuthError(err.status, "invalid_request", err.message);
    context.log.error({ err }, "the authorization server failed");
  }
  return createOAuthError(500, "server_error", "the request could not be answered");
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
