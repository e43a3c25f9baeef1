/**
 * The OpenAPI 3.1 document. The Swagger plugin's reader of mounted routes is used, so that the document lists what is
 * really mounted. The rest of the plugin is not used: it labels its output 3.0.3, strips schemas and loads its page
 * from a CDN, and each operation is described from its record anyway.
 */
import { registerSchemaPath } from "@elysiajs/swagger/utils";
import { ErrorEnvelope, Meta } from "../../contract/envelope.ts";
import type { Route } from "../../network/route.ts";
import { operations } from "../../operations/index.ts";
import type { App } from "./app.ts";
import { describeOperation, tags, toSchemaName } from "./describe-operation.ts";
import {
  type ErrorResponse,
  errorResponses,
  type HeaderName,
  responseHeaders,
} from "./error-responses.ts";
import { createJsonResponse } from "./responses.ts";

interface OpenapiOptions {
  readonly version: string;
  readonly publicUrl: () => string;
}

/** Serves the document at `/v1/openapi.json`, without a key (decision 27). */
export function createOpenapiRoute(app: App, options: OpenapiOptions): Route {
  const handle: Route["handle"] = (request) =>
    createJsonResponse(200, createDocument(app, options), {}, request);
  return { path: "/v1/openapi.json", methods: ["GET"], handle };
}

function createDocument(app: App, { version, publicUrl }: OpenapiOptions) {
  return {
    openapi: "3.1.1",
    info: {
      title: "Roster: Developer Search and Analysis API",
      version,
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl(), description: "This Roster" }],
    tags: Object.values(tags),
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: describePaths(app),
    components: {
      schemas: listSchemas(),
      responses: Object.fromEntries(
        errorResponses.map((refusal) => [refusal.name, describeRefusal(refusal)]),
      ),
      headers: Object.fromEntries(
        Object.values(responseHeaders).map(({ component, ...field }) => [component, field]),
      ),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "`Authorization: Bearer <API_KEY>`",
        },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-Api-Key",
          description: "`X-Api-Key: <API_KEY>`; send this header or the other one, not both.",
        },
      },
    },
  };
}

const introduction = [
  "Searches, looks up and analyzes developers of a pool that this server holds and has analyzed beforehand.",
  "Every answer has one envelope: `success`, then `data` and `meta`, or `error` and `meta`.",
  "A value that is not known is left out. Calls that are answered with 200 or 404 count against the",
  "account's quota, by UTC month and UTC day.",
].join(" ");

function describePaths(app: App) {
  const paths = {};
  for (const { path, method } of app.routes) {
    const operation = operations.find((each) => each.path === path && each.method === method);
    if (!operation) continue;
    registerSchemaPath({
      schema: paths,
      path,
      method: operation.method,
      hook: { detail: describeOperation(operation) },
      models: {},
    });
  }
  return paths;
}

function listSchemas() {
  const named = operations.flatMap((operation) => {
    const name = toSchemaName(operation);
    const data = [`${name}Data`, operation.output] as const;
    return operation.method === "POST"
      ? [[`${name}Request`, operation.input] as const, data]
      : [data];
  });
  return { ...Object.fromEntries(named), Meta, Error: ErrorEnvelope };
}

function describeRefusal({
  status,
  code,
  description,
  message,
  headers: own = [],
  hasQuota,
}: ErrorResponse) {
  const names: HeaderName[] = ["X-Request-Id", ...own];
  const quota = { used: 12, limit: 1000, month: "2026-11" };
  const example = {
    success: false,
    error: { code, message },
    meta: { requestId: `req_example${status}`, ...(hasQuota ? { quota } : {}) },
  };
  return {
    description,
    headers: Object.fromEntries(
      names.map((name) => [
        name,
        { $ref: `#/components/headers/${responseHeaders[name].component}` },
      ]),
    ),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, example } },
  };
}
