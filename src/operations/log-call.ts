import type { BaseLogger } from "pino";
import type { Caller } from "../contract/caller.ts";
import type { Problem } from "../contract/problem.ts";
import type { Operation } from "./operation.ts";
import type { Answer } from "./perform.ts";

export type Log = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

/** Logs one line for a call: the credential, the operation, the interface and the status. Never the input. */
export function logCall(
  log: Log,
  door: "http" | "mcp",
  operation: Operation,
  { requestId, credential }: Caller,
  answer: Answer,
): void {
  const status = answer.ok ? 200 : answer.problem.status;
  if (!answer.ok) logFault(log, answer.problem, requestId);
  const key = credential.id;
  log.info({ requestId, key, door, operation: operation.name, status }, "call");
}

/** Logs internal errors only: a refusal is already in the line of the call. */
export function logFault(log: Log, problem: Problem, requestId: string): void {
  if (problem.status < 500) return;
  log.error({ requestId, err: problem.cause ?? problem }, "internal error");
}
