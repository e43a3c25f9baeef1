import type { Config } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import { readTextFile } from "../../contract/text-file.ts";
import type { Metrics, Traces } from "../../metrics/metrics.ts";
import type { DataFolder, Dependencies } from "../data-folder.ts";
import type { Readiness } from "../readiness.ts";
import { readServerState } from "./server-state.ts";

/** Creates the metrics if they are configured. Their module is loaded only then. */
export async function createMetricsIfConfigured(
  { metrics }: Config,
  { version }: Dependencies,
): Promise<Metrics | undefined> {
  if (metrics.listen === undefined) return undefined;
  const { createMetrics } = await import("../../metrics/metrics.ts");
  return createMetrics({ version });
}

/** Opens tracing if a collector is configured. Its module is loaded only then. */
export async function openTracesIfConfigured(
  { traces: { endpoint } }: Config,
  { version, log }: Dependencies,
): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTraces } = await import("../../metrics/traces.ts");
  log.info({ endpoint }, "traces are sent");
  return createTraces({ endpoint, version, log });
}

/** Opens the listener that serves metrics. @throws Fault for an unusable token file. */
export async function openMetrics(
  folder: DataFolder,
  { metrics: settings }: Config,
  { metrics, log }: Dependencies,
  readiness: Readiness,
): Promise<(() => Promise<void>) | undefined> {
  if (!metrics || !settings.listen) return undefined;
  const { serveMetrics } = await import("../../metrics/metrics.ts");
  const { tokenFile } = settings;
  // The token is read at each request, because it may be replaced. It is also read now, so that a wrong file stops the start.
  const readToken = tokenFile === undefined ? undefined : () => readTokenText(tokenFile);
  readToken?.();
  metrics.follow(() => readServerState(folder, readiness));
  const { address, close } = serveMetrics(metrics.render, { ...settings.listen, readToken });
  log.info({ address }, "metrics are served");
  return close;
}

function readTokenText(path: string): string {
  const text = readTextFile(path, `metrics.tokenFile: ${path} cannot be read`).trim();
  if (text === "") throw new Fault("configuration", `metrics.tokenFile: ${path} is empty.`);
  return text;
}
