/** JSON-RPC as far as this door looks at it before a protocol does. */
import { Problem } from "../../../contract/problem.ts";

/** Codes of JSON-RPC 2.0; the last is for refusals that have none of their own. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  server: -32000,
};

/** Ours: a client of the one revision that has batches (2025-03-26) asks a few things at once, not a crawl. */
const batchMax = 20;

/**
 * What one POST says, fit for a server that keeps no session.
 *
 * A batch loses its notifications beside requests: one that cancels a request of the same batch would leave
 * the request without an answer, and the client waiting for it.
 *
 * @throws Problem invalid_request for a batch that is too long, or in which two requests have one id: their
 *   calls would be counted and one answer lost.
 */
export function readMessages(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  if (body.length > batchMax) {
    throw refused(`a batch must have at most ${batchMax} messages, got ${body.length}`);
  }
  const requests = body.filter((message) => idOf(message) !== undefined);
  if (new Set(requests.map(idOf)).size < requests.length) {
    throw refused("the requests of a batch must have ids of their own");
  }
  return requests.length > 0 ? requests : body;
}

const refused = (message: string) => new Problem("invalid_request", { message });

function idOf(message: unknown): unknown {
  const isRequest = typeof message === "object" && message !== null && "method" in message;
  return isRequest && "id" in message ? message.id : undefined;
}

/** A refusal of the whole POST, before it is known which request asked. */
export function refusal(status: number, code: number, message: string, headers = {}): Response {
  const body = { jsonrpc: "2.0", error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}
