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
  /** The message for the caller. Without it, the code's message in `problems` is used. */
  readonly message?: string;
  /** Whole seconds until a call can succeed. They are sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Replaces the status of the code: `invalid_request` can also be 405, 413 or 415. */
  readonly status?: number;
  /** A known value that is similar to the wrong one. The message suggests it, and pages link to it. */
  readonly meant?: MeantValue | undefined;
  /** The underlying error. Only the log shows it. */
  readonly cause?: unknown;
}

export interface MeantValue {
  readonly field: string;
  readonly given: string;
  readonly near: string;
}

/** An error for the caller. Anything else that is thrown becomes `internal`. */
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

/** Creates the refusal of a request that is not well formed. @param status 400, 403, 405, 413 or 415. */
export const createInvalidRequest = (message: string, status = 400): Problem =>
  new Problem("invalid_request", { message, status });

/** The usual time in which a database restarts. */
const awaySeconds = 2;

/** Converts an error to a Problem. The caller learns only whether the database is away. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (!isFault(thrown, "database_away")) return new Problem("internal", { cause: thrown });
  const message = "the service cannot reach its database: try again in a moment";
  const away = { status: 503, retryAfterSeconds: awaySeconds };
  return new Problem("internal", { message, ...away, cause: thrown });
}
