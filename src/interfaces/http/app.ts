import { Elysia } from "elysia";
import { Problem, toProblem } from "../../contract/problem.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type { LateRoutes, PathParams, Route } from "../../network/route.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import { createProblemResponse } from "./responses.ts";

export type App = ReturnType<typeof createApp>;

export interface AppOptions {
  /** Makes the part after `req_`: unguessable is not needed, unique is. */
  readonly newId: () => string;
  readonly log: Log;
  /** Where callers reach this; asked for when needed, since a free port is known only after listening. */
  readonly publicUrl: () => string;
}

/** What holds for every route: the request id, the headers of a careful server, the one catch. */
export function createApp({ newId, log, publicUrl }: AppOptions) {
  // Without the handler's setting a host of one letter is cut off wrongly, and every path is unknown.
  return new Elysia({ strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      const requestId = `req_${newId()}`;
      Object.assign(set.headers, carefulHeaders, { "x-request-id": requestId });
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

const carefulHeaders = {
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

/** With two Host headers, or an unusable one, the address of the request has no host. */
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

/** Past the proxies that the operator named. */
type AddressReader = (request: Request) => string | undefined;

/** Any other method than the route's is 405, with what is allowed. */
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

/** The same route, asked only for addresses that can be decoded. */
export function refuseUndecodable({ handle, ...route }: Route): Route {
  return {
    ...route,
    handle: (request, ...rest) => {
      requireDecodableUrl(request.url);
      return handle(request, ...rest);
    },
  };
}

/** Mounts them when a request first comes for which there is no other, and then sends it round again. */
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
    // The framework has compiled its static paths into one function by now.
    app.compile();
    late = loaded;
  };
  const handler = async ({ request, set }: RoutedRequest) => {
    if (!late) {
      mounting ??= mountAll().catch((error) => {
        // Whoever comes next tries again: a moment without descriptors must not cost the pages for good.
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
