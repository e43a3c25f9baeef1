/**
 * More calls than a server can answer: those that it takes are answered and counted, the rest is told to come back, and the
 * server lives. `scripts/explore` gives the load of minutes.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { isLong } from "../long.ts";
import { openCaller, readResidentMb } from "./load.ts";
import { createCaller, openOffice } from "./office.ts";
import { freePort, startServer } from "./server-process.ts";

describe("calls beyond the bound", () => {
  let roster: TestAppliance;
  beforeAll(async () => {
    roster = await openTestAppliance({ config: { callsAtOnce: 3 } });
  });
  afterAll(() => roster.close());

  test("get 503 with Retry-After in the envelope, are not counted, and harm nobody", async () => {
    const { key } = await roster.newAccount("pro");
    const ask = () => roster.client.get("ada-example", key);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 503);
    expect([taken.length, refused.length]).toEqual([3, 17]);
    for (const { headers, body } of refused) {
      expect(headers.get("retry-after")).toBe("1");
      expect(body).toMatchObject({ success: false, error: { code: "internal" } });
      expect(body.meta).not.toHaveProperty("quota");
    }
    // Each turn was given back, and only answers were counted.
    expect((await ask()).body.meta.quota.used).toBe(4);
    const lines = roster.log().split("\n");
    expect(lines.filter((line) => line.includes("overloaded")).length).toBe(1);
  });

  test("a caller who sends slowly keeps nobody out", async () => {
    const { key } = await roster.newAccount("pro");
    const ends: (() => void)[] = [];
    const slow = Array.from({ length: 5 }, () => {
      const body = new ReadableStream({ start: (stream) => void ends.push(() => stream.close()) });
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const init = { method: "POST", headers, body };
      return roster.handle(new Request("http://localhost/v1/search", init));
    });
    await Bun.sleep(0);
    expect((await roster.client.get("ada-example", key)).status).toBe(200);
    for (const end of ends) end();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(400);
  });
});

/** Keeps asking on one connection, and notes each status. */
async function load(port: number, key: string, until: (answered: number) => boolean) {
  const seen = { ok: 0, refused: 0, others: [] as number[] };
  const caller = openCaller(port, key);
  for (let answered = 0; !until(answered); answered += 1) {
    const status = await caller.get("/v1/users/nobody");
    if (status === 404) seen.ok += 1;
    else if (status === 503) seen.refused += 1;
    else seen.others.push(status);
    if (Number.isNaN(status)) break;
  }
  caller.end();
  return seen;
}

test("ten times the load: every answer is a call or 503, each call is counted once, memory stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "roster-overload-"));
  const port = await freePort();
  const flags = ["--calls-at-once", "16", "--log-level", "warn"];
  const server = await startServer(folder, port, [], flags);
  try {
    const key = await createCaller(folder, "load@example.com");
    // The long form runs for some time; otherwise a number of calls is made.
    const phase = async (connections: number, ms: number, calls: number) => {
      const endMs = performance.now() + ms;
      const until = (answered: number) =>
        isLong ? performance.now() >= endMs : answered >= calls / connections;
      const seen = await Promise.all(
        Array.from({ length: connections }, () => load(port, key, until)),
      );
      const sum = (of: (one: (typeof seen)[number]) => number) =>
        seen.reduce((all, one) => all + of(one), 0);
      const others = seen.flatMap((one) => one.others);
      const [ok, refused] = [sum((one) => one.ok), sum((one) => one.refused)];
      process.stdout.write(`${connections} connections: ${ok} calls, ${refused} refused\n`);
      return { ok, refused, others };
    };
    const ms = 90_000;
    const usual = await phase(16, ms / 3, 800);
    const first = await phase(160, ms, 8000);
    const rss = readResidentMb(server.pid);
    const second = await phase(160, ms, 8000);
    expect([...usual.others, ...first.others, ...second.others]).toEqual([]);
    // With so few calls a busy machine may send too few at once.
    if (isLong) expect(first.refused + second.refused).toBeGreaterThan(0);
    expect(readResidentMb(server.pid)).toBeLessThan(1.5 * rss + 32);
    // Every 404 was a counted call, and no 503 was.
    const office = await openOffice(folder);
    expect(await office.countCalls("load@example.com")).toBe(usual.ok + first.ok + second.ok);
    office.close();
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  } finally {
    await server.kill();
    for (const end of ["", ".key", ".log"]) rmSync(folder + end, { recursive: true, force: true });
  }
}, 420_000);
