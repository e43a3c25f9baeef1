/** Calls a server over several connections at once, by wrk in a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  /** Sent in turn; after the last follows the first. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly calls: number;
  /** Answered with a status of 400 or more. */
  readonly refused: number;
  /** Not answered at all. */
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** @param address such as `http://127.0.0.1:7171`. @throws when wrk is not on this machine. */
export async function runLoad(
  address: string,
  { requests, connections, seconds }: Load,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "roster-wrk-"));
  try {
    const script = join(folder, "requests.lua");
    writeFileSync(script, createScript(address, requests));
    const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", script];
    return parseWrk(await read(["wrk", ...flags, address]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the requests beforehand, so that the client only has to send them. */
function createScript(address: string, requests: readonly LoadRequest[]): string {
  const texts = requests.map((request) => JSON.stringify(toText(address, request)));
  return `local requests = {
${texts.join(",\n")}
}
local at = 0
request = function()
  at = at % #requests + 1
  return requests[at]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("\\nmeasured %d %d %d %d %.0f %.0f\\n", summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
`;
}

function toText(address: string, { method, path, headers, body = "" }: LoadRequest): string {
  const all = { host: new URL(address).host, ...headers };
  const fields = Object.entries(
    method === "POST" ? { ...all, "content-length": body.length } : all,
  );
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  const text = `${lines.join("\r\n")}\r\n\r\n${body}`;
  // Lua reads a JSON string of plain ASCII as JSON does.
  if (/[^\r\n\x20-\x7e]/.test(text)) throw new Error(`a request is not plain ASCII: ${text}`);
  return text;
}

/** @param output of wrk with the script above. */
export function parseWrk(output: string): LoadResult {
  const measured = /^measured (.+)$/m.exec(output)?.[1]?.split(" ").map(Number);
  if (measured?.length !== 6) throw new Error(`wrk said nothing that can be read: ${output}`);
  const [calls, refused, failed, microseconds, p50, p99] = measured as number[] & { length: 6 };
  return {
    ...{ calls: calls as number, refused: refused as number, failed: failed as number },
    seconds: (microseconds as number) / 1e6,
    ...{ p50Ms: (p50 as number) / 1000, p99Ms: (p99 as number) / 1000 },
  };
}

async function read(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stderr: "pipe" });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${complaint}${output}`);
  return output;
}
