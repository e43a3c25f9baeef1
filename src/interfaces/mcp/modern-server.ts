import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import {
  callTool,
  describeServer,
  describeUnknownTool,
  instructions,
  listTools,
  type ToolContext,
} from "./tools.ts";

/** What an assistant may call can change with its next token. */
const listMilliseconds = 300_000;

/** A server of the second SDK, which speaks 2026-07-28, and on standard input the older protocol too. */
export function createModernServer(asking: ToolContext, version: string): Server {
  const server = new Server(describeServer(version), {
    capabilities: { tools: {} },
    cacheHints: { "tools/list": { ttlMs: listMilliseconds, cacheScope: "private" } },
    instructions,
  });
  server.setRequestHandler("tools/list", () => ({ tools: listTools(asking) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await callTool(params, asking);
    if (result) return result;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      describeUnknownTool(params.name, asking),
    );
  });
  return server;
}
