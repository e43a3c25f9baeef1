/** The answers of a server that already listens but is still starting. */
import { Problem } from "../../contract/problem.ts";
import type { Log } from "../../operations/log-call.ts";
import { addHeaders, createJsonResponse, createProblemResponse } from "./responses.ts";
import { createListener, type Listener } from "./socket/listener.ts";

/**
 * Creates a listener for the time of the start. It answers `/livez`, and refuses everything else with 503.
 * @param parts.step describes the current step of the start; undefined before the first long step.
 */
export function createStartingListener(parts: {
  readonly log: Log;
  readonly newId: () => string;
  readonly step: () => string | undefined;
}): Listener {
  const message = "the server is starting: try again in a moment";
  const refusal = new Problem("internal", { status: 503, retryAfterSeconds: 1, message });
  const answer = (request: Request, requestId: string): Response => {
    const { pathname } = new URL(request.url);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && pathname === "/livez") return createJsonResponse(200, { live: true });
    if (!isRead || pathname !== "/readyz") return createProblemResponse(refusal, requestId);
    const step = parts.step();
    const reason = `the server is starting${step === undefined ? "" : `: ${step}`}`;
    return createJsonResponse(503, { ready: false, reasons: [reason] });
  };
  return createListener(async (request) => {
    const requestId = `req_${parts.newId()}`;
    return addHeaders(answer(request, requestId), requestId, "");
  }, parts);
}
