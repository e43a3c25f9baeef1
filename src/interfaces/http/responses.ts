import type { ErrorEnvelope, Payload } from "../../contract/envelope.ts";
import { type Problem, toProblem } from "../../contract/problem.ts";
import { chooseAnswerCoding, compressAnswer, hasTag } from "../../network/compression.ts";
import { createLateBody, measurePieces } from "../../network/late-body.ts";
import type { PeopleLines } from "../../operations/export-people.ts";
import { type Log, logFault } from "../../operations/log-call.ts";
import type { Answer } from "../../operations/perform.ts";
import { keepAliveSeconds } from "./socket/listener.ts";

type Usage = NonNullable<Answer["usage"]>;
type HeaderFields = Record<string, string>;

/**
 * Converts an answer of `perform` to an HTTP response.
 * @param answer has its data as JSON.
 * @param request its `Accept-Encoding` decides whether the body is compressed. A read with the tag of the data in `If-None-Match`
 * is answered 304, without a body.
 */
export function toResponse(answer: Answer<Payload>, requestId: string, request: Request): Response {
  const more = answer.isRepeat && { "idempotent-replayed": "true" };
  if (!answer.ok) {
    return createProblemResponse(answer.problem, requestId, answer.usage, request, more);
  }
  const { shown, meta, usage } = answer;
  const limits = listRateLimits(usage);
  let headers = more ? { ...limits, ...more } : limits;
  if (request.method !== "POST") {
    const tag = `"${shown.hash()}"`;
    headers = { ...headers, ...readHeaders, etag: `W/${tag}` };
    if (hasTag(request, tag))
      return new Response(null, { status: 304, headers: { ...commonHeaders, ...headers } });
  }
  const pieces = shown.writeWithin('{"success":true,"data":', `,"meta":${JSON.stringify(meta)}}`);
  return createBytesResponse(200, pieces, headers, request);
}

/** Converts the answer of a stream operation. Its body has no known length: only a proper end shows that nothing is missing. */
export function toStreamResponse(
  answer: Answer<Payload>,
  requestId: string,
  request: Request,
  log: Log,
): Response {
  if (!answer.ok) return toResponse(answer, requestId, request);
  const coding = chooseAnswerCoding(request);
  const headers = {
    ...{ ...commonHeaders, ...listRateLimits(answer.usage), ...readHeaders },
    "content-type": "application/jsonl",
    ...(coding && { "content-encoding": coding }),
  };
  const noteFault = (thrown: unknown) => logFault(log, toProblem(thrown), requestId);
  const lines = answer.shown.value as PeopleLines;
  const body = request.method === "HEAD" ? null : streamLines(lines, coding, noteFault);
  return new Response(body, { headers });
}

/** Creates a refusal in the error envelope. It contains `quota` if the caller is authenticated (decision 2). */
export function createProblemResponse(
  problem: Problem,
  requestId: string,
  usage?: Usage,
  request?: Request,
  more?: HeaderFields,
): Response {
  const { code, message, status } = problem;
  const body: ErrorEnvelope = {
    success: false,
    error: { code, message },
    meta: usage ? { requestId, quota: usage.quota } : { requestId },
  };
  const headers: HeaderFields = { ...(usage && listRateLimits(usage)), ...more };
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="Roster"';
  if (problem.retryAfterSeconds !== undefined) {
    headers["retry-after"] = String(problem.retryAfterSeconds);
  }
  return createJsonResponse(status, body, headers, request);
}

/** @param request its `Accept-Encoding` decides whether the body is compressed. */
export function createJsonResponse(
  status: number,
  body: unknown,
  headers: HeaderFields = {},
  request?: Request,
): Response {
  return createBytesResponse(status, [Buffer.from(JSON.stringify(body))], headers, request);
}

function createBytesResponse(
  status: number,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  headers: HeaderFields,
  request: Request | undefined,
): Response {
  const { body, headers: coding } = request
    ? compressAnswer(request, pieces)
    : { body: pieces, headers: {} };
  const type = { "content-type": "application/json" };
  const length = { "content-length": String(measurePieces(body)) };
  const all = { ...commonHeaders, ...headers, ...coding, ...type, ...length };
  return new Response(createLateBody(body), { status, headers: all });
}

/** Lists the header fields of the IETF draft on rate limits. Windows without a limit are left out. */
function listRateLimits({ month, day }: Usage): HeaderFields {
  if (month.limit === undefined && day.limit === undefined) return {};
  const policies: string[] = [];
  const states: string[] = [];
  for (const [name, window] of [["month", month] as const, ["day", day] as const]) {
    if (window.limit === undefined) continue;
    const left = Math.max(0, window.limit - window.used);
    // If the clock went back, the reset can be further away than the window is long.
    const seconds = Math.max(window.windowSeconds, window.resetSeconds);
    policies.push(`"${name}";q=${window.limit};w=${seconds}`);
    states.push(`"${name}";r=${left};t=${window.resetSeconds}`);
  }
  return { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
}

/** Adds the header fields of every answer. Fields that the response already has stay unchanged. */
export function addHeaders(response: Response, requestId: string, publicUrl: string): Response {
  const { headers } = response;
  const isNew = !headers.has("keep-alive");
  const own: HeaderFields = { "x-request-id": requestId };
  if (publicUrl.startsWith("https:")) own["strict-transport-security"] = "max-age=31536000";
  for (const [name, value] of Object.entries(isNew ? { ...commonHeaders, ...own } : own)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return response;
}

/** A client may keep what it read, and must ask each time whether that is still true. */
const readHeaders = { "cache-control": "private, no-cache", vary: "accept-encoding" };

const commonHeaders = {
  "keep-alive": `timeout=${keepAliveSeconds}`,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const encoder = new TextEncoder();

/**
 * Creates a body that reads the next lines only when the client has taken the last ones, and stops reading when the client leaves.
 * A fault breaks the connection, so that the client cannot take what it has for everything.
 */
export function streamLines(
  lines: PeopleLines,
  coding: Bun.CompressionFormat | undefined,
  noteFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let hasLeft = false;
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const next = await lines.next().catch((error: unknown) => {
          noteFault(error);
          controller.error();
        });
        if (!next || hasLeft) return;
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(`${next.value.join("\n")}\n`));
      },
      cancel: async () => {
        hasLeft = true;
        await lines.return();
      },
    },
    { highWaterMark: 0 },
  );
  return coding ? bytes.pipeThrough(new CompressionStream(coding)) : bytes;
}
