/**
 * The protocol's own conformance suite: every scenario that a server with tools alone can meet, in both
 * protocols. What fails is compared check by check with what must fail, since its fixture cannot exist here.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";

const command = join(import.meta.dir, "checks/node_modules/.bin/conformance");

interface Scenario {
  readonly name: string;
  readonly revision: "2025-11-25" | "2026-07-28";
  /** Checks that fail or warn, and why they must. */
  readonly expected?: Readonly<Record<string, string>>;
}

const noSession = "the server keeps no session, so there is no id to give";
const noTool = "asks for a diagnostic tool that only a fixture has";
const noResources = "a server without resources has no such method: -32601";

const scenarios: readonly Scenario[] = [
  { name: "server-initialize", revision: "2025-11-25" },
  { name: "ping", revision: "2025-11-25" },
  { name: "tools-list", revision: "2025-11-25" },
  { name: "server-session-lifecycle", revision: "2025-11-25" },
  {
    name: "server-sse-multiple-streams",
    revision: "2025-11-25",
    expected: { "server-sse-multiple-streams-session": noSession },
  },
  {
    name: "server-sse-polling",
    revision: "2025-11-25",
    expected: { "server-sse-polling-session": noSession },
  },
  { name: "dns-rebinding-protection", revision: "2025-11-25" },
  { name: "dns-rebinding-protection", revision: "2026-07-28" },
  { name: "http-header-validation", revision: "2026-07-28" },
  { name: "tools-list", revision: "2026-07-28" },
  { name: "server-sse-multiple-streams", revision: "2026-07-28" },
  { name: "input-required-result-unsupported-methods", revision: "2026-07-28" },
  {
    name: "server-stateless",
    revision: "2026-07-28",
    expected: {
      "sep-2575-server-rejects-undeclared-capability": noTool,
      "sep-2575-missing-capability-http-400": noTool,
      "sep-2575-http-server-no-independent-requests-on-stream": noTool,
      "sep-2575-server-no-log-without-loglevel": noTool,
    },
  },
  {
    name: "sep-2164-resource-not-found",
    revision: "2026-07-28",
    expected: { "sep-2164-error-code": noResources, "sep-2164-data-uri": noResources },
  },
  {
    name: "caching",
    revision: "2026-07-28",
    expected: {
      "sep-2549-prompts-list-caching-hints": "a server without prompts has no such method",
      "sep-2549-resources-list-caching-hints": noResources,
      "sep-2549-resources-templates-list-caching-hints": noResources,
    },
  },
];

describe.skipIf(!existsSync(command))("Conformance", () => {
  let appliance: TestAppliance;
  let entry: Awaited<ReturnType<typeof openEntry>>;
  let folder: string;

  beforeAll(async () => {
    appliance = await openTestAppliance();
    entry = await openEntry(appliance);
    folder = mkdtempSync(join(tmpdir(), "roster-conformance-"));
  });
  afterAll(async () => {
    await entry.stop(true);
    await appliance.close();
    rmSync(folder, { recursive: true });
  });

  for (const { name, revision, expected = {} } of scenarios) {
    test(`${name}, ${revision}`, async () => {
      const results = join(folder, `${name}-${revision}`);
      const url = `http://localhost:${entry.port}/mcp`;
      const which = ["--url", url, "--scenario", name, "--spec-version", revision, "-o", results];
      const child = Bun.spawn([process.execPath, command, "server", ...which], {
        stdout: "ignore",
        stderr: "pipe",
      });
      const [fault, code] = await Promise.all([child.stderr.text(), child.exited]);
      const checks = readChecks(results, fault);
      const unmet = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
      expect(unmet.map(({ id }) => id).sort()).toEqual(Object.keys(expected).sort());
      expect(code).toBe(unmet.some(({ status }) => status === "FAILURE") ? 1 : 0);
      expect(checks.length).toBeGreaterThan(0);
    }, 300_000);
  }
});

/** The suite cannot send a key: this adds one, and leaves everything else, `Host` and `Origin` too, as it is. */
async function openEntry(appliance: TestAppliance) {
  const { key } = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
  const address = appliance.listen();
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${key}`);
      const body = request.method === "POST" ? await request.bytes() : null;
      return fetch(address + new URL(request.url).pathname, {
        method: request.method,
        headers,
        body,
      });
    },
  });
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
}

function readChecks(results: string, fault: string): readonly Check[] {
  const [run] = existsSync(results) ? readdirSync(results) : [];
  if (!run) throw new Error(`the suite wrote no result: ${fault}`);
  return JSON.parse(readFileSync(join(results, run, "checks.json"), "utf8"));
}
