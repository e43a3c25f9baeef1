/** A node's start outlasts its database: after a power cut, nobody knows which of them comes up first. */
import { Fault, isFault } from "../contract/fault.ts";
import type { Dependencies } from "./data-folder.ts";

const pauseMs = 2000;

type Hearers = Pick<Dependencies, "log" | "step" | "signal">;

/**
 * Does the work again as long as the database is away, and says why once for each reason.
 *
 * @param work what may be done twice. @throws what it throws of all else; Fault interrupted when the process is to end.
 */
export async function runWhenReachable<Result>(
  work: () => Promise<Result>,
  { log, step, signal }: Hearers,
): Promise<Result> {
  let told: string | undefined;
  for (;;) {
    try {
      return await endWith(signal, work());
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const { message: reason } = error;
      if (reason !== told) {
        log.warn({ reason }, "the database is away; trying on");
        step?.(`${await describeAway(error)}; trying on`);
      }
      told = reason;
    }
    await endWith(signal, Bun.sleep(pauseMs));
  }
}

/** Whether nothing was done that may not be done again. */
export function isDatabaseAway(error: unknown): error is Fault {
  return isFault(error, "database_away") || isFault(error, "outcome_unknown");
}

/** @returns why it is, for anybody. */
export async function describeAway(fault: Fault): Promise<string> {
  const { describeAbsence } = await import("../control/postgres/postgres-control-store.ts");
  return describeAbsence(fault);
}

/** @throws Fault interrupted as soon as the signal is aborted, whatever becomes of the work. */
async function endWith<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new Fault("interrupted", "Stopped before it had started."));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
