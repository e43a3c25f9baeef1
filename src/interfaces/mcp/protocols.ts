/**
 * Serves tools over HTTP in both forms of the protocol: with a handshake (2024 and 2025), and without (2026-07-28). Every request
 * gets its own server and transport of the SDK, because shared ones mix up answers (CVE-2026-25536). Usual tool calls are
 * answered without the SDK, which is faster.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { closeAtEnd } from "../../contract/close-at-end.ts";
import { createLateBody } from "../../network/late-body.ts";
import {
  callTool,
  describeServer,
  describeUnknownTool,
  instructions,
  listTools,
  type ToolContext,
  type WrittenResult,
  writeTool,
} from "./tools.ts";

export async function answerMessages(request: Request, messages: unknown, context: ToolContext) {
  const answer = await answerPlainCall(request, messages, context);
  return answer ?? answerBySdk(request, messages, context);
}

/**
 * @package Answers one usual tool call exactly as the SDK would.
 * @returns undefined for an unusual message, which the SDK must answer.
 */
export async function answerPlainCall(request: Request, message: unknown, context: ToolContext) {
  const call = readPlainCall(request.headers, message);
  const result = call && (await writeTool(call, context));
  if (!result) return undefined;
  const bytes = Buffer.from(writePlainAnswer(call, result, context));
  const length = String(bytes.byteLength);
  return new Response(createLateBody([bytes]), {
    headers: { "content-type": "application/json", "content-length": length },
  });
}

function writePlainAnswer(
  { id, isModern }: Pick<JSONRPCRequest, "id"> & { readonly isModern: boolean },
  { text, structured, _meta: own }: WrittenResult,
  context: ToolContext,
): string {
  const _meta = isModern ? { ...own, [SERVER_INFO_META_KEY]: describeServer(context) } : own;
  return [
    `{"result":{"_meta":${JSON.stringify(_meta)}`,
    `,"content":[{"type":"text","text":${JSON.stringify(text)}}]`,
    structured === undefined ? `,"isError":true` : `,"structuredContent":${structured}`,
    isModern ? `,"resultType":"complete"` : "",
    `},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`,
  ].join("");
}

const plainTypes = new Set(["application/json", "application/json; charset=utf-8"]);
const plainParams = new Set(["name", "arguments", "_meta"]);

function readPlainCall(headers: Headers, message: unknown) {
  const type = headers.get("content-type") ?? "";
  if (!plainTypes.has(type) || !takesJson(headers.get("accept"))) return undefined;
  if (!isJSONRPCRequest(message) || message.method !== "tools/call") return undefined;
  const { id, params = {} } = message;
  const { name, arguments: input, _meta = {} } = params;
  // The SDK answers calls with other parameters.
  if (!Object.keys(params).every((field) => plainParams.has(field))) return undefined;
  if (typeof name !== "string" || !isPlainInput(input)) return undefined;
  const isModern = PROTOCOL_VERSION_META_KEY in _meta;
  const isPlain = isModern ? isPlainModern(headers, message, name) : isPlainLegacy(headers);
  return isPlain ? { id, isModern, name, arguments: input } : undefined;
}

/** Whether the SDK would pass the input on unchanged. The SDK changes fields named `__proto__` and `constructor`. */
function isPlainInput(input: unknown): boolean {
  if (typeof input !== "object") return input === undefined;
  if (input === null || Array.isArray(input)) return false;
  return !Object.hasOwn(input, "constructor") && !Object.hasOwn(input, "__proto__");
}

function isPlainLegacy(headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version");
  return version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}

function isPlainModern(headers: Headers, message: JSONRPCRequest, name: string): boolean {
  const protocolVersionHeader = headers.get("mcp-protocol-version");
  if (headers.get("mcp-method") !== message.method || headers.get("mcp-name") !== name)
    return false;
  if (protocolVersionHeader !== modernVersion) return false;
  const inbound = { httpMethod: "POST", protocolVersionHeader, body: message };
  return classifyInboundRequest(inbound).kind === "modern";
}

const modernVersion = "2026-07-28";

export async function answerBySdk(original: Request, messages: unknown, context: ToolContext) {
  const request = expandAccept(original);
  if (await isLegacyRequest(request, messages)) return answerLegacy(request, messages, context);
  const handler = createMcpHandler(() => createToolServer(context), { legacy: "reject" });
  return handler.fetch(request, { parsedBody: messages });
}

/** Whether the client accepts JSON: by name, by a wildcard, or without an Accept field (RFC 9110, 12.5.1). */
const takesJson = (accept: string | null): boolean =>
  accept === null || /(?:application|\*)\/\*|application\/json/i.test(accept);

function expandAccept(request: Request): Request {
  if (!takesJson(request.headers.get("accept"))) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

async function answerLegacy(request: Request, messages: unknown, context: ToolContext) {
  await using server = closeAtEnd(createToolServer(context));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  shortenInputErrors(transport);
  await server.connect(transport);
  return await transport.handleRequest(request, { parsedBody: messages });
}

/** Replaces the SDK's error for wrong parameters by a short error. */
function shortenInputErrors(transport: WebStandardStreamableHTTPServerTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("error" in message) || !isInputError(message.error)) return send(message, options);
    const error = {
      code: ProtocolErrorCode.InvalidParams,
      message: "Invalid params for this method",
    };
    return send({ ...message, error }, options);
  };
}

const isInputError = ({ code, message }: JSONRPCErrorResponse["error"]): boolean =>
  code === ProtocolErrorCode.InternalError || message.startsWith("Invalid tools/call request");

/** How long clients may cache the list of tools. The time is short, because the assistant's next token may allow other tools. */
const listMilliseconds = 300_000;

/** Creates a server for every version of the protocol. The SDK's low-level server accepts JSON Schema unchanged. */
export function createToolServer(context: ToolContext): Server {
  const server = new Server(describeServer(context), {
    capabilities: { tools: {} },
    cacheHints: { "tools/list": { ttlMs: listMilliseconds, cacheScope: "private" } },
    instructions,
  });
  server.setRequestHandler("tools/list", () => ({ tools: listTools(context) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await callTool(params, context);
    if (result) return result;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      describeUnknownTool(params.name, context),
    );
  });
  return server;
}
