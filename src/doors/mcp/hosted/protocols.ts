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
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { modernServer } from "../modern-server.ts";
import { type Asking, callTool, instructions, serverInfo, tools, unknownTool } from "../tools.ts";

/** Answers one POST whose body was read already. */
export async function answerMessages(
  request: Request,
  messages: unknown,
  asking: Asking,
  version: string,
): Promise<Response> {
  if (await isLegacyRequest(request, messages)) {
    return answerLegacy(request, messages, asking, version);
  }
  const handler = createMcpHandler(() => modernServer(asking, version), { legacy: "reject" });
  return handler.fetch(request, { parsedBody: messages });
}

/** For what clients fill in when they are asked, which these tools never do: left out, each server makes its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

async function answerLegacy(
  request: Request,
  messages: unknown,
  asking: Asking,
  version: string,
): Promise<Response> {
  const server = new LegacyServer(serverInfo(version), {
    capabilities: { tools: {} },
    instructions,
    jsonSchemaValidator,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await callTool(params, asking);
    if (!result) throw new McpError(ErrorCode.InvalidParams, unknownTool(params.name));
    return result;
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
