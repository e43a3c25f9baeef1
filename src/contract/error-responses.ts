import { limits } from "./limits.ts";
import { type ProblemCode, problems } from "./problem.ts";

/** A refusal in the OpenAPI document. */
export interface ErrorResponse {
  readonly status: number;
  readonly name: string;
  readonly code: ProblemCode;
  readonly description: string;
  readonly message: string;
  /**
   * The routes with this refusal: `body` means routes with a body, `naming` means routes that look up a name, and `administrators`
   * means routes for them alone.
   */
  readonly only?: "body" | "naming" | "administrators";
  readonly headers?: readonly HeaderName[];
  /** Whether the error states the caller's quota, and has its limits as headers. */
  readonly hasQuota?: true;
}

export type HeaderName = keyof typeof responseHeaders;

export const responseHeaders = {
  "X-Request-Id": header("RequestId", "Id of the request, as in meta.requestId.", "string"),
  "Retry-After": header("RetryAfter", "Whole seconds until a call can succeed.", "integer"),
  "RateLimit-Policy": header(
    "RateLimitPolicy",
    'Limits: q calls in w seconds. The seconds of a month depend on the calendar. Example: `"month";q=1000;w=2678400, "day";q=2000;w=86400`.',
    "string",
  ),
  RateLimit: header(
    "RateLimit",
    'Remaining calls (r), and seconds until the reset (t). Example: `"month";r=812;t=776400, "day";r=1990;t=35000`.',
    "string",
  ),
  ETag: header(
    "ETag",
    "Weak tag of `data`. Send it in `If-None-Match`: as long as the data are the same, the answer is 304 without a body.",
    "string",
  ),
  "WWW-Authenticate": header("WwwAuthenticate", "Ways to authenticate.", "string"),
  Allow: header("Allow", "Methods that the route accepts.", "string"),
};

function header(component: string, description: string, type: "string" | "integer") {
  return { component, description, schema: type === "integer" ? { type, minimum: 1 } : { type } };
}

export const exampleQuota = { used: 12, limit: 1000, month: "2026-11" };

export const errorResponses: readonly ErrorResponse[] = [
  {
    status: 400,
    name: "InvalidRequest",
    code: "invalid_request",
    description: "A required field is missing, or a field is invalid. Not counted.",
    message: "maxResults must be a whole number from 1 to 100, got 500",
    hasQuota: true,
  },
  {
    status: 401,
    name: "Unauthorized",
    code: "unauthorized",
    description: "The key is missing, invalid or revoked, or two headers have a key. Not counted.",
    message: problems.unauthorized.message,
    headers: ["WWW-Authenticate"],
  },
  {
    status: 403,
    name: "NotAdministrator",
    code: "unauthorized",
    description: "The key is valid, but belongs to no administrator. Not counted.",
    message: "Only API keys of administrators may export everybody.",
    only: "administrators",
  },
  {
    status: 404,
    name: "NotFound",
    code: "not_found",
    description:
      "No developer has the login, or the repository, path or package is unknown. Counts as a call.",
    message: problems.not_found.message,
    only: "naming",
    hasQuota: true,
  },
  {
    status: 405,
    name: "MethodNotAllowed",
    code: "invalid_request",
    description: "The route does not accept this method. Not counted.",
    message: "this route accepts only POST",
    headers: ["Allow"],
  },
  {
    status: 413,
    name: "TooLarge",
    code: "invalid_request",
    description: `The body is larger than ${limits.bodyBytesMax / 1024} KiB. Not counted.`,
    message: "the body must be at most 65536 bytes",
    only: "body",
    hasQuota: true,
  },
  {
    status: 415,
    name: "NotJson",
    code: "invalid_request",
    description: "Content-Type is not application/json. Not counted.",
    message: "Content-Type must be application/json, in UTF-8",
    only: "body",
    hasQuota: true,
  },
  {
    status: 422,
    name: "KeyReused",
    code: "invalid_request",
    description:
      "The Idempotency-Key was sent with another request in the last ten minutes. Not counted.",
    message:
      "this Idempotency-Key was sent with another request in the last ten minutes; send a new key",
    only: "body",
    hasQuota: true,
  },
  {
    status: 429,
    name: "QuotaExceeded",
    code: "quota_exceeded",
    description:
      "The monthly or daily quota is used up, the trial is over, or look-ups come too fast. " +
      "The message says which. Not counted.",
    message: problems.quota_exceeded.message,
    headers: ["Retry-After"],
    hasQuota: true,
  },
  {
    status: 500,
    name: "Internal",
    code: "internal",
    description: "The server failed; the request is not the cause. Not counted.",
    message: problems.internal.message,
  },
  {
    status: 503,
    name: "Overloaded",
    code: "internal",
    description: "The server is starting or overloaded. Try again later. Not counted.",
    message: "the server has more calls than it can answer: try again in a moment",
    headers: ["Retry-After"],
  },
];
