/** Describes an operation record as an OpenAPI operation. */
import examples from "../../../../seed/examples.json";
import { createSuccessEnvelope, type Meta } from "../../../contract/envelope.ts";
import { errorResponses, exampleQuota } from "../../../contract/error-responses.ts";
import { streamOperations } from "../../../operations/index.ts";
import { listQueryFields, type Operation } from "../../../operations/operation.ts";

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

/** Describes the successful answer, with an example from the demo pool. */
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
