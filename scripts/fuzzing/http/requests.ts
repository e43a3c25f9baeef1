/** Requests: made by the published schemas, and changed a little. */
import fc from "fast-check";
import { anyBytes, fromText } from "../bytes.ts";
import { asJsonTexts, nearly } from "../json/nearly.ts";
import { oddTexts, oddValues } from "../json/odd.ts";
import { type Json, type Schema, valuesOf } from "../json/values.ts";

/** One that keeps to HTTP's framing, whatever it says. */
export interface Call {
  readonly kind: "call";
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes. */
  readonly body: string | undefined;
}

/** Keys stand as `{name}`: each run has its own. */
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

export const goodCredentials: readonly string[] = ["key", "bearer", "anyCase"];

interface Described {
  readonly parameters?: readonly { name: string; in: string; schema: Schema }[];
  readonly requestBody?: { content: { "application/json": { schema: Schema; example: Json } } };
}
export type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** Everything that may be asked of the server described here. */
export function requestsTo(document: Schema): fc.Arbitrary<Call> {
  const paths = Object.entries(document["paths"] as Paths);
  const described = paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => callsOf(path, method, operation, document)),
  );
  const calls = fc.oneof(
    { weight: 8, arbitrary: fc.oneof(...described) },
    { weight: 1, arbitrary: strayCalls(paths.map(([path]) => path)) },
  );
  const changedCalls = fc.tuple(calls, changes).map(([call, change]) => ({ ...call, ...change }));
  return fc.oneof(calls, changedCalls);
}

/** One of each operation that takes a body: what its description gives as an example. */
export function listExamples(document: Schema): readonly Call[] {
  return Object.entries(document["paths"] as Paths).flatMap(([target, item]) =>
    Object.entries(item).flatMap(([verb, { requestBody }]) => {
      if (!requestBody) return [];
      const body = fromText(JSON.stringify(requestBody.content["application/json"].example));
      const headers = [["Content-Type", "application/json"]] as const;
      const method = verb.toUpperCase();
      return [{ kind: "call", method, target, credential: "none", headers, body } as const];
    }),
  );
}

const usual = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Credential>("key", "bearer", "anyCase") },
  { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(credentials) as Credential[])) },
);

function callsOf(
  path: string,
  verb: string,
  operation: Described,
  root: Schema,
): fc.Arbitrary<Call> {
  const { parameters = [], requestBody } = operation;
  const content = requestBody?.content["application/json"];
  const bodies = content && fc.oneof(fc.constant(content.example), valuesOf(content.schema, root));
  const texts = bodies && asJsonTexts(fc.oneof(bodies, nearly(bodies)));
  const targets = targetsOf(path, parameters, root);
  return fc.record<Call>({
    kind: fc.constant("call"),
    method: fc.constant(verb.toUpperCase()),
    target: targets,
    credential: usual,
    headers: fc.constant(texts ? [["Content-Type", "application/json"]] : []),
    body: texts ? texts.map(fromText) : fc.constant(undefined),
  });
}

function targetsOf(
  path: string,
  parameters: NonNullable<Described["parameters"]>,
  root: Schema,
): fc.Arbitrary<string> {
  const values = parameters.map(({ schema }) =>
    fc.oneof(valuesOf(schema, root), oddTexts, oddValues).map((value) => inAddress(value)),
  );
  return fc.tuple(fc.tuple(...values), fc.boolean()).map(([given, isRaw]) => {
    let target = path;
    const query: string[] = [];
    for (const [at, { name, in: where }] of parameters.entries()) {
      const value = given[at] as string;
      // As it is, in UTF-8 and without what would end the request's first line; or as it should be.
      const shown = isRaw
        ? fromText(value).replace(/[^!-~\x80-\xff]|[#?]/g, "")
        : encodeURIComponent(value);
      if (where === "path") target = target.replace(`{${name}}`, () => shown);
      else query.push(`${name}=${shown}`);
    }
    return query.length > 0 ? `${target}?${query.join("&")}` : target;
  });
}

const inAddress = (value: Json) =>
  (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();

/** What is no operation, or hardly one. */
function strayCalls(paths: readonly string[]): fc.Arbitrary<Call> {
  const known = [
    "/",
    "/livez",
    "/readyz",
    "/docs",
    "/v1/openapi.json",
    "/mcp",
    "/sign-in",
    "/account",
    "/admin/accounts",
  ];
  const base = fc.constantFrom(
    ...known,
    ...paths.map((path) => path.replace(/\{\w+\}/, "ada-example")),
  );
  const endings = fc.oneof(
    fc.constantFrom(
      "",
      "/",
      "//",
      "/.",
      "/..",
      "/%2e%2e",
      "%2f",
      ";x=1",
      "?",
      "?x=%ff",
      "?key={main}",
      "%00",
      "/*",
    ),
    oddTexts.map((text) => `/${encodeURIComponent(text.toWellFormed())}`),
    anyBytes(20).map((bytes) => bytes.replace(/[^!-~\x80-\xff]|#/g, "")),
  );
  return fc.record<Call>({
    kind: fc.constant("call"),
    method: fc.constantFrom("GET", "HEAD", "POST"),
    target: fc.tuple(base, endings).map((parts) => parts.join("")),
    credential: usual,
    headers: fc.constant([]),
    body: fc.constant(undefined),
  });
}

const oddHeaders = fc.oneof(
  fc.constantFrom<readonly [string, string]>(
    ["Content-Type", "text/plain"],
    ["Content-Type", "application/json; charset=utf-16"],
    ["Content-Type", "multipart/form-data"],
    ["Content-Encoding", "gzip"],
    ["Content-Encoding", "zstd, br"],
    ["Accept", "text/html"],
    ["Accept-Encoding", "gzip, *;q=0"],
    ["Expect", "100-continue"],
    ["Expect", "x"],
    ["Upgrade", "websocket"],
    ["Range", "bytes=0-0"],
    ["If-None-Match", "*"],
    ["X-HTTP-Method-Override", "DELETE"],
    ["X-Forwarded-For", "1.2.3.4, ::1, nonsense"],
    ["X-Request-Id", "req_forged"],
    ["Host", "evil.example"],
    ["Origin", "null"],
    ["Cookie", "a=b; =; ;;; c"],
  ),
  fc.tuple(
    fc.constantFrom(
      "Content-Type",
      "Accept",
      "Cookie",
      "User-Agent",
      "X-Api-Key",
      "Authorization",
      "Origin",
    ),
    fc
      .oneof(oddTexts.map(fromText), anyBytes(200))
      .map((text) => text.replace(/[^\t -~\x80-\xff]/g, "?").trim()),
  ),
);

/** What may be otherwise in a call, framing apart. */
const changes: fc.Arbitrary<Partial<Call>> = fc.oneof(
  fc.record({
    method: fc.constantFrom(
      "GET",
      "HEAD",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "OPTIONS",
      "TRACE",
      "QUERY",
      "PROPFIND",
    ),
  }),
  fc.record({ headers: fc.array(oddHeaders, { minLength: 1, maxLength: 4 }) }),
  fc.record({ body: anyBytes(300) }),
  fc.record({
    body: fc.constantFrom("", "[]", "null", '"x"', "{}", " ".repeat(65_537), "\xff\xfe{}"),
  }),
  fc.record({ credential: fc.constantFrom(...(Object.keys(credentials) as Credential[])) }),
);

/** The bytes of a call, whose keys are still to be filled in. */
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
