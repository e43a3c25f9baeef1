import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLateBody } from "../../src/network/late-body.ts";

const lengths = [0, 14_999, 15_000, 24_000, 200_000, 20_000_000];
const bodies = lengths.map((length) => Uint8Array.from({ length }, (_, at) => at % 251));
let server: ReturnType<typeof startServer>;

function startServer() {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async ({ url }) => {
      await new Promise((later) => setImmediate(later));
      const body = bodies[Number(new URL(url).pathname.slice(1))] as (typeof bodies)[number];
      return new Response(createLateBody([body.subarray(0, 9), body.subarray(9)]), {
        headers: { "x-own": "1" },
      });
    },
  });
}

beforeAll(() => {
  server = startServer();
});
afterAll(() => server.stop(true));

test("an answer that is ready in a later turn arrives whole, with its length, and its connection goes on", async () => {
  for (const [at, whole] of [...bodies.entries(), ...bodies.entries()]) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/${at}`);
    expect(answer.headers.get("x-own")).toBe("1");
    expect(answer.headers.get("content-length")).toBe(String(whole.byteLength));
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true);
  }
});

test("a reader that stops midway, or reads slowly, harms no other", async () => {
  const longest = bodies.length - 1;
  for (let round = 0; round < 5; round++) {
    const left = new AbortController();
    const address = `http://127.0.0.1:${server.port}/${longest}`;
    const answer = await fetch(address, { signal: left.signal });
    await answer.body?.getReader().read();
    left.abort();
  }
  const slow = await fetch(`http://127.0.0.1:${server.port}/${longest}`);
  const pieces: Uint8Array[] = [];
  for await (const piece of slow.body ?? []) {
    pieces.push(piece);
    if (pieces.length % 20 === 0) await Bun.sleep(1);
  }
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(bodies[longest] ?? []));
});
