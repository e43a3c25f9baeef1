/**
 * The HTTP interface: passes requests to `perform` and sends its answers back. Every route under `/v1` is generated from an
 * operation record. Errors are sent in the error envelope (decision 3). Only refusals by Bun itself, for example of malformed
 * requests, have no envelope.
 */
import { findHeaderFault, readBearerCredentials } from "../../accounts/accounts.ts";
import type { Payload } from "../../contract/envelope.ts";
import { toPrintable } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import { createInvalidRequest, Problem } from "../../contract/problem.ts";
import { parseFieldText } from "../../contract/read.ts";
import { readJsonBody, requireDecodableUrl } from "../../network/request.ts";
import type { LateRoutes, PathParams, Route } from "../../network/route.ts";
import { operations, streamOperations } from "../../operations/index.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import { listQueryFields, type Modules, type Operation } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import { performOnce } from "../../operations/perform-once.ts";
import { createChangesRoute } from "./api-changes.ts";
import {
  type AnsweredRequest,
  type AppOptions,
  createApp,
  mountLater,
  mountRoute,
  type RouteContext,
  refuseUndecodable,
} from "./app.ts";
import { serveBelow } from "./base-path.ts";
import { createClientAddress, warnOfUnnamedProxies } from "./client-address.ts";
import { createOpenapiRoutes } from "./openapi/openapi.ts";
import { createJsonResponse, toResponse, toStreamResponse } from "./responses.ts";
import { createListener, type Listener } from "./socket/listener.ts";

export { createOAuthRoutes } from "./oauth-routes.ts";
export { createSecurityRoutes } from "./security-contact.ts";
export type { Listener } from "./socket/listener.ts";
export { getSocketPath, removeDeadSocket } from "./socket/listener.ts";
export { createStartingListener } from "./starting.ts";

export interface HttpOptions extends AppOptions {
  readonly modules: Modules;
  readonly version: string;
  /** Resolves to the reasons why calls cannot be served; empty if calls can be served. */
  readonly faults: () => Promise<readonly string[]>;
  /** Fields that `/readyz` always has. */
  readonly healthNotes: () => Promise<object>;
  readonly routes: readonly Route[];
  readonly loadPages: () => Promise<LateRoutes>;
  readonly trustedProxies: readonly string[];
  /** A listener that is already open; default: a new one. */
  readonly listener?: Listener | undefined;
}

export type HttpServer = ReturnType<typeof createHttp>;

export function createHttp(options: HttpOptions) {
  const app = createApp(options);
  const handle = serveBelow(options.publicUrl, (request) => app.fetch(request));
  const { listener = createListener(handle, options) } = options;
  const readAddress = createClientAddress(
    options.trustedProxies,
    warnOfUnnamedProxies(options.log),
  );
  const routes = [
    ...listOperationRoutes(options),
    ...streamOperations.map((operation) => toRoute(operation, options, toStreamResponse)),
    ...listHealthRoutes(options),
    ...createOpenapiRoutes(options),
    createChangesRoute(),
    ...options.routes.map(refuseUndecodable),
  ];
  const context: RouteContext = {
    ...options,
    addressOf: (request) => readAddress(request, listener.addressOf(request)),
    onAnswered: (answered) => {
      logAnswer(options.log, answered);
      options.onAnswered?.(answered);
    },
  };
  for (const route of routes) mountRoute(app, route, context);
  mountLater(app, options.loadPages, context);
  const listen: Listener["listen"] = (at) => {
    listener.answerWith(handle);
    return listener.listen(at);
  };
  return { handle: async (request: Request) => handle(request), listen, close: listener.close };
}

/** Paths that are requested all the time. Their requests are logged at level debug. */
const asides = /^\/(livez|readyz|assets\/)/;

function logAnswer(log: Log, { seconds, note, address: client, ...answered }: AnsweredRequest) {
  const ms = Math.round(seconds * 1e5) / 100;
  const level = asides.test(answered.route ?? "") ? "debug" : "info";
  log[level]({ ...note, ...answered, ms, client }, "call");
}

/** Lists the routes of all operations. A fixed path hides a path with a parameter, so its route also answers for that one. */
function listOperationRoutes(options: HttpOptions): readonly Route[] {
  const routes = operations.map((operation) => toRoute(operation, options));
  return routes.map((route) => {
    const { path, methods, handle } = route;
    const hidden = routes.find((other) => readParams(other.path, path));
    if (!hidden) return route;
    const params = readParams(hidden.path, path) ?? {};
    return {
      path,
      methods: [...hidden.methods, ...methods],
      handle: (request, metadata, own) =>
        methods.some((method) => method === request.method)
          ? handle(request, metadata, own)
          : hidden.handle(request, metadata, params),
    };
  });
}

/** @returns the parameters of a path; undefined if the pattern has none, or does not match. */
function readParams(pattern: string, path: string): PathParams | undefined {
  if (!pattern.includes(":") || path.includes(":")) return undefined;
  const form = new RegExp(`^${pattern.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
  return form.exec(path)?.groups;
}

function toRoute(
  operation: Operation,
  { modules, log }: HttpOptions,
  respond: typeof toStreamResponse = toResponse,
): Route {
  const show = (found: Payload) => (respond === toResponse ? found.write() : found);
  return {
    path: operation.path,
    methods: [operation.method],
    handle: async (request, metadata, params) => {
      const identity = await modules.accounts.authenticate(readKey(request.headers));
      if (!identity) throw new Problem("unauthorized");
      const { requestId, address } = metadata;
      const caller = { ...identity, requestId, address, isGone: () => request.signal.aborted };
      const read = () => readRequest(operation, request, params);
      metadata.note?.({ key: caller.credential.id, operation: operation.name });
      const key = operation.method === "POST" ? request.headers.get("idempotency-key") : null;
      const answer = await (key === null
        ? perform(operation, read, caller, modules, show)
        : performOnce({ operation, read, caller, key }, modules));
      if (!answer.ok) logFault(log, answer.problem, metadata.requestId);
      return respond(answer, metadata.requestId, request, log);
    },
  };
}

/**
 * Reads the API key from the headers, without verifying it.
 * @throws Problem `unauthorized`. Its text depends only on the form of the headers (decisions 27 and 41).
 */
function readKey(headers: Headers): string {
  const fault = findHeaderFault(headers);
  if (fault) throw new Problem("unauthorized", { message: headerFaults[fault] });
  const credentials = readBearerCredentials(headers);
  if (!credentials) throw new Problem("unauthorized");
  return credentials.secret;
}

const headerFaults = {
  twice:
    "The request has more than one API key: send it once, in Authorization or X-Api-Key, not in both.",
  authorization:
    'The header Authorization is not "Bearer <API_KEY>": leave it out, or send the key in it and leave out X-Api-Key.',
  "x-api-key": "The header X-Api-Key is empty: leave it out, because Authorization was sent too.",
};

/** Lists the health routes. `/livez` shows that the server runs. `/readyz` shows whether calls can be served. */
function listHealthRoutes({ faults, healthNotes, version }: HttpOptions): readonly Route[] {
  const started = { version, startedAt: new Date().toISOString() };
  const readiness = async () => {
    const [reasons, notes] = await Promise.all([faults(), healthNotes()]);
    return reasons.length === 0
      ? createJsonResponse(200, { ready: true, ...started, ...notes })
      : createJsonResponse(503, { ready: false, reasons, ...started, ...notes });
  };
  return [
    { path: "/livez", methods: ["GET"], handle: () => createJsonResponse(200, { live: true }) },
    { path: "/readyz", methods: ["GET"], handle: readiness },
  ];
}

/**
 * Reads the unvalidated input of a request from its path and its query or JSON body.
 * @returns the fields, or a body that is not an object.
 * @throws Problem `invalid_request` for invalid UTF-8, invalid JSON, a repeated field, or a body of the wrong size or type.
 */
export function readRequest(
  operation: Operation,
  request: Request,
  params: PathParams,
): unknown | Promise<unknown> {
  requireDecodableUrl(request.url);
  return operation.method === "GET"
    ? { ...params, ...readQueryFields(operation, request.url) }
    : readBodyFields(request, params);
}

async function readBodyFields(request: Request, params: PathParams): Promise<unknown> {
  const body = await readJsonBody(request, limits.bodyBytesMax);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...body, ...params };
}

/** Reads the query fields. An operation without query fields ignores the query. */
function readQueryFields(operation: Operation, url: string): Record<string, unknown> {
  if (!url.includes("?") || listQueryFields(operation).length === 0) return {};
  const { searchParams } = new URL(url);
  const fields = new Map<string, unknown>();
  for (const [field, text] of searchParams) {
    if (fields.has(field)) {
      const name = toPrintable(field).slice(0, nameLettersMax);
      throw createInvalidRequest(`${name} is in the query twice; send it once`);
    }
    fields.set(field, parseFieldText(operation.input.properties[field], text));
  }
  return Object.fromEntries(fields);
}

const nameLettersMax = 60;
