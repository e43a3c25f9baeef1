/**
 * What the protocol costs an assistant: tool calls at /mcp, in either protocol, against the same question by REST,
 * on one server, in turns. Both pay the durable charge; the ratio is what the protocol's own work leaves.
 *
 * Options: `--seconds N` of each round (default 1), `--json`. Needs dist/roster.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, report } from "./rows.ts";

const root = join(import.meta.dir, "../..");
const connections = 8;
const rounds = 5;
const login = "ada-example";

type Ask = () => Promise<Response>;

export async function benchMcp(argv: readonly string[]): Promise<boolean> {
  const seconds = Number(argv[argv.indexOf("--seconds") + 1]) || 1;
  const folder = mkdtempSync(join(tmpdir(), "roster-mcp-"));
  const server = await startServer(folder);
  try {
    const asks = asksOf(server.address, server.key);
    const rates: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round++) {
      for (const [name, ask] of Object.entries(asks)) {
        rates[name] ??= [];
        rates[name].push(await rateOf(ask, seconds));
      }
    }
    const rate = (name: string) => median(rates[name] ?? []);
    const rows = Object.keys(asks).map((name) => ({
      ...{ name: `mcp.${name}`, value: rate(name), unit: "calls/s" },
      ...(name === "rest"
        ? {}
        : { ratio: rate(name) / rate("rest"), against: { what: "REST", value: rate("rest") } }),
    }));
    return report(rows, argv.includes("--json"));
  } finally {
    server.child.kill();
    await server.child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As many calls one after the other on each connection as the time allows. */
async function rateOf(ask: Ask, seconds: number): Promise<number> {
  let calls = 0;
  const startedAt = performance.now();
  const client = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      const response = await ask();
      const text = await response.text();
      if (response.status !== 200 || !text.includes(login)) throw new Error(text);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return (calls / (performance.now() - startedAt)) * 1000;
}

function asksOf(address: string, key: string): Readonly<Record<"rest" | "legacy" | "modern", Ask>> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const params = { name: "get_developer", arguments: { login } };
  const legacy = JSON.stringify({ ...call, params });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const modern = JSON.stringify({ ...call, params: { ...params, _meta } });
  const modernHeaders = {
    ...headers,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": call.method,
    "mcp-name": params.name,
  };
  const post = (body: string, own: Record<string, string>) =>
    fetch(`${address}/mcp`, { method: "POST", headers: own, body });
  return {
    rest: () => fetch(`${address}/v1/users/${login}`, { headers }),
    legacy: () => post(legacy, headers),
    modern: () => post(modern, modernHeaders),
  };
}

async function startServer(folder: string) {
  const roster = join(root, "dist/roster");
  if (!existsSync(roster)) throw new Error("dist/roster is missing: run scripts/build first");
  const keyFile = join(folder, "key");
  const flags = ["--port", "0", "--admin-key-file", keyFile, "--log-level", "silent"];
  const child = Bun.spawn([roster, "serve", "--data", join(folder, "data"), ...flags], {
    stdout: "pipe",
    stderr: "ignore",
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    const address = /^address +(\S+)$/m.exec(said)?.[1];
    if (address && existsSync(keyFile)) {
      await raiseLimits(roster, folder);
      return { child, address, key: readFileSync(keyFile, "utf8").trim() };
    }
  }
  throw new Error(`the server did not start: ${said}`);
}

/** The administrator's 2,000 calls a day are gone in a second. */
async function raiseLimits(roster: string, folder: string): Promise<void> {
  const limits = ["account", "set-plan", "admin@localhost", "--calls-per-day", "unlimited"];
  await Bun.spawn([roster, ...limits, "--data", join(folder, "data")], { stdout: "ignore" }).exited;
}
