/** Lets a starting node wait until its database answers. After a power cut, the node may start before the database. */
import { Fault, isFault } from "../contract/fault.ts";
import type { Dependencies } from "./data-folder.ts";

const pauseMs = 2000;

type Hearers = Pick<Dependencies, "log" | "step" | "signal">;

/**
 * Repeats the work while the database is away. Each reason is logged once. @param work must be repeatable.
 * @throws the other errors of the work. @throws Fault `interrupted` if the process should end.
 */
export async function runWhenReachable<Result>(
  work: () => Promise<Result>,
  { log, step, signal }: Hearers,
): Promise<Result> {
  let reported: string | undefined;
  for (;;) {
    try {
      return await endWith(signal, work());
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const { message: reason } = error;
      if (reason !== reported) {
        log.warn({ reason }, "the database cannot be reached; Roster keeps trying");
        step?.(`${await describeAway(error)}; trying on`);
      }
      reported = reason;
    }
    await endWith(signal, Bun.sleep(pauseMs));
  }
}

/** Whether the database cannot be reached. The work can then be repeated. */
export function isDatabaseAway(error: unknown): error is Fault {
  return isFault(error, "database_away") || isFault(error, "outcome_unknown");
}

export async function describeAway(fault: Fault): Promise<string> {
  const { describeAbsence } = await import("../control/postgres/postgres-control-store.ts");
  return describeAbsence(fault);
}

/** Waits for the work. @throws Fault `interrupted` as soon as the signal is aborted. */
async function endWith<Result>(
  signal: AbortSignal | undefined,
  work: Promise<Result>,
): Promise<Result> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () =>
    aborted.reject(new Fault("interrupted", "Stopped before the start was complete."));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
