/**
 * Half an hour of everything that callers and operators do at once: memory, write-ahead logs and descriptors must stay as they
 * were. `scripts/test --soak` runs it; the curve is printed. TEST_EXECUTABLE names a compiled program.
 */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modernCall } from "../interfaces/mcp/rpc.ts";
import { readResidentMb } from "./load.ts";
import { createCaller } from "./office.ts";
import { freePort, program, startServer } from "./server-process.ts";

const minutes = Number(process.env["TEST_SOAK_MINUTES"] ?? "0");
const named = process.env["TEST_EXECUTABLE"];
const executable = named ? [named] : program;
/** Pause of each client between two calls. */
const pauseMs = 20;
const clients = 6;
const minutesBetweenImports = 2;

interface Call {
  readonly path: string;
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** The calls that each client repeats. */
function listCalls(key: string): readonly Call[] {
  const withKey = { "x-api-key": key };
  const find = modernCall("search_developers", { location: "Berlin", maxResults: 5 });
  const mcp = { accept: "application/json, text/event-stream", authorization: `Bearer ${key}` };
  return [
    { path: "/v1/users/ada-example", status: 200, headers: withKey },
    { path: "/v1/users/nobody", status: 404, headers: withKey },
    ...["Berlin", "Munich", "Worldwide"].map((location) => ({
      ...{ path: "/v1/search", status: 200, headers: withKey },
      body: { location, skills: ["Go"], maxResults: 25 },
    })),
    {
      ...{ path: "/v1/profile/analyze", status: 200, headers: withKey },
      body: { username: "ada-example" },
    },
    { path: "/v1/search", status: 400, headers: withKey, body: { place: "Berlin" } },
    { path: "/v1/users/ada-example", status: 401, headers: { "x-api-key": `rst_${key.length}` } },
    { path: "/mcp", status: 200, headers: { ...find.headers, ...mcp }, body: find.body },
    { path: "/sign-in", status: 200 },
    { path: "/readyz", status: 200 },
  ];
}

test.skipIf(minutes === 0)(
  `${minutes || 30} minutes of calls and imports: memory, log and descriptors stay (skipped without scripts/test --soak)`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "roster-soak-"));
    const lines = join(folder, "people.jsonl");
    const data = join(folder, "data");
    writePeople(lines, 0);
    importPeople(data, lines);
    const flags = ["--log-level", "info"];
    const server = await startServer(data, await freePort(), [], flags, executable);
    try {
      const calls = listCalls(await createCaller(data, "load@example.com"));
      const states: Record<"resident" | "wal" | "descriptors" | "log", number>[] = [];
      for (let minute = 1; minute <= minutes; minute += 1) {
        const endMs = performance.now() + 60_000;
        const walks = Array.from({ length: clients }, (_, first) =>
          walk(server.address, calls, first, () => performance.now() >= endMs),
        );
        if (minute % minutesBetweenImports === 0) {
          writePeople(lines, minute);
          await importBeside(data, lines);
        }
        const seen = await Promise.all(walks);
        expect(seen.flatMap(({ wrong }) => wrong)).toEqual([]);
        const state = {
          resident: readResidentMb(server.pid),
          wal: sizeOf(join(data, "control.db-wal")) + sizeOf(join(data, "pool.db-wal")),
          descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
          log: sizeOf(`${data}.log`),
        };
        states.push(state);
        const asked = seen.reduce((sum, { asked }) => sum + asked, 0);
        process.stdout.write(`minute ${minute}: ${asked} calls, ${JSON.stringify(state)}\n`);
      }
      const half = Math.ceil(states.length / 2);
      for (const what of ["resident", "wal", "descriptors"] as const) {
        const most = (some: typeof states) => Math.max(...some.map((state) => state[what]));
        const slack = { resident: 16, wal: 4 * 2 ** 20, descriptors: 4 }[what];
        expect(most(states.slice(half))).toBeLessThanOrEqual(
          1.1 * most(states.slice(0, half)) + slack,
        );
      }
    } finally {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  (minutes + 3) * 60_000,
);

/** Calls one after the other until it is time; notes what was answered otherwise than it should be. */
async function walk(
  address: string,
  calls: readonly Call[],
  first: number,
  isOver: () => boolean,
): Promise<{ readonly asked: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  let asked = 0;
  for (; !isOver(); asked += 1) {
    const call = calls[(first + asked) % calls.length] as Call;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = { ...call.headers, ...(body && { "content-type": "application/json" }) };
    const method = body === undefined ? "GET" : "POST";
    const init = { method, headers, ...(body && { body }) };
    const response = await fetch(address + call.path, init);
    const text = await response.text();
    if (response.status !== call.status) {
      wrong.push(`${method} ${call.path}: ${response.status} ${text.slice(0, 200)}`);
    }
    await Bun.sleep(pauseMs);
  }
  return { asked, wrong };
}

/** The demo people as an operator's own, everybody's biography told anew in each round. */
function writePeople(path: string, round: number): void {
  const demo = readFileSync(join(import.meta.dir, "../../seed/demo.jsonl.zst"));
  const text = Bun.zstdDecompressSync(demo).toString();
  const own = text.replaceAll('"source":"demo"', '"source":"soak"');
  writeFileSync(path, own.replaceAll('"bio":"', `"bio":"Told ${round} times. `));
}

const importing = (data: string, path: string) => [
  ...[...executable, "import", path, "--data", data, "--quiet"],
];

function importPeople(data: string, path: string): void {
  const { exitCode, stderr } = Bun.spawnSync(importing(data, path));
  if (exitCode !== 0) throw new Error(stderr.toString());
}

async function importBeside(data: string, path: string): Promise<void> {
  const child = Bun.spawn(importing(data, path), { stdout: "ignore", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
