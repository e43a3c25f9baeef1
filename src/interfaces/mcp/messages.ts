/** JSON-RPC as far as this interface looks at it before a protocol does. */

import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import { readJsonBody } from "../../network/request.ts";

/** Codes of JSON-RPC 2.0; the last is for refusals that have none of their own. */
const rpcCodes = { parse: -32700, invalidRequest: -32600, server: -32000 };

/** What one POST says, or why it says nothing. */
type ReadMessages =
  | { readonly ok: true; readonly messages: unknown }
  | { readonly ok: false; readonly refusal: Response };

/**
 * The message or the batch of one POST, fit for a server that keeps no session.
 *
 * A batch is refused when it is too long, or when two of its requests have one id: both would be counted and one
 * answer lost. It loses its notifications beside requests: one that cancels a request of the same batch
 * would leave the request without an answer, and the client waiting for it.
 */
export async function readMessages(request: Request): Promise<ReadMessages> {
  let body: unknown;
  try {
    body = await readJsonBody(request, limits.mcpBodyBytesMax);
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    const { status, message } = thrown;
    return { ok: false, refusal: createRpcRefusal(status, message, rpcCodes.parse) };
  }
  if (!Array.isArray(body)) return { ok: true, messages: body };
  const requests = body.filter((message) => idOf(message) !== undefined);
  const fault = faultOf(body, requests);
  if (fault !== undefined)
    return { ok: false, refusal: createRpcRefusal(400, fault, rpcCodes.invalidRequest) };
  return { ok: true, messages: requests.length > 0 ? requests : body };
}

function faultOf(batch: readonly unknown[], requests: readonly unknown[]): string | undefined {
  if (batch.length > limits.mcpBatchMax) {
    return `a batch must have at most ${limits.mcpBatchMax} messages, got ${batch.length}`;
  }
  const ids = new Set(requests.map(idOf));
  return ids.size < requests.length
    ? "the requests of a batch must have ids of their own"
    : undefined;
}

function idOf(message: unknown): unknown {
  const isRequest = typeof message === "object" && message !== null && "method" in message;
  return isRequest && "id" in message ? message.id : undefined;
}

/** The names of all tools that the message or the batch calls. */
export function listCalledTools(messages: unknown): ReadonlySet<unknown> {
  const calls = [messages].flat() as ({ method?: unknown; params?: { name?: unknown } } | null)[];
  const names = calls.map((each) =>
    each?.method === "tools/call" ? each.params?.name : undefined,
  );
  return new Set(names);
}

/** A refusal of the whole POST, before it is known which request asked. */
export function createRpcRefusal(
  status: number,
  message: string,
  code = rpcCodes.server,
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
