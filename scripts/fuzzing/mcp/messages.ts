/** Messages and batches of both protocols, valid and nearly valid. */
import fc from "fast-check";
import { fromText } from "../bytes.ts";
import type { Call, Credential } from "../http/requests.ts";
import { asJsonTexts, nearly } from "../json/nearly.ts";
import { oddTexts, oddValues } from "../json/odd.ts";
import { type Json, type Schema, valuesOf } from "../json/values.ts";
import { weighted } from "../weighted.ts";

export interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

type Headers = readonly (readonly [string, string])[];

const usualHeaders: Headers = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];

export const asCall = (message: Json, headers: Headers = usualHeaders): Call => ({
  method: "POST",
  target: "/mcp",
  credential: "key",
  headers,
  body: fromText(JSON.stringify(message)),
});

const versions = fc.oneof(
  fc.constantFrom(
    "2026-07-28",
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
    "1999-01-01",
    "",
  ),
  oddTexts,
);
const ids = fc.oneof<fc.Arbitrary<Json>[]>(
  fc.nat(5),
  fc.nat(5),
  fc.constantFrom("a", "b"),
  oddValues,
);
const methods = fc.oneof(
  fc.constantFrom(
    ...[
      "initialize",
      "ping",
      "tools/list",
      "tools/call",
      "server/discover",
      "resources/list",
      "resources/read",
    ],
    ...[
      "prompts/list",
      "prompts/get",
      "logging/setLevel",
      "completion/complete",
      "subscriptions/listen",
      "tasks/get",
    ],
    ...[
      "notifications/initialized",
      "notifications/cancelled",
      "notifications/progress",
      "rpc.discover",
      "",
    ],
  ),
  oddTexts,
);

/** @returns calls that may be sent to a server with these tools. */
export function callsOf(tools: readonly Tool[]): fc.Arbitrary<Call> {
  const toolCalls = fc.oneof(
    ...tools.map(({ name, inputSchema }) => {
      const valid = valuesOf(inputSchema);
      return fc.record({
        name: fc.constant(name),
        arguments: fc.oneof(valid, valid, nearly(valid)),
      });
    }),
  ) as fc.Arbitrary<Json>;
  const legacy = weighted(
    [5, asMessages(fc.constant("tools/call"), toolCalls)],
    [1, asMessages(fc.constant("initialize"), greetings)],
    [1, asMessages(methods, oddValues)],
    [1, fc.record({ jsonrpc: fc.constant("2.0"), method: methods }) as fc.Arbitrary<Json>],
  );
  const modern = fc
    .tuple(legacy, versions)
    .map(([message, version]) => withModernMeta(message, version));
  const bodies = weighted(
    [4, legacy],
    [3, modern],
    [2, nearly(fc.oneof(legacy, modern))],
    [2, fc.array(fc.oneof(legacy, modern), { maxLength: 22 }) as fc.Arbitrary<Json>],
  );
  const usual = bodies.map((message) => asCall(message, headersFor(message)));
  return weighted(
    [6, usual],
    [2, fc.tuple(usual, strayHeaders).map(([call, stray]) => ({ ...call, ...stray }))],
    [
      1,
      fc
        .tuple(usual, asJsonTexts(bodies))
        .map(([call, text]) => ({ ...call, body: fromText(text.toWellFormed()) })),
    ],
  );
}

function asMessages(method: fc.Arbitrary<string>, params: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const jsonrpc = fc.constant("2.0");
  return fc.record({ jsonrpc, id: ids, method, params }) as fc.Arbitrary<Json>;
}

const greetings = fc.record({
  protocolVersion: versions,
  capabilities: fc.oneof(fc.constant({}), oddValues),
  clientInfo: fc.oneof(fc.constant({ name: "fuzz", version: "1" }), oddValues),
}) as fc.Arbitrary<Json>;

const modernKey = "io.modelcontextprotocol/protocolVersion";

function withModernMeta(message: Json, version: string): Json {
  const { params, ...rest } = message as { params?: Json };
  const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
  const _meta = { [modernKey]: version, "io.modelcontextprotocol/clientCapabilities": {} };
  return { ...rest, params: { ...(isObject ? params : {}), _meta } } as Json;
}

/** @returns the headers that the newer protocol requires for the message. */
function headersFor(message: Json): Headers {
  const { method, params } = (message ?? {}) as { method?: string; params?: Record<string, Json> };
  const version = (params?.["_meta"] as Record<string, Json> | undefined)?.[modernKey];
  if (typeof version !== "string" || typeof method !== "string") return usualHeaders;
  const name = params?.["name"];
  return [
    ...usualHeaders,
    ["MCP-Protocol-Version", plain(version)],
    ["Mcp-Method", plain(method)],
    ...(typeof name === "string" ? ([["Mcp-Name", plain(name)]] as const) : []),
  ];
}

const plain = (text: string) => text.replace(/[^ -~]/g, "?").slice(0, 4000);

const strayHeaders: fc.Arbitrary<Partial<Call>> = fc.oneof(
  fc.record({
    credential: fc.constantFrom<Credential>(
      "bearer",
      "none",
      "both",
      "twice",
      "wrong",
      "basic",
      "cookie",
    ),
  }),
  fc.record({ method: fc.constantFrom("GET", "DELETE", "PUT", "OPTIONS", "HEAD") }),
  fc.record({
    target: fc.constantFrom(
      "/mcp/",
      "/mcp?x=1",
      "/mcp?detail=slim",
      "/mcp?detail=x",
      "/mcp%00",
      "/mcp//",
      "/MCP",
    ),
  }),
  fc.record({
    headers: fc
      .tuple(
        fc.constantFrom(
          "Accept",
          "Content-Type",
          "Origin",
          "Host",
          "MCP-Protocol-Version",
          "Mcp-Session-Id",
          "Mcp-Method",
          "Mcp-Name",
          "Last-Event-ID",
        ),
        fc
          .oneof(
            versions,
            oddTexts,
            fc.constantFrom("*/*", "application/json", "text/event-stream"),
          )
          .map(plain),
      )
      .map((odd) => [...usualHeaders, odd]),
  }),
);
