import type { Caller } from "../contract/caller.ts";
import { type Meta, Payload } from "../contract/envelope.ts";
import { type Problem, toProblem } from "../contract/problem.ts";
import { readInput } from "../contract/read.ts";
import type { RepeatableCall, Usage } from "../control/quota.ts";
import type { Modules, Operation } from "./operation.ts";

/** The outcome of a call: an answer or a problem, and the caller's usage. */
export type Answer<Shown = unknown> = (
  | { readonly ok: true; readonly shown: Shown; readonly meta: Meta; readonly usage: Usage }
  | { readonly ok: false; readonly problem: Problem; readonly usage: Usage | undefined }
) & {
  readonly isCounted: boolean;
  /** Whether the call repeats a counted call, by its Idempotency-Key. */
  readonly isRepeat?: true | undefined;
};

/**
 * Runs one operation for one caller. Never throws: a bug becomes `internal`.
 *
 * An answer costs quota, and so does `not_found` (decision 21). A free operation is throttled instead (decision 32). The charge
 * is durable before this returns.
 * @param sent the input fields, or a function that reads them from the wire.
 * @param show converts the answer to the interface's own form, before the charge.
 * @param repeatable the digests of a request with an Idempotency-Key. A repeat needs no call that is left, so only the charge refuses it.
 */
export async function perform<Shown>(
  operation: Operation,
  sent: unknown,
  caller: Caller,
  modules: Modules,
  show: (found: Payload) => Shown | Promise<Shown>,
  repeatable?: RepeatableCall,
): Promise<Answer<Shown>> {
  const { quota } = modules;
  let leave = () => {};
  try {
    if (operation.isFree) quota.throttle(caller);
    else if (!repeatable) await quota.refuseIfExhausted(caller);
    const giveBack = operation.isUncounted && quota.throttle(caller);
    let isCounted = !operation.isFree;
    let calls = 1;
    let shown: Shown | undefined;
    let problem: Problem | undefined;
    try {
      const raw = typeof sent === "function" ? await sent() : sent;
      // Takes a place after the input is read, so that callers who send slowly block nobody.
      leave = modules.admission.enter();
      const found = await operation.run(readInput(operation.input, raw), modules, caller);
      const payload = found instanceof Payload ? found : Payload.ofValue(found);
      if (operation.isUncounted?.(payload)) isCounted = false;
      if (operation.countCalls) calls = operation.countCalls(payload);
      shown = await show(payload);
    } catch (thrown) {
      problem = toProblem(thrown);
      if (!countsProblem(problem, modules) || operation.isUncounted?.(problem)) throw problem;
    }
    if (isCounted) giveBack?.();
    const usage = await (isCounted
      ? quota.charge({ ...caller, calls, repeatable })
      : quota.usage(caller));
    const { isRepeat } = usage;
    if (isRepeat) isCounted = false;
    if (problem) return { ok: false, problem, usage, isCounted, isRepeat };
    const { requestId } = caller;
    const meta: Meta = { requestId, dataSource: "candidate_pool", quota: usage.quota };
    return { ok: true, shown: shown as Shown, meta, usage, isCounted, isRepeat };
  } catch (thrown) {
    const problem = toProblem(thrown);
    const hasUsage = problem.code !== "unauthorized" && problem.status !== 503;
    // The store may be what failed.
    const usage = hasUsage ? await quota.usage(caller).catch(() => undefined) : undefined;
    return { ok: false, problem, usage, isCounted: false };
  } finally {
    leave();
  }
}

/** Whether a refused call costs quota. Only the status decides, because several statuses share one code. */
function countsProblem({ status }: Problem, { quota }: Pick<Modules, "quota">): boolean {
  return status === 404 || (status === 400 && quota.countsInvalid());
}
