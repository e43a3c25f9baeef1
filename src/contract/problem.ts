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
  /** Names the field, what is wrong, and what would be right; default: the code's text in `problems`. */
  readonly message?: string;
  /** Whole seconds until a call can succeed; goes out as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** A status more exact than the code's: 405, 413 and 415 are all `invalid_request`. */
  readonly status?: number;
  /** A similar value for pages, which link to it. The message says it, too. */
  readonly meant?: MeantValue | undefined;
  /** The underlying error, for the log only: the caller never sees it. */
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

/** A database that restarts or fails over can answer after this time. */
const awaySeconds = 2;

/**
 * Converts anything thrown to a Problem. A database that is away becomes 503 with `Retry-After`; other errors become `internal` with a
 * fixed text.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (!isFault(thrown, "database_away")) return new Problem("internal", { cause: thrown });
  const message = "the service cannot reach its database: try again in a moment";
  const away = { status: 503, retryAfterSeconds: awaySeconds };
  return new Problem("internal", { message, ...away, cause: thrown });
}
