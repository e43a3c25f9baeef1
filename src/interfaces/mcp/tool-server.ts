import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import {
  callTool,
  describeServer,
  describeUnknownTool,
  instructions,
  listTools,
  type ToolContext,
} from "./tools.ts";

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
