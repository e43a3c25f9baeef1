/** Requests: made by the published schemas, changed a little, changed beyond what HTTP allows. */
import fc from "fast-check";
import { anyBytes, fromText } from "../bytes.ts";
import {
  asJsonTexts,
  type Json,
  nearly,
  oddTexts,
  oddValues,
  type Schema,
  valuesOf,
} from "../json-values.ts";

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

/** Bytes that need not be HTTP. */
export interface Raw {
  readonly kind: "raw";
  readonly bytes: string;
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
export function requestsTo(document: Schema): fc.Arbitrary<Call | Raw> {
  const paths = Object.entries(document["paths"] as Paths);
  const described = paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => callsOf(path, method, operation, document)),
  );
  const calls = fc.oneof(
    { weight: 8, arbitrary: fc.oneof(...described) },
    { weight: 1, arbitrary: strayCalls(paths.map(([path]) => path)) },
  );
  const changedCalls = fc.tuple(calls, changes).map(([call, change]) => ({ ...call, ...change }));
  return fc.oneof(
    { weight: 4, arbitrary: calls },
    { weight: 4, arbitrary: changedCalls },
    { weight: 1, arbitrary: rawBytes(calls) },
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

const oddLines = [
  ...[
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 0x5",
  ],
  ...[
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding : chunked",
  ],
  ...[
    " folded",
    "No-Colon",
    ": no name",
    "Nul: \0",
    `X-Long: ${"x".repeat(20_000)}`,
    "Host: b",
    "Host:",
  ],
  ...[
    "Connection: close",
    "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  ],
];

function rawBytes(calls: fc.Arbitrary<Call>): fc.Arbitrary<Raw> {
  const lines = calls.map((call) =>
    bytesOf({ ...call, credential: "key" }).replace("{main}", "{raw}"),
  );
  const line = fc.constantFrom(...oddLines);
  const changed = fc.oneof(
    fc.tuple(lines, line).map(([sent, odd]) => sent.replace("\r\n\r\n", `\r\n${odd}\r\n\r\n`)),
    fc
      .tuple(lines, fc.nat(300), anyBytes(8))
      .map(([sent, at, odd]) => sent.slice(0, at) + odd + sent.slice(at)),
    fc
      .tuple(lines, fc.nat(300), fc.nat(20))
      .map(([sent, at, cut]) => sent.slice(0, at) + sent.slice(at + cut)),
    fc
      .tuple(
        lines,
        fc.constantFrom("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.99", "http/1.1", ""),
      )
      .map(([sent, version]) => sent.replace("HTTP/1.1", version)),
    lines.map((sent) => sent.replaceAll("\r\n", "\n")),
    lines.map((sent) => sent.repeat(3)),
    lines.map((sent) => sent.replace(/ \//, " http://evil.example/")),
    fc
      .tuple(
        lines,
        fc.constantFrom('5\r\n{"a":', "0\r\n\r\n", "fffffffff\r\n", "-1\r\n\r\n", "z\r\n"),
      )
      .map(([sent, chunk]) =>
        sent.replace(
          /\r\n(?:Content-Length: \d+)?\r\n\r\n.*$/s,
          `\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
        ),
      ),
    fc.constantFrom(
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\r\n\r\n\r\n",
    ),
    anyBytes(200),
  );
  return changed.map((bytes) => ({ kind: "raw", bytes }));
}
