/** A server listens before it has loaded anything: it says that it lives, and what it is doing. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openAppliance } from "../../src/appliance/appliance.ts";
import { silentAround, testConfig } from "../appliance.ts";
import { freePort } from "../faults/server-process.ts";
import { makeFolder } from "../temporary-folder.ts";

const around = silentAround(() => new Date("2026-11-21T12:00:00Z"));

describe("a server that is starting", () => {
  const folder = makeFolder("starting");

  test("lives, is not ready, says why, and asks callers to come back; the demo people are loaded once", async () => {
    const port = await freePort();
    const at = `http://127.0.0.1:${port}`;
    const data = join(folder, "data");
    const asked: Promise<Response>[] = [];
    // Judging the demo people takes a while when Roster runs from source: that is when these arrive.
    const step = () => {
      const paths = ["/livez", "/readyz", "/v1/users/ada-example", "/"];
      asked.push(...paths.map((path) => fetch(at + path)));
      asked.push(fetch(`${at}/livez`, { method: "POST" }));
    };
    const config = testConfig({ data, demo: true, port });
    const appliance = await openAppliance(config, { ...around, step }, { listen: true });
    try {
      const [live, ready, call, page, posted] = await Promise.all(asked);
      expect(await live?.json()).toEqual({ live: true });
      expect(ready?.status).toBe(503);
      const reason = expect.stringMatching(/^the server is starting: First start: loading /);
      expect(await ready?.json()).toEqual({ ready: false, reasons: [reason] });
      for (const refused of [call, page, posted]) {
        expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([503, "1"]);
        const body = (await refused?.json()) as { error: object; meta: { requestId: string } };
        expect(body).toMatchObject({ success: false, error: { code: "internal" } });
        expect(body.meta.requestId).toBe(refused?.headers.get("x-request-id") as string);
        expect(refused?.headers.get("cache-control")).toBe("no-store");
      }
      expect(appliance.address).toBe(at);
      expect((await fetch(`${at}/readyz`)).status).toBe(200);
      expect((await fetch(`${at}/v1/users/ada-example`)).status).toBe(401);
    } finally {
      await appliance.close();
    }
    const { demoDevelopers = 0 } = appliance.first ?? {};
    expect(demoDevelopers).toBeGreaterThan(1000);
    const again = await openAppliance(config, around);
    expect(await again.modules.pool.size()).toBe(demoDevelopers);
    await again.close();
  }, 300_000);

  test("listens no more when the start fails", async () => {
    const port = await freePort();
    const keyFile = join(folder, "nowhere", "admin.key");
    const config = testConfig({ data: join(folder, "failing"), port, adminKeyFile: keyFile });
    await expect(openAppliance(config, around, { listen: true })).rejects.toThrow(
      "cannot be written",
    );
    expect(existsSync(keyFile)).toBe(false);
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
  });
});
