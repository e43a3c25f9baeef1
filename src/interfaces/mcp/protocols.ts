/**
 * Serves one list of tools in both protocols: the one of 2025 by the first SDK, the one of 2026-07-28 by the second.
 * Every request gets its own server and transport, because a shared one mixes up the answers of two clients
 * (CVE-2026-25536). The low-level servers are used, because they accept JSON Schema unchanged.
 */
import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { createModernServer } from "./modern-server.ts";
import {
  callTool,
  describeServer,
  describeUnknownTool,
  instructions,
  listTools,
  type ToolContext,
} from "./tools.ts";

/** Answers one POST whose body has already been read. */
export async function answerMessages(
  original: Request,
  messages: unknown,
  context: ToolContext,
  version: string,
): Promise<Response> {
  const request = expandAccept(original);
  if (await isLegacyRequest(request, messages)) {
    return answerLegacy(request, messages, context, version);
  }
  const handler = createMcpHandler(() => createModernServer(context, version), {
    legacy: "reject",
  });
  return handler.fetch(request, { parsedBody: messages });
}

/** Both SDKs require both types by name; a wildcard, or no Accept field at all, includes them (RFC 9110, 12.5.1). */
function expandAccept(request: Request): Request {
  const accept = request.headers.get("accept");
  if (accept !== null && !accept.includes("*/*")) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** Shared, because each server would otherwise create its own. It validates elicited input, which no tool asks for. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

async function answerLegacy(
  request: Request,
  messages: unknown,
  context: ToolContext,
  version: string,
): Promise<Response> {
  const server = new LegacyServer(describeServer(version), {
    capabilities: { tools: {} },
    instructions,
    jsonSchemaValidator,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(context) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await callTool(params, context);
    if (result) return result;
    // The SDK's own error class prefixes "MCP error" and the code, and clients do so again.
    const code = ErrorCode.InvalidParams;
    throw Object.assign(new Error(describeUnknownTool(params.name, context)), { code });
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  hideInnerErrors(transport);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: messages });
  } finally {
    await server.close();
  }
}

/**
 * The first SDK reports any invalid parameter of a request as an internal error, with its details. None of our code
 * throws there, so the parameters are always the cause.
 */
function hideInnerErrors(transport: WebStandardStreamableHTTPServerTransport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("error" in message) || message.error.code !== ErrorCode.InternalError) {
      return send(message, options);
    }
    const error = { code: ErrorCode.InvalidParams, message: "Invalid params for this method" };
    return send({ ...message, error }, options);
  };
}
