/** Checks JSON-RPC messages before the SDK reads them. */
import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import { readJsonBody } from "../../network/request.ts";

/** Error codes of JSON-RPC 2.0. `server` is for all other refusals. */
const rpcCodes = { parse: -32700, invalidRequest: -32600, server: -32000 };

/**
 * Reads the message or the batch of messages of one POST.
 *
 * Refuses a batch in which two requests have the same id, because one answer would be lost. Drops notifications from a batch with
 * requests, because a notification could cancel a request of the same batch.
 */
export async function readMessages(
  request: Request,
): Promise<Response | { readonly messages: unknown }> {
  let body: unknown;
  try {
    body = await readJsonBody(request, limits.mcpBodyBytesMax);
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    return createRpcRefusal(thrown.status, thrown.message, rpcCodes.parse);
  }
  if (!Array.isArray(body)) return { messages: body };
  const requests = body.filter((message) => getId(message) !== undefined);
  const fault = findFault(body, requests);
  if (fault !== undefined) return createRpcRefusal(400, fault, rpcCodes.invalidRequest);
  return { messages: requests.length > 0 ? requests : body };
}

function findFault(batch: readonly unknown[], requests: readonly unknown[]): string | undefined {
  if (batch.length > limits.mcpBatchMax) {
    return `a batch must have at most ${limits.mcpBatchMax} messages, got ${batch.length}`;
  }
  const ids = new Set(requests.map(getId));
  return ids.size < requests.length
    ? "the requests of a batch must have ids of their own"
    : undefined;
}

function getId(message: unknown): unknown {
  const isRequest = typeof message === "object" && message !== null && "method" in message;
  return isRequest && "id" in message ? message.id : undefined;
}

/** @returns the names of the tools that the message or batch calls. */
export function listCalledTools(messages: unknown): ReadonlySet<unknown> {
  const calls = [messages].flat() as ({ method?: unknown; params?: { name?: unknown } } | null)[];
  const names = calls.map((each) =>
    each?.method === "tools/call" ? each.params?.name : undefined,
  );
  return new Set(names);
}

/** Creates a refusal of the whole POST. Its id is null, because it belongs to no single request. */
export function createRpcRefusal(
  status: number,
  message: string,
  code = rpcCodes.server,
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
