import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { type Asking, callTool, instructions, serverInfo, tools, unknownTool } from "./tools.ts";

/** The tools change with the program only, and are the same for everybody. */
const listMilliseconds = 3_600_000;

/** A server of the second SDK, which speaks 2026-07-28, and on standard input the older protocol too. */
export function modernServer(asking: Asking, version: string): Server {
  const server = new Server(serverInfo(version), {
    capabilities: { tools: {} },
    cacheHints: { "tools/list": { ttlMs: listMilliseconds, cacheScope: "public" } },
    instructions,
  });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await callTool(params, asking);
    if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name));
    return result;
  });
  return server;
}
