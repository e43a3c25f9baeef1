/**
 * Both protocols over one list of tools: that of 2025 by the first SDK, that of 2026-07-28 by the second. Every
 * request gets a server and a transport of its own: one that is shared mixes up the answers of two clients
 * (CVE-2026-25536). The servers are the low-level ones, which take JSON Schema as it is.
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

/** Answers one POST whose body was read already. */
export async function answerMessages(
  sent: Request,
  messages: unknown,
  asking: ToolContext,
  version: string,
): Promise<Response> {
  const request = withWholeAccept(sent);
  if (await isLegacyRequest(request, messages)) {
    return answerLegacy(request, messages, asking, version);
  }
  const handler = createMcpHandler(() => createModernServer(asking, version), { legacy: "reject" });
  return handler.fetch(request, { parsedBody: messages });
}

/** Both SDKs want both types by name; what takes anything, or says nothing, takes them too (RFC 9110, 12.5.1). */
function withWholeAccept(request: Request): Request {
  const accept = request.headers.get("accept");
  if (accept !== null && !accept.includes("*/*")) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** For what clients fill in when they are asked, which these tools never do: left out, each server makes its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

async function answerLegacy(
  request: Request,
  messages: unknown,
  asking: ToolContext,
  version: string,
): Promise<Response> {
  const server = new LegacyServer(describeServer(version), {
    capabilities: { tools: {} },
    instructions,
    jsonSchemaValidator,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(asking) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await callTool(params, asking);
    if (result) return result;
    // The SDK's own error puts "MCP error" and the code before the text, and clients do so again.
    const code = ErrorCode.InvalidParams;
    throw Object.assign(new Error(describeUnknownTool(params.name, asking)), { code });
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
 * The first SDK calls whatever it stumbles over in a request's parameters an internal error, and tells it word for
 * word. Nothing of ours throws there, so it is always the parameters.
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
