import { isFault } from "./fault.ts";

/** Every error code of the API, its HTTP status and its default message. */
export const problems = {
  invalid_request: { status: 400, message: "The request is not well formed." },
  unauthorized: { status: 401, message: "API key missing, invalid or revoked." },
  not_found: { status: 404, message: "No developer matches the given login." },
  quota_exceeded: { status: 429, message: "The monthly call quota is exceeded." },
  internal: { status: 500, message: "Unexpected server error." },
} as const;

export type ProblemCode = keyof typeof problems;

interface ProblemDetails {
  /** What is wrong and what would be right, naming the field; default: the code's text in `problems`. */
  readonly message?: string;
  /** Whole seconds until a call can succeed; goes out as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** A status more exact than the code's: 405, 413 and 415 are all `invalid_request`. */
  readonly status?: number;
  /** What is near the value that a field has, for pages, which lead there; the message says it, too. */
  readonly meant?: MeantValue | undefined;
  /** The underlying error, for the log only: the caller never sees it. */
  readonly cause?: unknown;
}

export interface MeantValue {
  readonly field: string;
  readonly given: string;
  readonly near: string;
}

/** An error worded for the caller. Anything else that is thrown reaches the caller as `internal`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly meant: MeantValue | undefined;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.message ?? problems[code].message, { cause: details.cause });
    this.name = "Problem";
    this.code = code;
    this.status = details.status ?? problems[code].status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.meant = details.meant;
  }
}

/** Until a database that restarts or fails over has a chance to answer. */
const awaySeconds = 2;

/**
 * Turns anything thrown into a Problem that an interface may show: a database that is away, of which nothing was asked,
 * becomes 503 with `Retry-After`; other errors become `internal` with a fixed text.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (!isFault(thrown, "database_away")) return new Problem("internal", { cause: thrown });
  const message = "the service cannot reach its database: try again in a moment";
  const away = { status: 503, retryAfterSeconds: awaySeconds };
  return new Problem("internal", { message, ...away, cause: thrown });
}
