import type { Caller } from "../contract/caller.ts";
import { type Meta, Payload } from "../contract/envelope.ts";
import { type Problem, toProblem } from "../contract/problem.ts";
import { readInput } from "../contract/read.ts";
import type { Usage } from "../control/quota.ts";
import type { Modules, Operation } from "./operation.ts";

/** The outcome of a call: the answer in the interface's own form or a problem, and the caller's usage. */
export type Answer<Shown = unknown> = (
  | { readonly ok: true; readonly shown: Shown; readonly meta: Meta; readonly usage: Usage }
  | { readonly ok: false; readonly problem: Problem; readonly usage: Usage | undefined }
) & {
  readonly isCounted: boolean;
};

/**
 * Runs one operation for one caller. Every interface calls it, so the order of its steps decides what a call costs: an exhausted
 * account is refused before its input is read, malformed input is not counted, and `not_found` is counted (decision 21). A free
 * operation is throttled instead (decision 32). A call that is refused because the server is busy, or an answer that cannot be shown,
 * is not counted.
 *
 * The charge is durable before this returns. Never throws: a bug becomes `internal`.
 *
 * @param sent the input fields, or a function that reads them from the wire.
 * @param show converts the answer to the interface's own form, before the charge.
 */
export async function perform<Shown>(
  operation: Operation,
  sent: unknown,
  caller: Caller,
  modules: Modules,
  show: (found: Payload) => Shown | Promise<Shown>,
): Promise<Answer<Shown>> {
  const { quota } = modules;
  let leave = () => {};
  try {
    if (operation.isFree) quota.throttle(caller);
    else await quota.refuseIfExhausted(caller);
    const giveBack = operation.isUncounted && quota.throttle(caller);
    let isCounted = !operation.isFree;
    let shown: Shown | undefined;
    let problem: Problem | undefined;
    try {
      const raw = typeof sent === "function" ? await sent() : sent;
      // Takes a place only after the input is read: callers who send slowly must not block others.
      leave = modules.admission.enter();
      const found = await operation.run(readInput(operation.input, raw), modules, caller);
      const payload = found instanceof Payload ? found : Payload.ofValue(found);
      if (operation.isUncounted?.(payload)) isCounted = false;
      shown = await show(payload);
    } catch (thrown) {
      problem = toProblem(thrown);
      if (!countsProblem(problem, modules) || operation.isUncounted?.(problem)) throw problem;
    }
    if (isCounted) giveBack?.();
    const usage = isCounted ? await quota.charge(caller) : await quota.usage(caller);
    if (problem) return { ok: false, problem, usage, isCounted };
    const { requestId } = caller;
    const meta: Meta = { requestId, dataSource: "candidate_pool", quota: usage.quota };
    return { ok: true, shown: shown as Shown, meta, usage, isCounted };
  } catch (thrown) {
    const problem = toProblem(thrown);
    const hasUsage = problem.code !== "unauthorized" && problem.status !== 503;
    const usage = hasUsage ? await usageOf(caller, modules) : undefined;
    return { ok: false, problem, usage, isCounted: false };
  } finally {
    leave();
  }
}

/** Whether a refused call counts. The status decides, because 405, 413 and 415 share a code with 400 and never count. */
function countsProblem({ status }: Problem, { quota }: Pick<Modules, "quota">): boolean {
  return status === 404 || (status === 400 && quota.countsInvalid);
}

/** @returns undefined if the store fails, so that the caller sees the first error. */
async function usageOf(caller: Caller, { quota }: Modules): Promise<Usage | undefined> {
  try {
    return await quota.usage(caller);
  } catch {
    return undefined;
  }
}
