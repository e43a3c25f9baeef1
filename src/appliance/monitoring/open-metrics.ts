import type { Config } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import { readTextFile } from "../../contract/text-file.ts";
import type { Metrics, Traces } from "../../metrics/metrics.ts";
import type { DataFolder, Dependencies } from "../data-folder.ts";
import type { Readiness } from "../readiness.ts";
import { readServerState } from "./server-state.ts";

/** Loads the metrics module only if configured: a start without metrics is faster. */
export async function createMetricsIfConfigured(
  { metrics }: Config,
  { version }: Dependencies,
): Promise<Metrics | undefined> {
  if (metrics.listen === undefined) return undefined;
  const { createMetrics } = await import("../../metrics/metrics.ts");
  return createMetrics({ version });
}

/** Loads the tracing module only if a collector is configured. */
export async function openTracesIfConfigured(
  { traces: { endpoint } }: Config,
  { version, log }: Dependencies,
): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTraces } = await import("../../metrics/traces.ts");
  log.info({ endpoint }, "traces are sent");
  return createTraces({ endpoint, version, log });
}

/** Opens the private listener of the metrics. @throws Fault for a token file that cannot be used. */
export async function openMetrics(
  folder: DataFolder,
  { metrics: settings }: Config,
  { metrics, log }: Dependencies,
  readiness: Readiness,
): Promise<(() => Promise<void>) | undefined> {
  if (!metrics || !settings.listen) return undefined;
  const { serveMetrics } = await import("../../metrics/metrics.ts");
  const { tokenFile } = settings;
  // The token is read at each request, because it may be replaced, and once now, so that a wrong file stops the start.
  const readToken = tokenFile === undefined ? undefined : () => readTokenText(tokenFile);
  readToken?.();
  metrics.follow(() => readServerState(folder, readiness));
  const { address, close } = serveMetrics(metrics.render, { ...settings.listen, readToken });
  log.info({ address }, "metrics are offered");
  return close;
}

function readTokenText(path: string): string {
  const text = readTextFile(path, `metrics.tokenFile: ${path} cannot be read`).trim();
  if (text === "") throw new Fault("configuration", `metrics.tokenFile: ${path} is empty.`);
  return text;
}
