import { Problem } from "../contract/problem.ts";

export type Admission = ReturnType<typeof createAdmission>;

const retryAfterSeconds = 1;
/** Time between two warnings, so that a flood of calls does not flood the log. */
const quietMs = 60_000;

/** Limits the number of calls in progress. A call counts until its charge is committed. */
export function createAdmission(
  callsMax: number,
  {
    log,
    nowMs = Date.now,
  }: {
    readonly log: { warn(about: object, message: string): void };
    readonly nowMs?: () => number;
  },
) {
  let calls = 0;
  let refused = 0;
  let quietUntil = Number.NEGATIVE_INFINITY;
  const refuse = (): never => {
    refused += 1;
    if (nowMs() >= quietUntil) {
      quietUntil = nowMs() + quietMs;
      log.warn({ refused, callsAtOnce: callsMax }, "overloaded: calls are refused with 503");
      refused = 0;
    }
    const message = "the server has more calls than it can answer: try again in a moment";
    throw new Problem("internal", { message, status: 503, retryAfterSeconds });
  };
  return {
    /**
     * @returns a function to call when the call has ended.
     * @throws Problem `internal` with status 503 when the limit is reached (decision 36).
     */
    enter() {
      if (calls >= callsMax) return refuse();
      calls += 1;
      return () => {
        calls -= 1;
      };
    },
  };
}
