import { type ProblemCode, problems } from "./problem.ts";

/** A refusal in the OpenAPI document. */
export interface ErrorResponse {
  readonly status: number;
  readonly name: string;
  readonly code: ProblemCode;
  readonly description: string;
  readonly message: string;
  /** The routes with this refusal: `body` means routes with a body, and `naming` means routes that look up a name. */
  readonly only?: "body" | "naming";
  readonly headers?: readonly HeaderName[];
  /** Whether the error states the caller's quota. */
  readonly hasQuota: boolean;
}

export type HeaderName = keyof typeof responseHeaders;

export const responseHeaders = {
  "X-Request-Id": header("RequestId", "The request's identifier, as in meta.requestId.", "string"),
  "Retry-After": header("RetryAfter", "Whole seconds until a call can succeed.", "integer"),
  "RateLimit-Policy": header(
    "RateLimitPolicy",
    'Limits in force, q calls per w seconds; a month is as long as in the calendar: `"month";q=1000;w=2678400, "day";q=2000;w=86400`.',
    "string",
  ),
  RateLimit: header(
    "RateLimit",
    'Calls left and seconds to the reset: `"month";r=812;t=776400, "day";r=1990;t=35000`.',
    "string",
  ),
  "WWW-Authenticate": header("WwwAuthenticate", "How to authenticate.", "string"),
  Allow: header("Allow", "The methods that the route takes.", "string"),
};

function header(component: string, description: string, type: "string" | "integer") {
  return { component, description, schema: type === "integer" ? { type, minimum: 1 } : { type } };
}

export const exampleQuota = { used: 12, limit: 1000, month: "2026-11" };

const limitHeaders = ["RateLimit-Policy", "RateLimit"] as const;

export const errorResponses: readonly ErrorResponse[] = [
  {
    status: 400,
    name: "InvalidRequest",
    code: "invalid_request",
    description: "Required fields are missing, or fields are malformed. Not counted.",
    message: "maxResults must be a whole number from 1 to 100, got 500",
    headers: limitHeaders,
    hasQuota: true,
  },
  {
    status: 401,
    name: "Unauthorized",
    code: "unauthorized",
    description:
      "The key is missing, invalid or revoked, or sent in more than one header. Not counted.",
    message: problems.unauthorized.message,
    headers: ["WWW-Authenticate"],
    hasQuota: false,
  },
  {
    status: 404,
    name: "NotFound",
    code: "not_found",
    description:
      "No developer matches the login, or nothing matches the repository, path or package. Counts as a call.",
    message: problems.not_found.message,
    only: "naming",
    headers: limitHeaders,
    hasQuota: true,
  },
  {
    status: 405,
    name: "MethodNotAllowed",
    code: "invalid_request",
    description: "The route exists, but accepts only other methods. Not counted.",
    message: "this route accepts only POST",
    headers: ["Allow"],
    hasQuota: false,
  },
  {
    status: 413,
    name: "TooLarge",
    code: "invalid_request",
    description: "The body is larger than any valid one. Not counted.",
    message: "the body must be at most 65536 bytes",
    only: "body",
    headers: limitHeaders,
    hasQuota: true,
  },
  {
    status: 415,
    name: "NotJson",
    code: "invalid_request",
    description: "The body is not declared as JSON. Not counted.",
    message: "Content-Type must be application/json, in UTF-8",
    only: "body",
    headers: limitHeaders,
    hasQuota: true,
  },
  {
    status: 429,
    name: "QuotaExceeded",
    code: "quota_exceeded",
    description:
      "The monthly or the daily quota is exceeded, the trial is over, or look-ups come too fast; the message " +
      "says which. Not counted.",
    message: problems.quota_exceeded.message,
    headers: ["Retry-After", ...limitHeaders],
    hasQuota: true,
  },
  {
    status: 500,
    name: "Internal",
    code: "internal",
    description: "A fault of the server, never of the request. Not counted.",
    message: problems.internal.message,
    hasQuota: false,
  },
  {
    status: 503,
    name: "Overloaded",
    code: "internal",
    description: "The server is starting, or has more calls than it can answer. Not counted.",
    message: "the server has more calls than it can answer: try again in a moment",
    headers: ["Retry-After"],
    hasQuota: false,
  },
];
