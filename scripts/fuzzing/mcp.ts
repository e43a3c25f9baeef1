/** The MCP endpoint: messages and batches of both protocols, as a client sends them and nearly so. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import fc from "fast-check";
import { fromText, printed } from "./bytes.ts";
import { defineTarget, type OpenTarget } from "./campaign.ts";
import { exchange } from "./http/exchange.ts";
import { bytesOf, type Call, type Credential } from "./http/requests.ts";
import {
  asJsonTexts,
  type Json,
  nearly,
  oddTexts,
  oddValues,
  type Schema,
  valuesOf,
} from "./json-values.ts";
import { startServer } from "./program.ts";

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

/** Tools whose answers cost nothing. */
const freeTools = ["lookup_terms"];

export const openMcpTarget: OpenTarget = async (folder) => {
  const server = await startServer(folder);
  const plan = ["--plan", "enterprise", "--calls-per-day", "unlimited"];
  const { key } = await server.command("account", "create", "main@example.com", ...plan);
  const send = async (call: Call) => {
    const sent = bytesOf(call).replaceAll("{main}", key);
    const { answers, isSilent } = await exchange(server.port, sent, {
      isHead: call.method === "HEAD",
    });
    if (isSilent) throw new Error("hang: no answer");
    const [answer] = answers;
    if (!answer) throw new Error("the connection was closed without an answer");
    return answer;
  };
  const listed = await send(asCall({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
  const { tools } = JSON.parse(listed.body).result as { tools: readonly Tool[] };
  const check = openCheck(tools);
  const statuses = new Map<number, number>();
  return defineTarget<Call>({
    cases: callsOf(tools),
    tryCase: async (call) => {
      const answer = await send(call);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 431 && answer.body === "") return;
      if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.body.slice(0, 200)}`);
      if (call.method === "HEAD" || answer.body === "") return;
      check(call, messagesIn(answer.body, answer.headers.get("content-type") ?? ""));
    },
    reproduce: (call) => `printf '%b' '${printed(bytesOf(call))}'`,
    memory: server.memory,
    isLasting: true,
    notes: () =>
      `; ${[...statuses]
        .sort()
        .map((pair) => pair.join(": "))
        .join(", ")}`,
    end: async () => {
      const complaints = await server.complaints();
      const exitCode = await server.stop();
      return exitCode === 0 ? complaints : [...complaints, `the server ended with ${exitCode}`];
    },
  });
};

type Headers = readonly (readonly [string, string])[];

const usualHeaders: Headers = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];

const asCall = (message: Json, headers: Headers = usualHeaders): Call => ({
  kind: "call",
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

function callsOf(tools: readonly Tool[]): fc.Arbitrary<Call> {
  const toolCalls = fc.oneof(
    ...tools.map(({ name, inputSchema }) => {
      const valid = valuesOf(inputSchema);
      return fc.record({
        name: fc.constant(name),
        arguments: fc.oneof(valid, valid, nearly(valid)),
      });
    }),
  ) as fc.Arbitrary<Json>;
  const legacy = fc.oneof(
    { weight: 5, arbitrary: asMessages(fc.constant("tools/call"), toolCalls) },
    { weight: 1, arbitrary: asMessages(fc.constant("initialize"), greetings) },
    { weight: 1, arbitrary: asMessages(methods, oddValues) },
    {
      weight: 1,
      arbitrary: fc.record({ jsonrpc: fc.constant("2.0"), method: methods }) as fc.Arbitrary<Json>,
    },
  );
  const modern = fc
    .tuple(legacy, versions)
    .map(([message, version]) => withModernMeta(message, version));
  const bodies = fc.oneof(
    { weight: 4, arbitrary: legacy },
    { weight: 3, arbitrary: modern },
    { weight: 2, arbitrary: nearly(fc.oneof(legacy, modern)) },
    {
      weight: 2,
      arbitrary: fc.array(fc.oneof(legacy, modern), { maxLength: 22 }) as fc.Arbitrary<Json>,
    },
  );
  const usual = bodies.map((message) => asCall(message, headersFor(message)));
  return fc.oneof(
    { weight: 6, arbitrary: usual },
    {
      weight: 2,
      arbitrary: fc.tuple(usual, strayHeaders).map(([call, stray]) => ({ ...call, ...stray })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(usual, asJsonTexts(bodies))
        .map(([call, text]) => ({ ...call, body: fromText(text.toWellFormed()) })),
    },
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

/** Those that belong to the message, where it is of the newer protocol. */
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

interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: Result;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
  readonly _meta?: {
    readonly "roster/meta"?: { readonly quota?: { readonly used: number } };
    readonly "roster/error"?: { readonly code: string };
  };
}

function messagesIn(body: string, type: string): readonly Answer[] {
  const isStream = type.startsWith("text/event-stream");
  const texts = isStream
    ? [...body.matchAll(/^data: (.+)$/gm)].map(([, text]) => text ?? "")
    : [body];
  return texts.flatMap((text) => JSON.parse(text) as Answer | Answer[]);
}

function openCheck(tools: readonly Tool[]) {
  const ajv = new Ajv2020({ strict: false });
  const fits = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
  let known: number | undefined;
  return (call: Call, answers: readonly Answer[]): void => {
    const asked = toolsById(call.body ?? "");
    let counted = 0;
    let most: number | undefined;
    for (const answer of answers) {
      checkForm(answer);
      const { result } = answer;
      const code = result?._meta?.["roster/error"]?.code;
      if (code === "internal") throw new Error("a tool answers internal");
      if (result?.content === undefined) continue;
      const name = asked.get(JSON.stringify(answer.id));
      if (!result.isError && name !== undefined) checkContent(name, result, fits.get(name));
      if (name !== undefined && freeTools.includes(name)) continue;
      if (!result.isError || code === "not_found") counted += 1;
      const used = result._meta?.["roster/meta"]?.quota?.used;
      if (used !== undefined) most = Math.max(most ?? 0, used);
    }
    if (most === undefined) return;
    if (known !== undefined && most !== known + counted) {
      throw new Error(`used is ${most} after ${counted} that count, not ${known + counted}`);
    }
    known = most;
  };
}

function checkForm({ jsonrpc, error, result, ...rest }: Answer): void {
  const shown = JSON.stringify({ jsonrpc, error, ...rest }).slice(0, 200);
  if (jsonrpc !== "2.0") {
    // Of the routes beside it: the envelope.
    if ("success" in rest || error === undefined) return;
    throw new Error(`an answer is no JSON-RPC: ${shown}`);
  }
  if ((error === undefined) === (result === undefined))
    throw new Error(`neither or both: ${shown}`);
  if (error === undefined) return;
  if (!Number.isInteger(error.code) || typeof error.message !== "string") {
    throw new Error(`an error has no code or message: ${shown}`);
  }
  if (error.code === -32603) throw new Error(`internal error: ${shown}`);
}

function checkContent(name: string, result: Result, fits: ValidateFunction | undefined): void {
  if (!fits) throw new Error("a tool answers that is not listed");
  if (fits(result.structuredContent)) return;
  throw new Error(`${name} does not fit its output schema: ${JSON.stringify(fits.errors?.[0])}`);
}

/** Which tool was asked by which id. */
function toolsById(body: string): ReadonlyMap<string, string> {
  try {
    const sent = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
    const messages = (Array.isArray(sent) ? sent : [sent]) as {
      id?: unknown;
      params?: { name?: string };
    }[];
    return new Map(
      messages.flatMap(({ id, params }) =>
        typeof params?.name === "string" ? [[JSON.stringify(id), params.name] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
