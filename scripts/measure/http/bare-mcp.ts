/**
 * The least that a tool call costs with the SDKs that Roster uses: one server and transport for each request, and a tool
 * with ready results. Compiled and run by `scripts/bench http`, with its port in PORT and the file of answers in ANSWERS.
 */
import { readFileSync } from "node:fs";
import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { createMcpHandler, isLegacyRequest, Server } from "@modelcontextprotocol/server";
import type { Answered } from "./answers.ts";

const answers: readonly Answered[] = JSON.parse(readFileSync(process.env["ANSWERS"] ?? "", "utf8"));
const headers = answers[0]?.headers ?? [];
const results = answers.map(({ body }) => (JSON.parse(body) as { result: CallToolResult }).result);
let turn = 0;
const next = () => results[turn++ % results.length] as CallToolResult;
const about = { name: "bare", version: "1.0.0" };
const capabilities = { tools: {} };
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const modern = createMcpHandler(
  () => {
    const server = new Server(about, { capabilities });
    server.setRequestHandler("tools/call", next);
    return server;
  },
  { legacy: "reject" },
);

async function answerLegacy(request: Request, parsedBody: unknown): Promise<Response> {
  const server = new LegacyServer(about, { capabilities, jsonSchemaValidator });
  server.setRequestHandler(CallToolRequestSchema, next);
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
