/**
 * One operation record as an OpenAPI operation. The schemas go in as they are (a TypeBox schema is JSON
 * Schema, and OpenAPI 3.1 takes that), so nothing can drift from what is checked and answered.
 */
import { successEnvelope } from "../../../contract/envelope.ts";
import type { Operation } from "../../../operations/operation.ts";
import { refusals } from "./refusals.ts";

export function describeOperation(operation: Operation): object {
  const { name, summary, description, method, path, input } = operation;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, field]) => field as string);
  return {
    operationId: name,
    summary,
    description,
    tags: ["Developers"],
    parameters: inPath.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: input.properties[name],
      example: (operation.example as Record<string, unknown>)[name],
    })),
    ...(method === "POST" ? { requestBody: describeBody(operation) } : {}),
    responses: { 200: describeSuccess(operation), ...refusalsOf(operation) },
  };
}

/** `search_developers` is `SearchDevelopers` among the named schemas. */
export function schemaName(operation: Operation): string {
  return operation.name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describeBody(operation: Operation) {
  const schema = { $ref: `#/components/schemas/${schemaName(operation)}Request` };
  return {
    required: true,
    description: "Fields that are not listed are refused, by name.",
    content: { "application/json": { schema, example: operation.example } },
  };
}

function describeSuccess(operation: Operation) {
  const envelope = successEnvelope(operation.output);
  const schema = {
    ...envelope,
    properties: {
      ...envelope.properties,
      data: { $ref: `#/components/schemas/${schemaName(operation)}Data` },
      meta: { $ref: "#/components/schemas/Meta" },
    },
  };
  return {
    description: operation.summary,
    headers: {
      "X-Request-Id": { $ref: "#/components/headers/RequestId" },
      "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
      RateLimit: { $ref: "#/components/headers/RateLimit" },
    },
    content: { "application/json": { schema } },
  };
}

function refusalsOf({ method, input }: Operation) {
  const namesOne = "login" in input.properties || "username" in input.properties;
  const possible = refusals.filter(({ only }) => {
    if (only === "naming") return namesOne;
    return only !== "body" || method === "POST";
  });
  return Object.fromEntries(
    possible.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
