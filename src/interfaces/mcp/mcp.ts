/** The operations as tools for AI assistants, over HTTP or over standard input and output. */
import { getResourceUrl, type Identity } from "../../accounts/accounts.ts";
import { type Caller, type Detail, details } from "../../contract/caller.ts";
import { createLateBody } from "../../network/late-body.ts";
import type { RequestMetadata, Route } from "../../network/route.ts";
import { toReply } from "../../operations/call-service.ts";
import { toolOperations } from "../../operations/index.ts";
import { type Log, logFault, logToolCall } from "../../operations/log-call.ts";
import type { Modules } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import {
  type AccessRules,
  authenticateCredentials,
  createInsufficientScope,
  createRpcRefusal,
  createUnauthorized,
  findHostRefusal,
  listCalledTools,
  readMessages,
} from "./access.ts";
import type { ToolContext } from "./tools.ts";

export { serveLocal } from "./local.ts";

interface HostedOptions extends AccessRules {
  readonly modules: Modules;
  readonly log: Log;
  readonly version: string;
  /** A function, because the port may be chosen only when the server listens. */
  readonly publicUrl: () => string;
  /** The default level of detail in the descriptions of tools. `/mcp?detail=slim` overrides the default. */
  readonly detail: Detail;
  /** Called after each tool call. @param outcome `answered`, or the error code of the refusal. */
  readonly onToolCall?: ((tool: string, outcome: string) => void) | undefined;
}

/**
 * Creates the routes of the server's MCP endpoint. There are no sessions, so GET and DELETE get 405. `/mcp/` is mounted too,
 * because some programs add a slash.
 */
export function createMcpRoutes(options: HostedOptions): readonly Route[] {
  return ["/mcp", "/mcp/"].map((path) => ({
    path,
    methods: ["POST", "OPTIONS"],
    handle: async (request, metadata) => {
      const hostRefusal = findHostRefusal(request, options.publicUrl());
      if (hostRefusal !== undefined) return createRpcRefusal(403, hostRefusal);
      const isPreflight = request.method === "OPTIONS";
      const response = isPreflight ? answerPreflight() : await answer(request, metadata, options);
      const origin = request.headers.get("origin");
      if (origin !== null) {
        response.headers.set("access-control-allow-origin", origin);
        response.headers.set("access-control-expose-headers", "www-authenticate");
        response.headers.append("vary", "origin");
      }
      return response;
    },
  }));
}

/** Answers a CORS preflight. A browser sends it before a page of another origin may call. */
function answerPreflight(): Response {
  const headers = {
    allow: "POST, OPTIONS",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers":
      "accept, authorization, content-type, x-api-key, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
    "access-control-max-age": "600",
  };
  return new Response(null, { status: 204, headers });
}

async function answer(
  request: Request,
  metadata: RequestMetadata,
  options: HostedOptions,
): Promise<Response> {
  const { acceptsKeys, version } = options;
  const publicUrl = options.publicUrl();
  const resource = getResourceUrl(publicUrl);
  const identity = await authenticateCredentials(request.headers, resource, options);
  if (!identity) return createUnauthorized(request, { publicUrl, acceptsKeys });
  const detail = readDetail(request, options.detail);
  if (!detail) return createRpcRefusal(400, `detail must be one of ${details.join(", ")}`);
  const read = await readMessages(request);
  if (read instanceof Response) return read;
  const { scopes } = identity;
  // API keys have no scopes and may call everything.
  const allowed = toolOperations.filter(({ scope }) => scopes?.includes(scope) !== false);
  const called = listCalledTools(read.messages);
  const refused = toolOperations.find((each) => called.has(each.name) && !allowed.includes(each));
  if (refused) return createInsufficientScope(request, refused, { ...identity, publicUrl });
  protocols ??= import("./protocols.ts");
  const { answerMessages } = await protocols;
  const isGone = () => request.signal.aborted;
  const handlers = createCallHandlers(identity, { ...metadata, isGone }, options);
  const context = { ...handlers, allowed, detail, version };
  return prepareToSend(await answerMessages(request, read.messages, context));
}

/** The module that contains the MCP SDK. It is loaded at the first use. */
let protocols: Promise<typeof import("./protocols.ts")> | undefined;

async function prepareToSend(response: Response): Promise<Response> {
  const { status, headers } = response;
  const isReady =
    headers.has("content-length") || headers.get("content-type") !== "application/json";
  if (isReady) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  headers.set("content-length", String(bytes.byteLength));
  return new Response(createLateBody([bytes]), { status, headers });
}

function readDetail({ url }: Request, fallback: Detail): Detail | undefined {
  if (!url.includes("?")) return fallback;
  const requested = new URL(url).searchParams.get("detail");
  return requested === null ? fallback : details.find((each) => each === requested);
}

/** Creates the functions that answer tool calls. Each tool call counts, even inside a batch. */
function createCallHandlers(
  { accountId, plan, credential }: Identity,
  { requestId, address, isGone, note }: RequestMetadata & Pick<Caller, "isGone">,
  { modules, log, onToolCall }: HostedOptions,
): Pick<ToolContext, "ask" | "fault"> {
  note?.({ key: credential.id });
  const caller = { accountId, plan, credential, requestId, address, isGone };
  return {
    ask: async (operation, input, show) => {
      const answer = await perform(operation, input, caller, modules, show);
      logToolCall(log, operation, caller, answer);
      onToolCall?.(operation.name, answer.ok ? "answered" : answer.problem.code);
      return toReply(answer, requestId);
    },
    fault: (problem) => logFault(log, problem, requestId),
  };
}
