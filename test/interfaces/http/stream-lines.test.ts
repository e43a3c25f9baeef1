/** A stream of lines over a real socket: read as fast as the client takes it, ended when it leaves, broken by a fault. */
import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { streamLines } from "../../../src/interfaces/http/responses.ts";
import type { PeopleLines } from "../../../src/operations/export-people.ts";

const batches = 2000;
let read = 0;
let hasEnded = false;
const faults: unknown[] = [];

async function* drawLines(failsAt: number): PeopleLines {
  hasEnded = false;
  try {
    for (read = 0; read < batches; read++) {
      if (read === failsAt) throw new Error("the database is away");
      // Random, so that compression cannot hide how much is sent.
      yield Array.from({ length: 100 }, () =>
        JSON.stringify(crypto.getRandomValues(new Uint8Array(256)).toHex()),
      );
      await setImmediate();
    }
  } finally {
    hasEnded = true;
  }
}

const server = Bun.serve({
  ...{ port: 0, hostname: "127.0.0.1" },
  fetch: ({ url }) => {
    const { searchParams } = new URL(url);
    const coding = searchParams.has("zstd") ? "zstd" : undefined;
    const lines = drawLines(Number(searchParams.get("failsAt") ?? -1));
    const body = streamLines(lines, coding, (fault) => faults.push(fault));
    return new Response(body, { headers: coding ? { "content-encoding": coding } : {} });
  },
});
afterAll(() => server.stop(true));

test.each(["", "zstd"])(
  "a client that takes nothing (%s) is waited for, and when it leaves, reading ends",
  async (query) => {
    const before = process.memoryUsage().rss;
    const socket = connect(server.port as number, "127.0.0.1");
    socket.pause();
    socket.write(`GET /?${query} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await Bun.sleep(300);
    for (let last = -1; last !== read; await Bun.sleep(200)) last = read;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(batches / 4);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(100);
    socket.destroy();
    while (!hasEnded) await Bun.sleep(5);
    expect(faults).toEqual([]);
  },
  20_000,
);

test.each(["failsAt=20", "failsAt=20&zstd"])(
  "a fault breaks the connection (%s), and is noted once",
  async (query) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/?${query}`);
    expect(response.status).toBe(200);
    expect(response.text()).rejects.toThrow();
    await response.text().catch(() => {});
    while (faults.length === 0) await Bun.sleep(5);
    expect(faults.splice(0)).toEqual([new Error("the database is away")]);
  },
);
