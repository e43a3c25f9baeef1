import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { type Asking, callTool, instructions, serverInfo, toolsFor, unknownTool } from "./tools.ts";

/** What an assistant may call can change with its next token. */
const listMilliseconds = 300_000;

/** A server of the second SDK, which speaks 2026-07-28, and on standard input the older protocol too. */
export function modernServer(asking: Asking, version: string): Server {
  const server = new Server(serverInfo(version), {
    capabilities: { tools: {} },
    cacheHints: { "tools/list": { ttlMs: listMilliseconds, cacheScope: "private" } },
    instructions,
  });
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(asking) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await callTool(params, asking);
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name, asking));
  });
  return server;
}
