import { Elysia } from "elysia";
import { Problem, toProblem } from "../../contract/problem.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type { LateRoutes, PathParams, Route } from "../../network/route.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import { createProblemResponse } from "./responses.ts";

export type App = ReturnType<typeof createApp>;

export interface AppOptions {
  /** Makes the part after `req_`; it must be unique, not unguessable. */
  readonly newId: () => string;
  readonly log: Log;
  /** Where callers reach this server. A function, since a free port is known only after listening. */
  readonly publicUrl: () => string;
}

/** Creates the router with what every route shares: the request id, the security headers, the error handler. */
export function createApp({ newId, log, publicUrl }: AppOptions) {
  // Without `standardHostname: false`, Elysia cuts a one-letter host off wrongly and finds no path at all.
  return new Elysia({ strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      const requestId = `req_${newId()}`;
      Object.assign(set.headers, securityHeaders, { "x-request-id": requestId });
      if (publicUrl().startsWith("https:")) {
        set.headers["strict-transport-security"] = "max-age=31536000";
      }
      return hasOneHost(request) ? undefined : createProblemResponse(badHost, requestId);
    })
    .onError(({ code, error, set }) => {
      const requestId = getRequestId(set);
      if (code === "NOT_FOUND") return createProblemResponse(noSuchRoute, requestId);
      const problem = toProblem(error);
      logFault(log, problem, requestId);
      return createProblemResponse(problem, requestId);
    });
}

const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const noSuchRoute = new Problem("not_found", {
  message: "There is no such route; /docs lists those that exist.",
});
const badHost = new Problem("invalid_request", { message: "the Host header must name one host" });

/** A request with two Host headers, or an unusable one, has no host in its URL. */
function hasOneHost(request: Request): boolean {
  const { url, headers } = request;
  return /^https?:\/\//.test(url) && URL.canParse(url) && !headers.get("host")?.includes(",");
}

interface RoutedRequest {
  readonly request: Request;
  readonly set: ResponseSettings;
  readonly params: PathParams;
}

type ResponseSettings = { readonly headers: Readonly<Record<string, unknown>> };

/** The id that `onRequest` gave this request. */
function getRequestId(set: ResponseSettings): string {
  return String(set.headers["x-request-id"]);
}

/** Finds the client's address behind the proxies that the operator configured. */
type AddressReader = (request: Request) => string | undefined;

/** Mounts a route; any other method on its path is answered with 405 and an `Allow` header. */
export function mountRoute(app: App, { path, methods, handle }: Route, addressOf: AddressReader) {
  for (const method of methods) {
    const handler = ({ request, set, params }: RoutedRequest) =>
      handle(request, { requestId: getRequestId(set), address: addressOf(request) }, params);
    app.route(method, path, handler, { parse: "none" });
  }
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method));
  const message = `this route takes ${allow.join(", ")} only`;
  const problem = new Problem("invalid_request", { message, status: 405 });
  const refuse = ({ set }: RoutedRequest) => {
    const response = createProblemResponse(problem, getRequestId(set));
    response.headers.set("allow", allow.join(", "));
    return response;
  };
  app.all(path, refuse, { parse: "none" });
}

/** Wraps a route so that URLs that cannot be decoded are refused before it is called. */
export function refuseUndecodable({ handle, ...route }: Route): Route {
  return {
    ...route,
    handle: (request, ...rest) => {
      requireDecodableUrl(request.url);
      return handle(request, ...rest);
    },
  };
}

/** Loads and mounts the late routes on the first request that no other route takes, then routes that request again. */
export function mountLater(
  app: App,
  load: () => Promise<LateRoutes>,
  addressOf: AddressReader,
): void {
  let mounting: Promise<void> | undefined;
  let late: LateRoutes | undefined;
  const mountAll = async () => {
    const loaded = await load();
    for (const route of loaded.routes) mountRoute(app, route, addressOf);
    // Elysia has already compiled its static paths into one function.
    app.compile();
    late = loaded;
  };
  const handler = async ({ request, set }: RoutedRequest) => {
    if (!late) {
      mounting ??= mountAll().catch((error) => {
        // The next request tries again: running out of file descriptors once must not disable the pages for good.
        mounting = undefined;
        throw error;
      });
      await mounting;
      return app.fetch(request);
    }
    const requestId = getRequestId(set);
    const answer = await late.answerUnknown(request, { requestId, address: addressOf(request) });
    return answer ?? createProblemResponse(noSuchRoute, requestId);
  };
  app.all("/", handler, { parse: "none" });
  app.all("/*", handler, { parse: "none" });
}
