/** The dashboard and the alerts, against the names that exist and, where they are installed, the real Prometheus tools. */
import { afterAll, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../faults/server-process.ts";
import { openMonitored, readSamples } from "./monitored-appliance.ts";

const packaging = join(import.meta.dir, "../../packaging");
const rules = join(packaging, "prometheus/roster-alerts.yml");
const dashboard = JSON.parse(
  readFileSync(join(packaging, "grafana/roster-dashboard.json"), "utf8"),
) as { readonly panels: readonly { targets: readonly { expr: string }[] }[] };
const queries = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...[...readFileSync(rules, "utf8").matchAll(/^ +expr: (.+)$/gm)].map(
    ([, expr]) => expr as string,
  ),
];

const server = await openMonitored();
await (await fetch(`${server.address}/v1/search`, { method: "POST" })).text();
afterAll(() => server.close());

test("every metric that the dashboard and the alerts name exists", async () => {
  // A backup makes its own gauge appear.
  const text = await (await server.scrape()).text();
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));
  const named = queries.flatMap((query) => query.match(/\b(roster|process|nodejs)_\w+/g) ?? []);
  const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, "");
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !known.has(name) && !known.has(bare(name)))).toEqual([]);
});

test("every metric of ours is on the dashboard or in an alert", async () => {
  const samples = [...(await readSamples(await server.scrape())).keys()];
  const ours = new Set(
    samples
      .map((name) => name.replace(/\{.*/, "").replace(/_(bucket|sum|count)$/, ""))
      .filter((name) => name.startsWith("roster_")),
  );
  const shown = queries.join(" ");
  expect([...ours].filter((name) => !shown.includes(name))).toEqual([
    "roster_build_info",
    "roster_faults",
  ]);
});

const hasPromtool = Bun.which("promtool") !== null;
test.skipIf(!hasPromtool)(
  "a backup that was never made, is old or early is an alert (needs promtool)",
  () => {
    // Names in it are seen from where it lies.
    copyFileSync(rules, join(server.folder, "roster-alerts.yml"));
    const cases = join(server.folder, "backup-alerts.yml");
    copyFileSync(join(import.meta.dir, "backup-alerts.yml"), cases);
    const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", "test", "rules", cases]);
    expect([exitCode, `${stdout}${stderr}`]).toMatchObject([0, expect.stringContaining("SUCCESS")]);
  },
);
test("only counters are named like counters, which promtool asks for", async () => {
  const text = await (await server.scrape()).text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].map(([, name = "", kind]) => [
    name,
    kind,
  ]);
  expect(kinds.length).toBeGreaterThan(30);
  const wrong = kinds.filter(
    ([name = "", kind]) => name.endsWith("_total") !== (kind === "counter"),
  );
  expect(wrong).toEqual([]);
});

const hasTools = Bun.which("promtool") !== null && Bun.which("prometheus") !== null;
test.skipIf(!hasTools)("promtool takes the alerts and the metrics (needs prometheus)", async () => {
  const checked = Bun.spawnSync(["promtool", "check", "rules", rules]);
  expect(checked.stdout.toString()).toContain("SUCCESS");
  const metrics = await (await server.scrape()).text();
  const linted = Bun.spawnSync(["promtool", "check", "metrics"], { stdin: Buffer.from(metrics) });
  expect([linted.exitCode, linted.stderr.toString()]).toEqual([0, ""]);
});

test.skipIf(!hasTools)(
  "a real Prometheus scrapes it and answers every query (needs prometheus)",
  async () => {
    const config = join(server.folder, "prometheus.yml");
    const target = new URL(server.metrics).host;
    writeFileSync(
      config,
      `global: { scrape_interval: 1s, scrape_timeout: 1s }\nrule_files: ["${rules}"]\nscrape_configs:\n` +
        `  - job_name: roster\n    static_configs: [{ targets: ["${target}"] }]\n`,
    );
    const listen = `127.0.0.1:${await freePort()}`;
    const prometheus = Bun.spawn(
      [
        "prometheus",
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(server.folder, "tsdb")}`,
        `--web.listen-address=${listen}`,
        "--log.level=error",
      ],
      { stdout: "ignore", stderr: "ignore" },
    );
    try {
      const ask = async (query: string) => {
        const url = `http://${listen}/api/v1/query?${new URLSearchParams({ query })}`;
        const answer = (await fetch(url)
          .then((response) => response.json())
          .catch(() => undefined)) as
          | {
              status: string;
              error?: string;
              data?: { result: readonly { value: [number, string] }[] };
            }
          | undefined;
        return answer;
      };
      for (let tries = 0; tries < 300; tries++) {
        const seen = await ask("count_over_time(roster_ready[1m])");
        if (Number(seen?.data?.result[0]?.value[1] ?? 0) >= 2) break;
        await Bun.sleep(200);
      }
      const ready = await ask("roster_ready");
      expect(ready?.data?.result.map(({ value }) => value[1])).toEqual(["1"]);
      for (const query of queries) {
        const answer = await ask(query.replaceAll("$__rate_interval", "1m"));
        expect({ query, status: answer?.status, error: answer?.error }).toEqual({
          query,
          status: "success",
          error: undefined,
        });
      }
      const firing = await ask('ALERTS{alertstate="firing"}');
      expect(firing?.data?.result).toEqual([]);
    } finally {
      prometheus.kill();
      await prometheus.exited;
    }
  },
  300_000,
);
