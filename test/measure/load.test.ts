/** The client of `scripts/bench http` sends what it is given, in turn, and counts what comes back. */
import { afterAll, expect, test } from "bun:test";
import { type LoadRequest, parseWrk, runLoad } from "../../scripts/measure/http/load.ts";

const seen = new Map<string, number>();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    const text = `${request.method} ${new URL(request.url).pathname} ${await request.text()} ${request.headers.get("x-api-key")}`;
    seen.set(text, (seen.get(text) ?? 0) + 1);
    return new Response("", { status: text.startsWith("POST") ? 429 : 200 });
  },
});
afterAll(() => server.stop(true));

const body = JSON.stringify({ location: 'a "quoted" \\ place' });
const requests: readonly LoadRequest[] = [
  { method: "GET", path: "/one", headers: { "x-api-key": "k" } },
  { method: "GET", path: "/two", headers: { "x-api-key": "k" } },
  { method: "POST", path: "/three", headers: { "x-api-key": "k" }, body },
];

test.skipIf(!Bun.which("wrk"))("wrk sends each request in turn", async () => {
  const load = { requests, connections: 4, seconds: 1 };
  const result = await runLoad(`http://127.0.0.1:${server.port}`, load);
  expect([...seen.keys()].sort()).toEqual(["GET /one  k", "GET /two  k", `POST /three ${body} k`]);
  const received = [...seen.values()].reduce((sum, each) => sum + each, 0);
  // Those that were under way at the end were received and are not counted.
  expect(result.calls).toBeLessThanOrEqual(received);
  expect(result.calls).toBeGreaterThan(0);
  expect(Math.abs(result.refused - result.calls / 3)).toBeLessThanOrEqual(load.connections);
  expect(result.failed).toBe(0);
  expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
});

test("what wrk prints is read in seconds and milliseconds, and shown when it says nothing of use", () => {
  const output = "Running 1s test\n  2 requests in 1.00s\n\nmeasured 9 2 1 1500000 250 4000\n";
  expect(parseWrk(output)).toEqual({
    ...{ calls: 9, refused: 2, failed: 1, seconds: 1.5, p50Ms: 0.25, p99Ms: 4 },
  });
  expect(() => parseWrk("unable to connect")).toThrow("unable to connect");
});
