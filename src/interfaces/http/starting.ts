/** The answers of a server that listens but takes no calls: it is still starting, or must be restarted. */
import { Problem } from "../../contract/problem.ts";
import type { Log } from "../../operations/log-call.ts";
import { addHeaders, createJsonResponse, createProblemResponse } from "./responses.ts";
import { createListener, type Listener, type RequestHandler } from "./socket/listener.ts";

/**
 * Creates a listener that says that the server is starting, until `answerWith` gives it a handler.
 *
 * @param step describes the current step of the start; undefined before its first long step.
 */
export function createStartingListener(parts: {
  readonly log: Log;
  readonly newId: () => string;
  readonly step: () => string | undefined;
}): Listener {
  const { newId, step } = parts;
  const reason = () => {
    const now = step();
    return now === undefined ? "the server is starting" : `the server is starting: ${now}`;
  };
  const message = "the server is starting: try again in a moment";
  return createListener(createUnavailableHandler({ newId, reason, message }), parts);
}

const retryAfterSeconds = 1;

/**
 * Answers `/livez`, answers `/readyz` with the reason, and refuses everything else with 503.
 *
 * @param parts.message the text of the refusal.
 */
export function createUnavailableHandler(parts: {
  readonly newId: () => string;
  readonly reason: () => string;
  readonly message: string;
}): RequestHandler {
  const { newId, reason, message } = parts;
  const refusal = new Problem("internal", { status: 503, retryAfterSeconds, message });
  const answer = (request: Request, requestId: string): Response => {
    const { pathname } = new URL(request.url);
    const isAsking = request.method === "GET" || request.method === "HEAD";
    if (isAsking && pathname === "/livez") return createJsonResponse(200, { live: true });
    if (!isAsking || pathname !== "/readyz") return createProblemResponse(refusal, requestId);
    return createJsonResponse(503, { ready: false, reasons: [reason()] });
  };
  return async (request) => {
    const requestId = `req_${newId()}`;
    return addHeaders(answer(request, requestId), requestId, "");
  };
}
