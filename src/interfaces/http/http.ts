/**
 * The HTTP interface: carries requests to `perform` and its answers back. Every route under /v1 is read off
 * the operation records. Whatever goes wrong is answered here in the envelope, never in the
 * framework's own words (decision 3); what Bun refuses before there is a request (a broken frame,
 * 431, a body beyond 64 MiB) it answers itself, with no body at all.
 */
import type { RequestMetadata, Route } from "../../contract/http/route.ts";
import { operations } from "../../operations/index.ts";
import { logCall } from "../../operations/log-call.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import {
  type App,
  type AppOptions,
  createApp,
  type Fallback,
  getRequestId,
  mountFallback,
  mountRoute,
  type ResponseSettings,
  refuseOtherMethods,
} from "./app.ts";
import { authenticateKey } from "./authenticate-key.ts";
import { createClientAddress, warnOfUnnamedProxies } from "./client-address.ts";
import { mountHealth } from "./health.ts";
import { createListener } from "./listener.ts";
import { mountOpenapi } from "./openapi/openapi.ts";
import { mountPages } from "./openapi/pages.ts";
import { readRequest } from "./read-request.ts";
import { toResponse } from "./responses.ts";

export interface HttpOptions extends AppOptions {
  readonly modules: Modules;
  /** Of the program, for the OpenAPI document. */
  readonly version: string;
  /** Why calls cannot be served now, in words; empty when they can. */
  readonly faults: () => Promise<readonly string[]>;
  /** What other interfaces offer on the same port. */
  readonly routes: readonly Route[];
  /** The pages: all that is nowhere else. */
  readonly elsewhere: Fallback;
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
  for (const operation of operations) mountOperation(app, operation, options, addressOfClient);
  mountHealth(app, options.faults);
  mountOpenapi(app, options);
  mountPages(app);
  for (const route of options.routes) mountRoute(app, route, addressOfClient);
  mountFallback(app, options.elsewhere, addressOfClient);
  return { handle, ...listener };
}

function mountOperation(
  app: App,
  operation: Operation,
  options: HttpOptions,
  addressOf: (request: Request) => string | undefined,
): void {
  const { method, path } = operation;
  const handler = ({ request, set }: { request: Request; set: ResponseSettings }) =>
    carry(
      operation,
      request,
      { requestId: getRequestId(set), address: addressOf(request) },
      options,
    );
  if (method === "GET") app.get(path, handler, { parse: "none" });
  else app.post(path, handler, { parse: "none" });
  refuseOtherMethods(app, path, method);
}

async function carry(
  operation: Operation,
  request: Request,
  visit: RequestMetadata,
  { modules, log }: HttpOptions,
): Promise<Response> {
  const caller = await authenticateKey(request, visit, modules);
  const answer = await perform(operation, () => readRequest(operation, request), caller, modules);
  logCall(log, "http", operation, caller, answer);
  return toResponse(answer, visit.requestId);
}
