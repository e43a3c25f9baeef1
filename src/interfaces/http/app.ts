import { Elysia } from "elysia";
import { Problem, toProblem } from "../../contract/problem.ts";
import { requireDecodableUrl } from "../../network/request.ts";
import type { CallNote, LateRoutes, PathParams, Route } from "../../network/route.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import { createProblemResponse } from "./responses.ts";
import { idleSecondsTold, type RequestHandler } from "./socket/listener.ts";

export type App = ReturnType<typeof createApp>;

export interface AppOptions {
  /** Makes the part after `req_`; it must be unique, not unguessable. */
  readonly newId: () => string;
  readonly log: Log;
  /** Where callers reach this server. A function, since a free port is known only after listening. */
  readonly publicUrl: () => string;
  /** Told of every answer once it is ready to be sent. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
}

/** A request and its answer, without what either holds. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** The route's pattern; undefined when none takes the request. */
  readonly route: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** Length of the body; undefined when it is not known before it is sent. */
  readonly bytes: number | undefined;
  /** The client's address, as trusted proxies report it. */
  readonly address: string | undefined;
  readonly note: CallNote | undefined;
  /** The caller's header of this name, which says what trace the call belongs to; undefined for one of another form. */
  readonly traceparent: string | undefined;
  /** The caller's own `X-Request-Id`, or a proxy's; undefined for one that is long or has other than plain letters. */
  readonly clientRequestId: string | undefined;
}

/** What goes into log lines and spans is of a form in which nothing else can hide. */
const traceForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const requestIdForm = /^[\w.:+/=@-]{1,128}$/;

function readTrace({ headers }: Request) {
  const find = (name: string, form: RegExp) => {
    const value = headers.get(name);
    return value !== null && form.test(value) ? value : undefined;
  };
  return {
    traceparent: find("traceparent", traceForm),
    clientRequestId: find("x-request-id", requestIdForm),
  };
}

/** Creates the router with what every route shares: the request id, the security headers, the error handler. */
export function createApp({ newId, log, publicUrl }: AppOptions) {
  // Without `standardHostname: false`, Elysia cuts a one-letter host off wrongly and finds no path at all.
  return new Elysia({ strictPath: true, normalize: false, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      const requestId = `req_${newId()}`;
      Object.assign(set.headers, createHeaders(requestId, publicUrl()));
      return hasOneHost(request) ? undefined : createProblemResponse(badHost, requestId);
    })
    .onError(({ code, error, set }) => {
      const requestId = getRequestId(set);
      if (code === "NOT_FOUND") return createProblemResponse(noSuchRoute, requestId);
      return createErrorResponse(error, requestId, log);
    });
}

function createErrorResponse(thrown: unknown, requestId: string, log: Log): Response {
  const problem = toProblem(thrown);
  logFault(log, problem, requestId);
  return createProblemResponse(problem, requestId);
}

/** @package The header fields that every answer has. */
export function createHeaders(requestId: string, publicUrl: string): Record<string, string> {
  const headers = { ...commonHeaders, "x-request-id": requestId };
  if (!publicUrl.startsWith("https:")) return headers;
  return { ...headers, "strict-transport-security": "max-age=31536000" };
}

/** @package Adds those that it has not set itself. */
export function addHeaders(response: Response, requestId: string, publicUrl: string): Response {
  const { headers } = response;
  if (headers.has("x-request-id")) return response;
  for (const [name, value] of Object.entries(createHeaders(requestId, publicUrl))) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return response;
}

const commonHeaders = {
  "keep-alive": `timeout=${idleSecondsTold}`,
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

/** The same without the router. */
interface PlainRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly params: PathParams;
}

type ResponseSettings = { readonly headers: Readonly<Record<string, unknown>> };

/** The id that `onRequest` gave this request. */
function getRequestId(set: ResponseSettings): string {
  return String(set.headers["x-request-id"]);
}

/** Finds the client's address behind the proxies that the operator configured. */
type AddressReader = (request: Request) => string | undefined;

/** What context needs besides the router. */
export interface RouteContext extends Pick<AppOptions, "log" | "onAnswered"> {
  readonly addressOf: AddressReader;
}

/** Mounts a route; any other method on its path is answered with 405 and an `Allow` header. */
export function mountRoute(app: App, { path, methods, handle }: Route, context: RouteContext) {
  const answer = createAnswerer(path, context);
  for (const method of methods) {
    app.route(method, path, (routed) => answer(toPlain(routed), handle), { parse: "none" });
  }
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method));
  const message = `this route takes ${allow.join(", ")} only`;
  const problem = new Problem("invalid_request", { message, status: 405 });
  const refuse: Route["handle"] = (_, { requestId }) => {
    const response = createProblemResponse(problem, requestId);
    response.headers.set("allow", allow.join(", "));
    return response;
  };
  app.all(path, (routed) => answer(toPlain(routed), refuse), { parse: "none" });
}

const toPlain = ({ request, set, params }: RoutedRequest): PlainRequest => {
  return { request, requestId: getRequestId(set), params };
};

/** Answers requests of one route, and tells of every answer. */
function createAnswerer(route: string | undefined, { addressOf, log, onAnswered }: RouteContext) {
  return async ({ request, requestId, params }: PlainRequest, handle: Route["handle"]) => {
    const startedMs = performance.now();
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
      ...{ requestId, route, method: request.method, status, address, note: noted },
      seconds: (performance.now() - startedMs) / 1000,
      bytes: length === null ? undefined : Number(length),
      ...readTrace(request),
    });
    return response;
  };
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
export function mountLater(app: App, load: () => Promise<LateRoutes>, context: RouteContext): void {
  const answer = createAnswerer(undefined, context);
  let loading: Promise<void> | undefined;
  let late: LateRoutes | undefined;
  const mountAll = async () => {
    const loaded = await load();
    for (const route of loaded.routes) mountRoute(app, route, context);
    // Elysia has already compiled its static paths into one function.
    app.compile();
    late = loaded;
  };
  const answerUnknown: Route["handle"] = async (request, metadata) =>
    (await late?.answerUnknown(request, metadata)) ??
    createProblemResponse(noSuchRoute, metadata.requestId);
  const handler = async (routed: RoutedRequest) => {
    if (late) return answer(toPlain(routed), answerUnknown);
    loading ??= mountAll().catch((error) => {
      // The next request tries again: running out of file descriptors once must not disable the pages for good.
      loading = undefined;
      throw error;
    });
    await loading;
    return app.fetch(routed.request);
  };
  app.all("/", handler, { parse: "none" });
  app.all("/*", handler, { parse: "none" });
}

/** @returns undefined for a request that the router must take. */
type Shortcut = (request: Request) => ReturnType<RequestHandler> | undefined;

interface Target extends Pick<Route, "handle"> {
  readonly answer: ReturnType<typeof createAnswerer>;
  /** The field of the input that the path ends with; undefined when it has none. */
  readonly field: string | undefined;
}

/** Letters that mean the same whether a path is decoded or not. */
const plainWord = /^[\w.-]+$/;

/**
 * Answers plain requests without the router, which takes as long as a whole profile does: those whose path is a route's
 * as it stands, or with one plain word at its end. The router would call the same handlers.
 */
export function createShortcut(
  routes: readonly Route[],
  context: RouteContext,
  { newId, publicUrl }: Pick<AppOptions, "newId" | "publicUrl">,
): Shortcut {
  const targets = new Map<string, Target>();
  for (const { path, methods, handle } of routes) {
    const [, plain, field] = /^([^:*]+)(?::(\w+))?$/.exec(path) ?? [];
    if (plain === undefined) continue;
    const answer = createAnswerer(path, context);
    for (const method of methods) targets.set(`${method} ${plain}`, { field, answer, handle });
  }
  const isUsable = createHostCheck();
  return (request) => {
    const { url, method, headers } = request;
    const pathAt = url.indexOf("/", "https://".length);
    const wordAt = url.lastIndexOf("/") + 1;
    const word = url.slice(wordAt);
    const exact = targets.get(`${method} ${url.slice(pathAt)}`);
    const target = exact ?? targets.get(`${method} ${url.slice(pathAt, wordAt)}`);
    if (!target || (target.field === undefined ? !exact : !plainWord.test(word))) return undefined;
    if (!isUsable(url.slice(0, pathAt)) || headers.get("host")?.includes(",")) return undefined;
    const requestId = `req_${newId()}`;
    const params = target.field === undefined ? {} : { [target.field]: word };
    const answer = target.answer({ request, requestId, params }, target.handle);
    return answer.then((response) => addHeaders(response, requestId, publicUrl()));
  };
}

/** Whether a URL's beginning can be one; callers name the same host all the time. */
function createHostCheck(): (origin: string) => boolean {
  let known = "";
  return (origin) => {
    if (origin !== known && URL.canParse(origin)) known = origin;
    return origin === known;
  };
}
