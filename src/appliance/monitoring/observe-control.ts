import type { ControlStore } from "../../control/control-store.ts";
import type { Metrics } from "../../metrics/metrics.ts";

/** Wraps a store to measure commits of charged calls and refused sign-ins. */
export function observeControl(control: ControlStore, metrics: Metrics | undefined): ControlStore {
  if (!metrics) return control;
  return {
    ...control,
    async charge(calls, ...rest) {
      const startedMs = performance.now();
      const outcomes = await control.charge(calls, ...rest);
      const seconds = (performance.now() - startedMs) / 1000;
      metrics.observeCommit({ calls: calls.length, seconds });
      return outcomes;
    },
    record: (entry) => {
      if (entry.action === "sign-in.refused") metrics.countFailedSignIn();
      return control.record(entry);
    },
  };
}
