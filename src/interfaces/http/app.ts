import { Elysia } from "elysia";
import { Problem, toProblem } from "../../contract/problem.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type { Method, RequestMetadata, Route, WrongMethod } from "../../network/route.ts";
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

export type ResponseSettings = { readonly headers: Readonly<Record<string, unknown>> };

/** The id that `onRequest` gave this request. */
export function getRequestId(set: ResponseSettings): string {
  return String(set.headers["x-request-id"]);
}

/** Any other method on a known path: 405, with what is allowed. */
export function refuseOtherMethods(app: App, path: string, ...methods: readonly Method[]): void {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method));
  const refuse = ({ set }: { set: ResponseSettings }) => wrongMethod({ allow }, getRequestId(set));
  app.all(path, refuse, { parse: "none" });
}

function wrongMethod({ allow }: WrongMethod, requestId: string): Response {
  const allowed = allow.join(", ");
  const message = `this route takes ${allowed} only`;
  const problem = new Problem("invalid_request", { message, status: 405 });
  const response = createProblemResponse(problem, requestId);
  response.headers.set("allow", allowed);
  return response;
}

/** Answers what no route of this interface is for; `undefined`: nor is anything else. */
export type Fallback = (
  request: Request,
  visit: RequestMetadata,
) => Promise<Response | WrongMethod | undefined>;

/** Whatever is not mounted goes to another interface, which is loaded when it is first asked for. */
export function mountFallback(
  app: App,
  elsewhere: Fallback,
  addressOf: (request: Request) => string | undefined,
): void {
  const handler = async ({ request, set }: { request: Request; set: ResponseSettings }) => {
    const requestId = getRequestId(set);
    const answer = await elsewhere(request, { requestId, address: addressOf(request) });
    if (answer instanceof Response) return answer;
    return answer ? wrongMethod(answer, requestId) : createProblemResponse(noSuchRoute, requestId);
  };
  app.all("/", handler, { parse: "none" });
  app.all("/*", handler, { parse: "none" });
}

/** A way in that another interface offers. */
export function mountRoute(
  app: App,
  { path, methods, handle }: Route,
  addressOf: (request: Request) => string | undefined,
): void {
  for (const method of methods) {
    const handler = ({ request, set }: { request: Request; set: ResponseSettings }) => {
      requireDecodableUrl(request.url);
      return handle(request, { requestId: getRequestId(set), address: addressOf(request) });
    };
    app.route(method, path, handler, { parse: "none" });
  }
  refuseOtherMethods(app, path, ...methods);
}
