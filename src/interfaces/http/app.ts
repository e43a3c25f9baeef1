import { Elysia } from "elysia";
import { createInvalidRequest, Problem, toProblem } from "../../contract/problem.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type {
  CallNote,
  LateRoutes,
  ObservedAnswer,
  PathParams,
  Route,
} from "../../network/route.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import { addHeaders, createProblemResponse } from "./responses.ts";

export type App = ReturnType<typeof createApp>;

export interface AppOptions {
  /** Creates the unique part of a request id. */
  readonly newId: () => string;
  readonly log: Log;
  /** A function, because the port may be chosen only when the server listens. */
  readonly publicUrl: () => string;
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
}

export interface AnsweredRequest extends ObservedAnswer {
  readonly requestId: string;
  readonly address: string | undefined;
  readonly note: CallNote | undefined;
  /** The caller's `traceparent`; undefined if it is missing or malformed. */
  readonly traceparent: string | undefined;
  /** The caller's `X-Request-Id`; undefined if it is missing, too long or malformed. */
  readonly clientRequestId: string | undefined;
}

/** The accepted forms of `traceparent` and `X-Request-Id`. Other values must not reach log lines. */
const traceForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const requestIdForm = /^[\w.:+/=@-]{1,128}$/;

function findHeader({ headers }: Request, name: string, form: RegExp): string | undefined {
  const value = headers.get(name);
  return value !== null && form.test(value) ? value : undefined;
}

export interface RouteContext extends AppOptions {
  /** Finds the client's address, also behind trusted proxies. */
  readonly addressOf: (request: Request) => string | undefined;
}

/** Creates the router. Handlers must set all header fields, because Elysia would copy a response to add a field. */
export function createApp(options: AppOptions) {
  const refuse = (thrown: unknown) => {
    const requestId = createRequestId(options);
    const response = createErrorResponse(thrown, requestId, options.log);
    return addHeaders(response, requestId, options.publicUrl());
  };
  return new Elysia({ strictPath: true, normalize: false })
    .onRequest(({ request }) => (hasUsableHost(request) ? undefined : refuse(badHost)))
    .onError(({ code, error }) => refuse(code === "NOT_FOUND" ? noSuchRoute : error));
}

const createRequestId = ({ newId }: AppOptions) => `req_${newId()}`;

const noSuchRoute = new Problem("not_found", {
  message: "There is no such route; /docs lists all routes.",
});
const badHost = createInvalidRequest("the Host header must name one host");

/** Whether the request names one host. Otherwise, Bun leaves the host out of the URL. */
function hasUsableHost({ url, headers }: Request): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && !headers.get("host")?.includes(",");
}

function createErrorResponse(thrown: unknown, requestId: string, log: Log): Response {
  const problem = toProblem(thrown);
  logFault(log, problem, requestId);
  return createProblemResponse(problem, requestId);
}

/** Mounts a route. Any other method on its path gets 405 and an `Allow` header. */
export function mountRoute(app: App, { path, methods, handle }: Route, context: RouteContext) {
  const answer = createAnswerer(path, context);
  const mount = (method: string, handle: Route["handle"]) =>
    app.route(method, path, ({ request, params }) => answer(request, params, handle), unparsed);
  for (const method of methods) mount(method, handle);
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method));
  const message = `this route accepts only ${allow.join(", ")}`;
  const problem = createInvalidRequest(message, 405);
  mount("ALL", (_, { requestId }) => {
    const response = createProblemResponse(problem, requestId);
    response.headers.set("allow", allow.join(", "));
    return response;
  });
}

/** Turns off Elysia's parsing of bodies, because handlers read bodies themselves. */
const unparsed = { parse: "none" } as const;

function createAnswerer(route: string | undefined, context: RouteContext) {
  const { addressOf, log, onAnswered, publicUrl } = context;
  return async (request: Request, params: PathParams, handle: Route["handle"]) => {
    const startedMs = performance.now();
    const requestId = createRequestId(context);
    const address = addressOf(request);
    let noted: CallNote | undefined;
    const note = (about: CallNote) => {
      noted = about;
    };
    let response: Response;
    try {
      response = await handle(request, { requestId, address, note }, params);
    } catch (thrown) {
      response = createErrorResponse(thrown, requestId, log);
    }
    const { status, headers } = response;
    const length = headers.get("content-length");
    onAnswered?.({
      requestId,
      route,
      method: request.method,
      status,
      address,
      note: noted,
      seconds: (performance.now() - startedMs) / 1000,
      bytes: length === null ? undefined : Number(length),
      traceparent: findHeader(request, "traceparent", traceForm),
      clientRequestId: findHeader(request, "x-request-id", requestIdForm),
    });
    return addHeaders(response, requestId, publicUrl());
  };
}

export function refuseUndecodable({ handle, ...route }: Route): Route {
  return {
    ...route,
    handle: (request, ...rest) => {
      requireDecodableUrl(request.url);
      return handle(request, ...rest);
    },
  };
}

/** Mounts more routes when a request first matches no route. Then that request is routed again. */
export function mountLater(app: App, load: () => Promise<LateRoutes>, context: RouteContext): void {
  const answer = createAnswerer(undefined, context);
  let loading: Promise<void> | undefined;
  let late: LateRoutes | undefined;
  const mountAll = async () => {
    const loaded = await load();
    for (const route of loaded.routes) mountRoute(app, route, context);
    // Compiles again, because Elysia compiled the routes at the first request.
    app.compile();
    late = loaded;
  };
  const answerUnknown: Route["handle"] = async (request, metadata) =>
    (await late?.answerUnknown(request, metadata)) ??
    createProblemResponse(noSuchRoute, metadata.requestId);
  const handler = async ({ request, params }: { request: Request; params: PathParams }) => {
    if (late) return answer(request, params, answerUnknown);
    loading ??= mountAll().catch((error) => {
      // Lets the next request try again, because the failure may be temporary.
      loading = undefined;
      throw error;
    });
    await loading;
    return app.fetch(request);
  };
  for (const path of ["/", "/*"]) app.all(path, handler, unparsed);
}
