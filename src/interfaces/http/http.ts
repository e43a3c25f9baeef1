/**
 * The HTTP interface: carries requests to `perform` and its answers back. Every route under /v1 is read off
 * the operation records. Whatever goes wrong is answered here in the envelope, never in the
 * framework's own words (decision 3); what Bun refuses before there is a request (a broken frame,
 * 431, a body beyond 64 MiB) it answers itself, with no body at all.
 */

import { readBearerCredentials } from "../../accounts/accounts.ts";
import type { Caller } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { LateRoutes, RequestMetadata, Route } from "../../network/route.ts";
import { operations } from "../../operations/index.ts";
import { logCall } from "../../operations/log-call.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import { type AppOptions, createApp, mountLater, mountRoute, refuseUndecodable } from "./app.ts";
import { createClientAddress, warnOfUnnamedProxies } from "./client-address.ts";
import { docsRoutes } from "./docs-page.ts";
import { createListener } from "./listener.ts";
import { createOpenapiRoute } from "./openapi.ts";
import { readRequest } from "./read-request.ts";
import { createJsonResponse, toResponse } from "./responses.ts";

export { createOAuthRoutes } from "./oauth-routes.ts";

interface HttpOptions extends AppOptions {
  readonly modules: Modules;
  /** Of the program, for the OpenAPI document. */
  readonly version: string;
  /** Why calls cannot be served now, in words; empty when they can. */
  readonly faults: () => Promise<readonly string[]>;
  /** What other interfaces offer on the same port. */
  readonly routes: readonly Route[];
  /** The pages, at first use. */
  readonly loadPages: () => Promise<LateRoutes>;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

export interface HttpServer {
  /** Answers one request without a socket; never throws. */
  handle(request: Request): Promise<Response>;
  /** @returns the address it listens on. @throws when the port is taken. */
  listen(at: { readonly host: string; readonly port: number }): string;
  /** Takes no new connection, lets the calls in flight end, closes the idle ones. */
  close(): Promise<void>;
}

export function createHttp(options: HttpOptions): HttpServer {
  const app = createApp(options);
  const handle = async (request: Request) => app.fetch(request);
  const { addressOf, ...listener } = createListener(handle, options.log);
  const clientAddress = createClientAddress(
    options.trustedProxies,
    warnOfUnnamedProxies(options.log),
  );
  const addressOfClient = (request: Request) => clientAddress(request, addressOf(request));
  const routes = [
    ...operations.map((operation) => toRoute(operation, options)),
    ...listHealthRoutes(options.faults),
    createOpenapiRoute(app, options),
    ...docsRoutes,
    ...options.routes.map(refuseUndecodable),
  ];
  for (const route of routes) mountRoute(app, route, addressOfClient);
  mountLater(app, options.loadPages, addressOfClient);
  return { handle, ...listener };
}

function toRoute(operation: Operation, { modules, log }: HttpOptions): Route {
  return {
    path: operation.path,
    methods: [operation.method],
    handle: async (request, visit, params) => {
      const caller = await authenticateKey(request, visit, modules);
      const read = () => readRequest(operation, request, params);
      const answer = await perform(operation, read, caller, modules);
      logCall(log, "http", operation, caller, answer);
      return toResponse(answer, visit.requestId);
    },
  };
}

/**
 * Who sends this request: the holder of an API key. Tokens of the browser sign-in open nothing here.
 *
 * @throws Problem unauthorized, the same for every cause, so that a guesser learns nothing (decision 27).
 */
async function authenticateKey(
  request: Request,
  visit: RequestMetadata,
  { accounts }: Modules,
): Promise<Caller> {
  const credentials = readBearerCredentials(request.headers);
  const identity = credentials && (await accounts.authenticate(credentials.secret));
  if (!identity) throw new Problem("unauthorized");
  const { accountId, plan, credential } = identity;
  return { accountId, plan, credential, ...visit };
}

/** `/livez`: this thread turns. `/readyz`: calls can be served, or why they cannot. Neither needs a key. */
function listHealthRoutes(faults: () => Promise<readonly string[]>): readonly Route[] {
  const readiness = async () => {
    const reasons = await faults();
    return reasons.length === 0
      ? createJsonResponse(200, { ready: true })
      : createJsonResponse(503, { ready: false, reasons });
  };
  return [
    { path: "/livez", methods: ["GET"], handle: () => createJsonResponse(200, { live: true }) },
    { path: "/readyz", methods: ["GET"], handle: readiness },
  ];
}
