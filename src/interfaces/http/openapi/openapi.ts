/** The OpenAPI 3.1 document. It describes the operations. */
import { registerSchemaPath } from "@elysiajs/swagger/utils";
import examples from "../../../../seed/examples.json";
import { createSuccessEnvelope, ErrorEnvelope, type Meta } from "../../../contract/envelope.ts";
import {
  type ErrorResponse,
  errorResponses,
  exampleQuota,
  type HeaderName,
  responseHeaders,
} from "../../../contract/error-responses.ts";
import { getComponentName } from "../../../contract/schema.ts";
import { createFileAnswer } from "../../../network/compression.ts";
import type { Route } from "../../../network/route.ts";
import { operations, streamOperations } from "../../../operations/index.ts";
import { listQueryFields, type Operation } from "../../../operations/operation.ts";

interface OpenapiOptions {
  readonly version: string;
  readonly publicUrl: () => string;
}

/** Serves the document at `/v1/openapi.json` and `/v1/openapi.yaml`, without a key (decision 27). */
export function createOpenapiRoutes(options: OpenapiOptions): readonly Route[] {
  const serve = (form: "json" | "yaml", write: (document: object) => string): Route => {
    const headers = { "content-type": `application/${form}`, "cache-control": "no-cache" };
    // Creates the document at the first request, when the port is known.
    const handle = createFileAnswer(() => write(createDocument(options)), headers);
    return { path: `/v1/openapi.${form}`, methods: ["GET"], handle };
  };
  return [serve("json", JSON.stringify), serve("yaml", writeYaml)];
}

function createDocument({ version, publicUrl }: OpenapiOptions) {
  const schemas: Record<string, unknown> = {};
  return {
    openapi: "3.1.1",
    info: {
      title: "Roster: Developer Search and Analysis API",
      version,
      description: introduction,
      contact: { name: "Whoever runs this Roster", url: publicUrl() },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl(), description: "This Roster" }],
    tags: Object.values(tags),
    security: [{ bearer: [] }],
    paths: referToComponents(describePaths(), schemas),
    components: {
      schemas,
      ...(referToComponents({ responses: describeRefusals() }, schemas) as object),
      headers: Object.fromEntries(
        Object.values(responseHeaders).map(({ component, ...field }) => [component, field]),
      ),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "`Authorization: Bearer <API_KEY>`, or `X-Api-Key: <API_KEY>` instead. Send one of the two headers, not both. " +
            "Only one is listed as a scheme, because generated clients send every listed header.",
        },
      },
    },
  };
}

const introduction = [
  "Search, look up and analyze the developers that this server knows.",
  "Every answer has `success` and `meta`, and either `data` or `error`.",
  "Unknown values are left out. A call counts against the account's quota if its status is 200 or 404.",
  "Quotas are per month and per day, in UTC.",
].join(" ");

function describePaths() {
  const paths = {};
  for (const operation of [...operations, ...streamOperations]) {
    const { path, method } = operation;
    const hook = { detail: describeOperation(operation) };
    registerSchemaPath({ schema: paths, path, method, hook, models: {} });
  }
  return paths;
}

/**
 * Replaces each named schema by a reference. Answers allow unknown fields, because later versions may add fields.
 * @param schemas receives the replaced schemas by name.
 */
function referToComponents(
  node: unknown,
  schemas: Record<string, unknown>,
  isAnswer = false,
): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => referToComponents(each, schemas, isAnswer));
  const expand = () =>
    Object.fromEntries(
      Object.entries(node).map(([key, each]) => {
        if (isAnswer && key === "additionalProperties" && each === false) return [key, true];
        return [key, referToComponents(each, schemas, isAnswer || key === "responses")];
      }),
    );
  const name = getComponentName(node);
  if (name === undefined) return expand();
  schemas[name] ??= expand();
  return { $ref: `#/components/schemas/${name}` };
}

const describeRefusals = () =>
  Object.fromEntries(errorResponses.map((refusal) => [refusal.name, describeRefusal(refusal)]));

function describeRefusal({
  status,
  code,
  description,
  message,
  headers: own = [],
  hasQuota,
}: ErrorResponse) {
  const limits = ["RateLimit-Policy", "RateLimit"] as const;
  const names: HeaderName[] = ["X-Request-Id", ...own, ...(hasQuota ? limits : [])];
  const example = {
    success: false,
    error: { code, message },
    meta: { requestId: `req_example${status}`, ...(hasQuota ? { quota: exampleQuota } : {}) },
  };
  return {
    description,
    headers: Object.fromEntries(
      names.map((name) => [
        name,
        { $ref: `#/components/headers/${responseHeaders[name].component}` },
      ]),
    ),
    content: { "application/json": { schema: ErrorEnvelope, example } },
  };
}

/**
 * Writes a JSON value as YAML, in blocks. All texts are in quotes, because readers of YAML 1.1 take some plain texts for dates or
 * booleans.
 */
function writeYaml(value: unknown): string {
  return `${writeNode(value, "").trimStart()}\n`;
}

/** @returns the text after a key or dash: on the same line, or on the next lines with this indent. */
function writeNode(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    // The first line of an entry stands beside its dash.
    const entries = value.map((each) => writeNode(each, `${indent}  `).trimStart());
    return entries.map((entry) => `\n${indent}- ${entry}`).join("");
  }
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  if (fields.length === 0) return " {}";
  return fields
    .map(([key, each]) => `\n${indent}${writeKey(key)}:${writeNode(each, `${indent}  `)}`)
    .join("");
}

/** Words of YAML 1.1 such as `on`, and numbers, need quotes. */
const writeKey = (key: string) => (/^[A-Za-z]\w{3,}$/.test(key) ? key : JSON.stringify(key));

export function describeOperation(operation: Operation): object {
  const { name, summary, description, method, path } = operation;
  const pathFields = [...path.matchAll(/:(\w+)/g)].map(([, field]) => field as string);
  return {
    operationId: name,
    summary,
    description,
    tags: [operation.isAddition ? tags.additions.name : tags.developers.name],
    parameters: [
      ...pathFields.map((field) => describeParameter(operation, field, "path")),
      ...listQueryFields(operation).map((field) => describeParameter(operation, field, "query")),
    ],
    ...(method === "POST" ? { requestBody: describeBody(operation) } : {}),
    responses: {
      ...(isStream(operation)
        ? { 200: describeStream(operation) }
        : {
            200: describeSuccess(operation),
            ...(method === "GET" ? { 304: unchanged } : {}),
          }),
      ...listRefusals(operation),
    },
  };
}

const successHeaders = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
};
const tagHeader = { ETag: { $ref: "#/components/headers/ETag" } };

const unchanged = {
  description: "The data still have the tag in If-None-Match. Counts as 200 does.",
  headers: { ...successHeaders, ...tagHeader },
};

/** Separates Roster's additions from the other operations (decision 32). */
export const tags = {
  developers: { name: "Developers", description: "Find, look up and analyze developers." },
  additions: {
    name: "Additions",
    description: "Operations that only Roster has, in addition to the API document.",
  },
};

function describeParameter({ input, example }: Operation, name: string, place: "path" | "query") {
  const schema = input.properties[name];
  const value = (example as Record<string, unknown>)[name];
  return {
    name,
    in: place,
    required: input.required?.includes(name) ?? false,
    ...(place === "query" ? { description: schema?.description } : {}),
    schema,
    ...(value === undefined ? {} : { example: value }),
  };
}

function describeBody({ input, example, fieldsExample }: Operation) {
  const named = { "all-fields": { value: example }, "some-fields": { value: fieldsExample } };
  const shown = fieldsExample ? { examples: named } : { example };
  return {
    required: true,
    description:
      "Unknown fields are refused. The error names them. A request may have the header `Idempotency-Key`, 1 to 255 printable ASCII " +
      "characters. A repeat within ten minutes, with the same key and the same body, gets the same answer and is not counted again.",
    content: { "application/json": { schema: input, ...shown } },
  };
}

function describeSuccess({ name, summary, output, method }: Operation) {
  const meta: Meta = {
    requestId: "req_example200",
    dataSource: "candidate_pool",
    quota: exampleQuota,
  };
  const data = (examples as Readonly<Record<string, unknown>>)[name];
  const schema = createSuccessEnvelope(output);
  return {
    description: summary,
    headers: method === "GET" ? { ...successHeaders, ...tagHeader } : successHeaders,
    content: { "application/json": { schema, example: { success: true, data, meta } } },
  };
}

const isStream = (operation: Operation) => streamOperations.includes(operation);

/** Describes a stream of lines. `binary` makes generated clients take it as bytes. */
function describeStream({ summary, output }: Operation) {
  return {
    description: summary,
    headers: successHeaders,
    content: { "application/jsonl": { schema: output } },
  };
}

function listRefusals(operation: Operation) {
  const { method, input } = operation;
  const names = ["login", "username", "repository"];
  const isNaming = names.some((field) => field in input.properties);
  const possible = errorResponses.filter(({ only }) => {
    if (only === "naming") return isNaming;
    if (only === "administrators") return isStream(operation);
    return only !== "body" || method === "POST";
  });
  return Object.fromEntries(
    possible.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
