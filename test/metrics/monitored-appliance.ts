import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { openAppliance } from "../../src/appliance/appliance.ts";
import { testConfig } from "../appliance.ts";

export interface MonitoredAppliance {
  /** Where the API and the pages are. */
  readonly address: string;
  /** Where the metrics are. */
  readonly metrics: string;
  readonly key: string;
  readonly folder: string;
  readonly lines: () => readonly Record<string, unknown>[];
  /** @param token sent as a bearer token. */
  scrape(token?: string): Promise<Response>;
  close(): Promise<void>;
}

/** Starts a server with the demo people and its metrics on free ports. @param token asked of monitors. */
export async function openMonitored(token?: string): Promise<MonitoredAppliance> {
  const folder = mkdtempSync(join(tmpdir(), "roster-metrics-"));
  const tokenFile = token === undefined ? undefined : join(folder, "token");
  if (tokenFile) writeFileSync(tokenFile, `${token}\n`);
  const written: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => written.push(line) });
  const config = testConfig({
    data: join(folder, "data"),
    metrics: { listen: { host: "127.0.0.1", port: 0 }, tokenFile },
  });
  const around = { now: () => new Date(), newId: () => crypto.randomUUID(), version: "1.2.3" };
  const appliance = await openAppliance(config, { ...around, log }, { listen: true });
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  const offered = lines().find(({ msg }) => msg === "metrics are served");
  const metrics = String(offered?.["address"]);
  return {
    address: appliance.address as string,
    metrics,
    key: appliance.first?.key as string,
    folder,
    lines,
    scrape: (sent) =>
      fetch(metrics, sent === undefined ? {} : { headers: { authorization: `Bearer ${sent}` } }),
    close: async () => {
      await appliance.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Values by name with labels, as `roster_ready` or `roster_file_bytes{file="pool.db"}`. */
export async function readSamples(response: Response): Promise<ReadonlyMap<string, number>> {
  const samples = new Map<string, number>();
  for (const line of (await response.text()).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const at = line.lastIndexOf(" ");
    samples.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return samples;
}
