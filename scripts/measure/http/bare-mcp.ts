/**
 * The least that a tool call costs with the SDK that Roster uses: one server and transport for each request, and a tool
 * with ready results. Compiled and run by `scripts/bench http`, with its port in PORT and the file of answers in ANSWERS.
 */
import { readFileSync } from "node:fs";
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Answered } from "./answers.ts";

const answers: readonly Answered[] = JSON.parse(readFileSync(process.env["ANSWERS"] ?? "", "utf8"));
const headers = answers[0]?.headers ?? [];
const results = answers.map(({ body }) => (JSON.parse(body) as { result: CallToolResult }).result);
let turn = 0;
const next = () => results[turn++ % results.length] as CallToolResult;
const about = { name: "bare", version: "1.0.0" };
const capabilities = { tools: {} };

function createServer(): Server {
  const server = new Server(about, { capabilities });
  server.setRequestHandler("tools/call", next);
  return server;
}

const modern = createMcpHandler(createServer, { legacy: "reject" });

async function answerLegacy(request: Request, parsedBody: unknown): Promise<Response> {
  const server = createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  fetch: async (request) => {
    const parsedBody: unknown = await request.json();
    const isLegacy = await isLegacyRequest(request, parsedBody);
    const response = isLegacy
      ? await answerLegacy(request, parsedBody)
      : await modern.fetch(request, { parsedBody });
    for (const [name, value] of headers) response.headers.set(name, value);
    return response;
  },
});
