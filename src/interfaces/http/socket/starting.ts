/** What a server answers that listens but has not loaded everything yet: a start may judge, upgrade or build an index. */
import { Problem } from "../../../contract/problem.ts";
import type { Log } from "../../../operations/log-call.ts";
import { addHeaders } from "../app.ts";
import { createJsonResponse, createProblemResponse } from "../responses.ts";
import { createListener, type Listener } from "./listener.ts";

const retryAfterSeconds = 1;
const starting = new Problem("internal", {
  ...{ status: 503, retryAfterSeconds },
  message: "the server is starting: try again in a moment",
});

/**
 * A listener that says that the server lives and is starting, until somebody answers calls with it.
 *
 * @param step what the start does now, in words; undefined before its first long step.
 */
export function createStartingListener(parts: {
  readonly log: Log;
  readonly newId: () => string;
  readonly step: () => string | undefined;
}): Listener {
  const { newId, step } = parts;
  const answer = (request: Request, requestId: string): Response => {
    const { pathname } = new URL(request.url);
    const isAsking = request.method === "GET" || request.method === "HEAD";
    if (isAsking && pathname === "/livez") return createJsonResponse(200, { live: true });
    if (!isAsking || pathname !== "/readyz") return createProblemResponse(starting, requestId);
    const now = step();
    const reason = now === undefined ? "the server is starting" : `the server is starting: ${now}`;
    return createJsonResponse(503, { ready: false, reasons: [reason] });
  };
  return createListener(async (request) => {
    const requestId = `req_${newId()}`;
    const response = answer(request, requestId);
    return addHeaders(response, requestId, "");
  }, parts);
}
