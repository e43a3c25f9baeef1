/** Calls of the API that keep to the framing of HTTP. */
import { fromText } from "../bytes.ts";
import type { Json } from "../json/values.ts";

export interface Call {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes. */
  readonly body: string | undefined;
}

/** Keys are written as `{name}`, because each run has its own. */
export const credentials = {
  key: ["X-Api-Key: {main}"],
  bearer: ["Authorization: Bearer {main}"],
  anyCase: ["aUTHORIZATION: bEARER {main}"],
  exhausted: ["X-Api-Key: {exhausted}"],
  none: [],
  both: ["X-Api-Key: {main}", "Authorization: Bearer {main}"],
  twice: ["X-Api-Key: {main}", "X-Api-Key: {main}"],
  disabled: ["X-Api-Key: {disabled}"],
  revoked: ["Authorization: Bearer {revoked}"],
  wrong: [`X-Api-Key: rst_${"0".repeat(49)}`],
  basic: ["Authorization: Basic {main}"],
  cookie: ["Cookie: X-Api-Key={main}; roster-forms={main}"],
} as const satisfies Record<string, readonly string[]>;
export type Credential = keyof typeof credentials;

export const goodCredentials: readonly Credential[] = ["key", "bearer", "anyCase"];

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: "path" | "query"; example?: Json }[];
  readonly requestBody?: { content: { "application/json": Shown } };
}
/** The only example of a body, or two by name. */
interface Shown {
  readonly example?: Json;
  readonly examples?: { readonly "all-fields": { readonly value: Json } };
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * @returns one call of each operation, from the examples in the API document. An example that names fields is left out, because
 * its answer lacks fields that the schema requires.
 */
export function listExamples(document: ApiDocument): readonly Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => toExample(path, verb, operation)),
  );
}

function toExample(path: string, verb: string, operation: Operation): Call {
  const { parameters = [], requestBody } = operation;
  const { example, examples } = requestBody?.content["application/json"] ?? {};
  const given = parameters.filter(({ example }) => example !== undefined);
  const target = given
    .filter((parameter) => parameter.in === "path")
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = new URLSearchParams(
    given
      .filter((parameter) => parameter.in === "query")
      .map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const body = requestBody && JSON.stringify(examples ? examples["all-fields"].value : example);
  return {
    method: verb.toUpperCase(),
    target: query.size > 0 ? `${target}?${query}` : target,
    credential: "key",
    headers: body === undefined ? [] : [["Content-Type", "application/json"]],
    body: body && fromText(body),
  };
}

/** @returns the bytes of a call, in which the keys are still to be filled in. */
export function bytesOf({ method, target, credential, headers, body }: Call): string {
  const hasHost = headers.some(([name]) => name === "Host");
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(hasHost ? [] : ["Host: localhost"]),
    ...credentials[credential],
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
