/** Classifies errors of PostgreSQL and of the connection to it. */
import { Fault, isFault } from "../contract/fault.ts";

/**
 * The outcome of a failed statement or transaction. `repeatable`: nothing was done, and a retry may succeed at once. `away`:
 * nothing was done, and the database is unusable now. `lost`: the statement may or may not have been done.
 */
export type DatabaseFailure = "repeatable" | "away" | "lost";

/** The server has not answered in time. It may still execute the statement. */
export class SilentServer extends Error {
  constructor() {
    super("the server does not answer");
  }
}

interface PostgresError extends Error {
  readonly code: string;
  /** The SQLSTATE of an error that the server sent. */
  readonly errno?: string;
  readonly severity?: string;
}

/** Returns the database's error, also if another error wraps it. */
export function findPostgresError(thrown: unknown): PostgresError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && code.startsWith("ERR_POSTGRES_")) return error as PostgresError;
  }
  return undefined;
}

/** @returns undefined for an error that a retry cannot help, such as a wrong statement. */
export function classifyFailure(thrown: unknown): DatabaseFailure | undefined {
  if (thrown instanceof SilentServer) return "lost";
  const error = findPostgresError(thrown);
  if (!error) return undefined;
  const { code, errno = "", severity } = error;
  if (neverReached.test(code)) return "away";
  if (code !== "ERR_POSTGRES_SERVER_ERROR") return lostOnTheWay.test(code) ? "lost" : undefined;
  // A crashing server may send this error even after a commit. A proxy reports connection errors with class 08.
  if (severity === "PANIC" || /^(57P01|57P02|08...)$/.test(errno)) return "lost";
  if (/^(40001|40P01)$/.test(errno)) return "repeatable";
  if (/^(53...|57P0.|57014|55P03|25006|28...|3D000)$/.test(errno)) return "away";
  return undefined;
}

// The connection was never established. CONNECTION_FAILED comes from a proxy whose server is down.
const neverReached =
  /^ERR_POSTGRES_(CONNECTION_(REFUSED|TIMEOUT|FAILED)|TLS_\w+|SASL_\w+|CHANNEL_\w+|\w+_AUTHENTICATION_METHOD)$/;
const lostOnTheWay =
  /^ERR_POSTGRES_(CONNECTION_CLOSED|IDLE_TIMEOUT|LIFETIME_TIMEOUT|UNEXPECTED_MESSAGE|INVALID_MESSAGE\w*)$/;

/**
 * @param place the database's name in messages.
 * @returns a Fault if the database cannot be reached or the user lacks a right; otherwise the error itself.
 */
export function toDatabaseFault(thrown: unknown, place: string): unknown {
  if (isFault(thrown)) return thrown;
  if (isRightMissing(thrown)) return createRightsFault(thrown, place);
  const failure = classifyFailure(thrown);
  if (failure === undefined) return thrown;
  if (failure === "lost") {
    const text = `The connection to ${place} was lost before it answered. It may or may not have done what it was asked.`;
    return new Fault("outcome_unknown", text, { cause: thrown });
  }
  return createAwayFault(thrown, place);
}

export const isRightMissing = (thrown: unknown) => findPostgresError(thrown)?.errno === "42501";

/** @param what the action that the user may not do. */
export function createRightsFault(thrown: unknown, place: string, what?: string): Fault {
  const reason = findPostgresError(thrown)?.message ?? String(thrown);
  const text = `${place}: this user may not ${what ?? "do what is needed"}: ${reason}.`;
  return new Fault("database_rights", text, { cause: thrown });
}

/** Whether the server refuses the user or the password. */
export const isRefusedUser = (thrown: unknown) =>
  findPostgresError(thrown)?.errno?.startsWith("28") === true;

/** Describes why the database cannot be used. Anyone may read the text, because it contains no address or user. */
export function describeAbsence(thrown: unknown): string {
  const errno = findPostgresError(thrown)?.errno ?? "";
  if (errno.startsWith("28")) return "the database refuses this node's user or password";
  if (errno === "3D000") return "the database does not exist";
  if (errno === "53300") return "the database has no connection left for this node";
  if (/^(57P03|25006)$/.test(errno)) return "the database takes no writes yet";
  return "the database cannot be reached";
}

export function createAwayFault(thrown: unknown, place: string): Fault {
  const error = findPostgresError(thrown);
  const state = error?.errno ? ` (SQLSTATE ${error.errno})` : "";
  const reason = error?.message ?? String(thrown);
  return new Fault("database_away", `${place} cannot do this now: ${reason}${state}.`, {
    cause: thrown,
  });
}
