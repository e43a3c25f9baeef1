import { problems } from "../../contract/problem.ts";

/** What a script may rely on; shown in --help. */
export const exitCodes = {
  ok: 0,
  usage: 2,
  refused: 3,
  notFound: 4,
  fault: 5,
  /** 128 + SIGINT, as shells count it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesInWords =
  "Exit codes: 0 ok, 2 usage, 3 data refused, 4 not found, 5 fault, 130 interrupted.";

const byStatus: Record<number, ExitCode> = {
  [problems.invalid_request.status]: exitCodes.usage,
  [problems.not_found.status]: exitCodes.notFound,
};

/** The exit code of an answer that is a problem. */
export function getExitCode(status: number): ExitCode {
  return byStatus[status] ?? exitCodes.fault;
}

/** A command that ends early, in words for the person at the terminal. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
