import type { BaseLogger } from "pino";
import type { Caller } from "../contract/caller.ts";
import { isFault } from "../contract/fault.ts";
import type { Problem } from "../contract/problem.ts";
import type { Operation } from "./operation.ts";
import type { Answer } from "./perform.ts";

export type Log = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

/** Logs one line for a tool call, without its input. */
export function logToolCall(
  log: Log,
  operation: Operation,
  { requestId, credential }: Caller,
  answer: Answer,
): void {
  const status = answer.ok ? 200 : answer.problem.status;
  if (!answer.ok) logFault(log, answer.problem, requestId);
  const key = credential.id;
  log.info({ requestId, key, operation: operation.name, status }, "tool call");
}

/** Logs the problem only if it is an internal error. */
export function logFault(log: Log, problem: Problem, requestId: string): void {
  if (problem.status < 500) return;
  if (isFault(problem.cause, "database_away")) {
    log.warn(
      { requestId, reason: problem.cause.message },
      "refused: the database cannot be reached",
    );
    return;
  }
  log.error({ requestId, err: problem.cause ?? problem }, "internal error");
}
