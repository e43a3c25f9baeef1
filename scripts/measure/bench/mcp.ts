/**
 * What the protocol costs an assistant: tool calls at /mcp in both protocols, compared with the same question by REST, on
 * one server, in turns. Both pay for the durable charge, so the ratio shows the protocol's own work.
 */
import { startServer } from "../../fuzzing/program.ts";
import { defineMeasurement } from "../measurement.ts";
import { roster } from "../processes.ts";
import { comparePairs, median } from "../rows.ts";

const connections = 8;
const rounds = 5;
const login = "ada-example";

type Ask = () => Promise<Response>;

export const measurement = defineMeasurement({
  about: "Tool calls at /mcp in both protocols, against the same question by REST.",
  needs: "dist/roster",
  options: { seconds: 1 },
  async run({ seconds, work }) {
    const server = await startServer(work, [], roster);
    try {
      // The administrator's 2,000 calls a day would be used up in a second.
      const limits = ["--calls-per-day", "unlimited"];
      await server.command("account", "set-plan", "admin@localhost", ...limits);
      const asks = createAsks(server.address, server.adminKey);
      const rates = { rest: [] as number[], legacy: [] as number[], modern: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        for (const name of ["rest", "legacy", "modern"] as const) {
          rates[name].push(await rateOf(asks[name], seconds));
        }
      }
      const unit = "calls/s";
      const rest = { what: "REST", values: rates.rest };
      return {
        rows: [
          { name: "mcp.rest", value: median(rates.rest), unit },
          comparePairs({ name: "mcp.legacy", unit }, rates.legacy, rest),
          comparePairs({ name: "mcp.modern", unit }, rates.modern, rest),
        ],
      };
    } finally {
      await server.stop();
    }
  },
});

/** Makes calls one after the other on each connection until the time is over. */
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

function createAsks(
  address: string,
  key: string,
): Readonly<Record<"rest" | "legacy" | "modern", Ask>> {
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
