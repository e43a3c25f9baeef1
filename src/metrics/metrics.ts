/**
 * The metrics of a server, in Prometheus' text format. Events are counted as they happen. States are read at each request for
 * metrics. No label contains a caller's input.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ObservedAnswer } from "../network/route.ts";
import { createStateGauges } from "./state-gauges.ts";

export { serveMetrics } from "./serve-metrics.ts";
export type { ServerState } from "./state-gauges.ts";
export type { Traces } from "./traces.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** The buckets of durations, in seconds. They begin at 0.1 ms, because most answers take less than 2 ms. */
const durations = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

export function createMetrics({ version }: { readonly version: string }) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "roster_http_requests_total",
    help: "Answered requests.",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "roster_http_request_duration_seconds",
    help: "Time from the arrival of a request to its answer.",
    labelNames: ["route"],
    buckets: durations,
    registers,
  });
  const bytes = new Counter({
    name: "roster_http_response_bytes_total",
    help: "Sizes of answer bodies, if the size is known before sending.",
    labelNames: ["route"],
    registers,
  });
  const charged = new Counter({
    name: "roster_charged_calls_total",
    help: "Calls checked against an account's quota.",
    registers,
  });
  const commits = new Histogram({
    name: "roster_charge_commit_duration_seconds",
    help: "Durable commits of counted calls; one commit counts all that wait.",
    buckets: durations,
    registers,
  });
  const toolCalls = new Counter({
    name: "roster_mcp_tool_calls_total",
    help: "Tool calls by assistants; a refused call is still an answered request.",
    labelNames: ["tool", "outcome"],
    registers,
  });
  const failedSignIns = new Counter({
    name: "roster_failed_sign_ins_total",
    help: "Sign-ins refused because of a wrong password.",
    registers,
  });
  new Gauge({
    name: "roster_build_info",
    help: "Always 1; the label is the version.",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  collectProcessMetrics(registry);
  return {
    observeAnswer: ({
      route = "none",
      method,
      status,
      seconds: taken,
      ...rest
    }: ObservedAnswer) => {
      requests.inc({ route, method, status });
      seconds.observe({ route }, taken);
      if (rest.bytes !== undefined) bytes.inc({ route }, rest.bytes);
    },
    observeCommit: (commit: { readonly calls: number; readonly seconds: number }) => {
      charged.inc(commit.calls);
      commits.observe(commit.seconds);
    },
    /** @param outcome `answered`, or the code of the refusal. */
    countToolCall: (tool: string, outcome: string) => toolCalls.inc({ tool, outcome }),
    /** Counts a sign-in with a wrong password, link or code. */
    countFailedSignIn: () => failedSignIns.inc(),
    /** Sets the function that reads the server's state. Each request for metrics calls it. */
    follow: createStateGauges(registry),
    render: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  };
}

function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  // These gauges are removed, because their names look like those of counters.
  for (const what of ["handles", "requests", "resources"])
    register.removeSingleMetric(`nodejs_active_${what}_total`);
}
