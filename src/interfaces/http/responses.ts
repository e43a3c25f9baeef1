import type { ErrorEnvelope, Payload, Piece } from "../../contract/envelope.ts";
import type { Problem } from "../../contract/problem.ts";
import { compressAnswer } from "../../network/compression.ts";
import { createLateBody, measurePieces } from "../../network/late-body.ts";
import type { Answer } from "../../operations/perform.ts";
import { idleSecondsTold } from "./socket/listener.ts";

type Usage = NonNullable<Answer["usage"]>;
/** Of one answer: those who make the answer add to them, since copies took as long as the rest of it. */
type HeaderFields = Record<string, string>;

/**
 * Converts an answer of `perform` to an HTTP response: the envelope and its header fields.
 *
 * @param own the fields of every answer, which become its own. Adding them to a finished response would take longer.
 * @param request decides by `Accept-Encoding` whether the body is compressed.
 */
export function toResponse(
  answer: Answer<Payload>,
  requestId: string,
  own: HeaderFields,
  request: Request,
): Response {
  if (!answer.ok) return createProblemResponse(answer.problem, requestId, answer.usage, request);
  const { shown, meta, usage } = answer;
  const pieces = shown.writeWithin(`{"success":true,"data":`, `,"meta":${JSON.stringify(meta)}}`);
  addRateLimits(own, usage);
  return createBytesResponse(200, pieces, own, request);
}

/** Creates a refusal in the error envelope, with `quota` once the caller is authenticated (decision 2). */
export function createProblemResponse(
  problem: Problem,
  requestId: string,
  usage?: Usage,
  request?: Request,
): Response {
  const { code, message, status } = problem;
  const body: ErrorEnvelope = {
    success: false,
    error: { code, message },
    meta: usage ? { requestId, quota: usage.quota } : { requestId },
  };
  const headers: HeaderFields = {};
  if (usage) addRateLimits(headers, usage);
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="Roster"';
  if (problem.retryAfterSeconds !== undefined) {
    headers["retry-after"] = String(problem.retryAfterSeconds);
  }
  return createJsonResponse(status, body, headers, request);
}

/** @param request decides by `Accept-Encoding` whether the body is compressed. */
export function createJsonResponse(
  status: number,
  body: unknown,
  headers: HeaderFields = {},
  request?: Request,
): Response {
  return createBytesResponse(status, [Buffer.from(JSON.stringify(body))], headers, request);
}

/** @param pieces a JSON text. */
function createBytesResponse(
  status: number,
  pieces: readonly Piece[],
  headers: HeaderFields,
  request: Request | undefined,
): Response {
  const { body, headers: coding } = request ? compressAnswer(request, pieces) : { body: pieces };
  headers["content-type"] = "application/json";
  headers["content-length"] = String(measurePieces(body));
  return new Response(createLateBody(body), { status, headers: Object.assign(headers, coding) });
}

/**
 * The fields of the IETF draft "RateLimit header fields for HTTP". Unlimited windows are left out; an account without
 * any limit gets neither field.
 */
function addRateLimits(headers: HeaderFields, { month, day }: Usage): void {
  if (month.limit === undefined && day.limit === undefined) return;
  const policies: string[] = [];
  const states: string[] = [];
  for (const [name, window] of [["month", month] as const, ["day", day] as const]) {
    if (window.limit === undefined) continue;
    const left = Math.max(0, window.limit - window.used);
    // A clock that stepped back leaves more time to the reset than the window has.
    const seconds = Math.max(window.windowSeconds, window.resetSeconds);
    policies.push(`"${name}";q=${window.limit};w=${seconds}`);
    states.push(`"${name}";r=${left};t=${window.resetSeconds}`);
  }
  headers["ratelimit-policy"] = policies.join(", ");
  headers["ratelimit"] = states.join(", ");
}

/** The header fields of every answer. */
export function createHeaders(requestId: string, publicUrl: string): Record<string, string> {
  const headers: HeaderFields = { ...commonHeaders, "x-request-id": requestId };
  if (publicUrl.startsWith("https:")) headers["strict-transport-security"] = "max-age=31536000";
  return headers;
}

/** Adds the fields of every answer, except those that the response already has. */
export function addHeaders(response: Response, requestId: string, publicUrl: string): Response {
  const { headers } = response;
  if (headers.has("x-request-id")) return response;
  for (const [name, value] of Object.entries(createHeaders(requestId, publicUrl))) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return response;
}

const commonHeaders = {
  "keep-alive": `timeout=${idleSecondsTold}`,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
