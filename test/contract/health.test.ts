import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../appliance.ts";

const appliance = await openTestAppliance({ folder: true });
afterAll(() => appliance.close());

const ask = async (path: string) => {
  const response = await appliance.handle(new Request(`http://localhost${path}`));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe("GET /livez and /readyz", () => {
  test("200 while everything works", async () => {
    expect(await ask("/livez")).toEqual({ status: 200, body: { live: true } });
    const { status, body } = await ask("/readyz");
    const { version: _, startedAt, ...notes } = body;
    const index = { revision: await appliance.modules.pool.revision() };
    expect([status, notes]).toEqual([200, { ready: true, index, backup: null }]);
    expect(Date.parse(String(startedAt))).toBeGreaterThan(0);
  });

  test("503 with the reason when the clock cannot be trusted, 200 when it is right again", async () => {
    const { key } = await appliance.newAccount("pro");
    expect((await appliance.client.get("ada-example", key)).status).toBe(200);
    appliance.clock.advance(-3 * 86_400);
    const { status, body } = await ask("/readyz");
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain("clock");
    appliance.clock.advance(3 * 86_400);
    expect((await ask("/readyz")).status).toBe(200);
  });

  test("503 with the reason while it stops, and /livez still answers", async () => {
    const stopping = await openTestAppliance({ people: [] });
    stopping.listen();
    const closing = stopping.close();
    const response = await stopping.handle(new Request("http://localhost/readyz"));
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("stopping");
    await closing;
  });
});
